//! Anthropic messages, by a real client.

mod common;

use common::{joined, post, start};
use serde_json::{Value, json};

const PATH: &str = "/v1/messages";
const SAID: &str = "Received [[EMAIL_6c1f0a9e]] and [[PHONE_d24b7c03]], Grüße";

fn request(stream: bool) -> Value {
    json!({
        "model": "claude-sonnet-4-5", "max_tokens": 1024, "stream": stream,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [{"role": "user", "content": SAID}]
    })
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn a_plain_answer_has_the_shape_of_a_message() {
    let provider = start(None);
    let answer = post(&provider, PATH, request(false).to_string()).json();
    assert_eq!(
        (answer["type"].as_str(), answer["role"].as_str()),
        (Some("message"), Some("assistant"))
    );
    assert_eq!(answer["model"], "claude-sonnet-4-5");
    assert!(
        answer["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("msg_01") && id.len() == 28)
    );
    assert_eq!(
        answer["content"],
        json!([{"type": "text", "text": format!("The provider was sent: {SAID}")}])
    );
    assert_eq!(
        (answer["stop_reason"].as_str(), &answer["stop_sequence"]),
        (Some("end_turn"), &Value::Null)
    );
    assert!(answer["usage"]["input_tokens"].is_u64() && answer["usage"]["output_tokens"].is_u64());
}

#[test]
fn a_streamed_answer_has_the_named_events_in_order() {
    let provider = start(None);
    let answer = post(&provider, PATH, request(true).to_string());
    let events = answer.data();
    assert_eq!(
        kinds(&events),
        [
            "message_start",
            "content_block_start",
            "ping",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop",
        ]
    );
    for ((name, _), event) in answer.events().iter().zip(&events) {
        assert_eq!(event["type"], *name);
    }
    assert_eq!(events[0]["message"]["content"], json!([]));
    assert_eq!(
        joined(&events, "/delta/text"),
        format!("The provider was sent: {SAID}")
    );
    assert_eq!(joined(&events, "/delta/stop_reason"), "end_turn");
}

#[test]
fn a_signed_thinking_block_and_a_tool_use_are_replayed_and_answered() {
    let provider = start(Some("notes.txt"));
    let mut asking = request(false);
    asking["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
    asking["tools"] =
        json!([{"name": "Bash", "input_schema": {}}, {"name": "Read", "input_schema": {}}]);
    let answer = post(&provider, PATH, asking.to_string()).json();
    assert_eq!(answer["stop_reason"], "tool_use");
    let content = answer["content"].as_array().expect("content");
    let types: Vec<_> = content
        .iter()
        .map(|block| block["type"].as_str().expect("a type"))
        .collect();
    assert_eq!(types, ["thinking", "text", "tool_use"]);
    let signature = content[0]["signature"].as_str().expect("a signature");
    assert_eq!((signature.len(), signature.ends_with("==")), (360, true));
    assert!(
        content[2]["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("toolu_01"))
    );
    assert_eq!(
        (content[2]["name"].as_str(), &content[2]["input"]),
        (Some("Read"), &json!({"path": "notes.txt"}))
    );

    let messages = asking["messages"].as_array_mut().expect("messages");
    messages.push(json!({"role": "assistant", "content": content}));
    messages.push(json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": content[2]["id"],
         "content": [{"type": "text", "text": "[[IBAN_33333333]]"}]},
        {"type": "text", "text": "and now?"}
    ]}));
    let answer = post(&provider, PATH, asking.to_string()).json();
    assert_eq!(answer["stop_reason"], "end_turn");
    assert_eq!(
        answer["content"][1]["text"],
        "The provider was sent: [[IBAN_33333333]]\nand now?"
    );
}

#[test]
fn a_streamed_tool_use_has_its_input_in_pieces() {
    let provider = start(Some("notes/long/name.txt"));
    let mut asking = request(true);
    asking["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
    let events = post(&provider, PATH, asking.to_string()).data();
    assert_eq!(
        joined(&events, "/delta/partial_json"),
        r#"{"path":"notes/long/name.txt"}"#
    );
    assert_eq!(joined(&events, "/content_block/name"), "read_file");
    assert_eq!(joined(&events, "/delta/stop_reason"), "tool_use");
    assert!(joined(&events, "/delta/signature").ends_with("=="));
    assert!(!joined(&events, "/delta/thinking").is_empty());
    let starts: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "content_block_start")
        .collect();
    for (index, start) in starts.iter().enumerate() {
        assert_eq!(start["index"], json!(index));
    }
    assert_eq!(starts.len(), 3);
    assert_eq!(starts[2]["content_block"]["input"], json!({}));
}

#[test]
fn refusals_have_the_shape_of_the_api() {
    let provider = start(None);
    for body in [
        "{",
        r#"{"model": "m", "messages": []}"#,
        r#"{"max_tokens": 1, "messages": []}"#,
    ] {
        let answer = post(&provider, PATH, body);
        assert_eq!(answer.status, 400, "{body}");
        let answer = answer.json();
        assert_eq!(answer["type"], "error");
        assert_eq!(answer["error"]["type"], "invalid_request_error");
    }
    assert_eq!(provider.requests().expect("the log is read").len(), 3);
}
