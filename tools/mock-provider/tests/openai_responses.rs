//! OpenAI responses, by a real client.

mod common;

use common::{joined, post, start};
use serde_json::{Value, json};

const PATH: &str = "/v1/responses";
const SAID: &str = "Received [[EMAIL_6c1f0a9e]] and [[PHONE_d24b7c03]], Grüße";

fn request(stream: bool) -> Value {
    json!({
        "model": "gpt-5.1", "instructions": "Be brief for [[EMAIL_11111111]].", "stream": stream,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": SAID}]}]
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
fn a_plain_answer_has_the_shape_of_a_response() {
    let provider = start(None);
    let answer = post(&provider, PATH, request(false).to_string()).json();
    assert_eq!(
        (answer["object"].as_str(), answer["status"].as_str()),
        (Some("response"), Some("completed"))
    );
    assert_eq!(answer["model"], "gpt-5.1");
    assert_eq!(answer["instructions"], "Be brief for [[EMAIL_11111111]].");
    let message = &answer["output"][0];
    assert_eq!(
        (message["type"].as_str(), message["role"].as_str()),
        (Some("message"), Some("assistant"))
    );
    assert_eq!(message["content"][0]["type"], "output_text");
    assert_eq!(
        message["content"][0]["text"],
        format!("The provider was sent: {SAID}")
    );
    assert!(answer["usage"]["total_tokens"].is_u64());
    let answer = post(&provider, PATH, r#"{"model":"m","input":"hello"}"#).json();
    assert_eq!(
        answer["output"][0]["content"][0]["text"],
        "The provider was sent: hello"
    );
}

#[test]
fn a_streamed_answer_has_the_events_in_order_and_numbered() {
    let provider = start(None);
    let answer = post(&provider, PATH, request(true).to_string());
    let events = answer.data();
    assert_eq!(
        kinds(&events),
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    for (number, ((name, _), event)) in answer.events().iter().zip(&events).enumerate() {
        assert_eq!(event["sequence_number"], json!(number));
        assert_eq!(event["type"], *name);
    }
    let deltas = events
        .iter()
        .filter(|event| event["type"] == "response.output_text.delta");
    assert!(deltas.clone().count() > 3);
    assert_eq!(
        joined(deltas, "/delta"),
        format!("The provider was sent: {SAID}")
    );
    assert_eq!(events[0]["response"]["output"], json!([]));
    let mut plain = post(&provider, PATH, request(false).to_string()).json();
    let mut last = events.last().expect("events")["response"].clone();
    // The ids follow from the request, and the two requests differ.
    for response in [&mut plain, &mut last] {
        response["id"] = Value::Null;
        response["output"][0]["id"] = Value::Null;
        response["usage"] = Value::Null;
    }
    assert_eq!(last, plain);
}

#[test]
fn a_tool_call_comes_first_and_its_result_is_answered() {
    let provider = start(Some("notes.txt"));
    let mut asking = request(false);
    asking["tools"] =
        json!([{"type": "custom", "name": "read_raw"}, {"type": "function", "name": "fs_read"}]);
    asking["reasoning"] = json!({"effort": "low"});
    asking["include"] = json!(["reasoning.encrypted_content"]);
    let output = post(&provider, PATH, asking.to_string()).json()["output"].clone();
    assert_eq!(output[0]["type"], "reasoning");
    assert!(
        output[0]["encrypted_content"]
            .as_str()
            .is_some_and(|text| text.len() > 300)
    );
    let call = &output[1];
    assert_eq!(
        (call["type"].as_str(), call["name"].as_str()),
        (Some("function_call"), Some("fs_read"))
    );
    assert_eq!(call["arguments"], r#"{"path":"notes.txt"}"#);

    let input = asking["input"].as_array_mut().expect("input");
    input.extend(output.as_array().expect("output").iter().cloned());
    input.push(json!({"type": "function_call_output", "call_id": call["call_id"], "output": "[[IP_22222222]]"}));
    let answer = post(&provider, PATH, asking.to_string()).json();
    assert_eq!(
        answer["output"][1]["content"][0]["text"],
        "The provider was sent: [[IP_22222222]]"
    );
}

#[test]
fn a_streamed_tool_call_has_its_arguments_in_pieces() {
    let provider = start(Some("notes/long/name.txt"));
    let events = post(&provider, PATH, request(true).to_string()).data();
    assert_eq!(
        kinds(&events),
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    let deltas = events
        .iter()
        .filter(|event| event["type"] == "response.function_call_arguments.delta");
    assert_eq!(
        joined(deltas, "/delta"),
        r#"{"path":"notes/long/name.txt"}"#
    );
    assert_eq!(events[2]["item"]["arguments"], "");
    assert_eq!(events[2]["item"]["status"], "in_progress");
    assert_eq!(
        events.last().expect("events")["response"]["output"][0]["name"],
        "read_file"
    );
}

#[test]
fn refusals_have_the_shape_of_the_api() {
    let provider = start(None);
    for body in ["{", r#"{"input": "x"}"#, "\"text\""] {
        let answer = post(&provider, PATH, body);
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.json()["error"]["type"], "invalid_request_error");
    }
    assert_eq!(provider.requests().expect("the log is read").len(), 3);
}
