//! OpenAI chat completions, by a real client.

mod common;

use common::{joined, post, start};
use serde_json::{Value, json};

const PATH: &str = "/v1/chat/completions";
const SAID: &str = "Received [[EMAIL_6c1f0a9e]] and [[PHONE_d24b7c03]], Grüße \"quoted\"\n";

fn request() -> Value {
    json!({"model": "gpt-5.1-mini", "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "earlier"},
        {"role": "assistant", "content": "yes?"},
        {"role": "user", "content": [{"type": "text", "text": SAID}]}
    ]})
}

fn with(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}

fn answered(text: &str) -> String {
    format!("The provider was sent: {text}")
}

#[test]
fn a_plain_answer_has_the_shape_of_a_completion() {
    let provider = start(None);
    let answer = post(&provider, PATH, request().to_string());
    assert_eq!(
        (answer.status, answer.content_type.as_str()),
        (200, "application/json")
    );
    let answer = answer.json();
    assert_eq!(answer["object"], "chat.completion");
    assert_eq!(answer["model"], "gpt-5.1-mini");
    assert!(
        answer["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("chatcmpl-"))
    );
    let choice = &answer["choices"][0];
    assert_eq!(choice["message"]["content"], answered(SAID));
    assert_eq!(choice["message"]["role"], "assistant");
    assert_eq!(choice["finish_reason"], "stop");
    assert!(choice["message"].get("tool_calls").is_none());
    let usage = |name: &str| answer["usage"][name].as_u64().expect("a count");
    assert_eq!(
        usage("total_tokens"),
        usage("prompt_tokens") + usage("completion_tokens")
    );
}

#[test]
fn a_streamed_answer_comes_in_deltas_and_ends_with_done() {
    let provider = start(None);
    let answer = post(
        &provider,
        PATH,
        with(request(), "stream", json!(true)).to_string(),
    );
    let mut events = answer.events();
    assert_eq!(events.pop(), Some((String::new(), "[DONE]".into())));
    assert!(events.iter().all(|(name, _)| name.is_empty()));
    let chunks: Vec<Value> = events
        .iter()
        .map(|(_, data)| serde_json::from_str(data).expect("JSON"))
        .collect();
    assert_eq!(joined(&chunks, "/choices/0/delta/content"), answered(SAID));
    assert_eq!(joined(&chunks, "/choices/0/delta/role"), "assistant");
    assert_eq!(joined(&chunks, "/choices/0/finish_reason"), "stop");
    assert_eq!(
        chunks.last().expect("chunks")["choices"][0]["finish_reason"],
        "stop"
    );
    for chunk in &chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], chunks[0]["id"]);
        assert!(chunk.get("usage").is_none());
    }
    let whole = chunks
        .iter()
        .any(|chunk| chunk.to_string().contains("[[EMAIL_6c1f0a9e]]"));
    assert!(!whole, "a placeholder is cut by deltas");
}

#[test]
fn usage_is_streamed_where_it_is_asked_for() {
    let provider = start(None);
    let request = with(
        with(request(), "stream", json!(true)),
        "stream_options",
        json!({"include_usage": true}),
    );
    let mut events = post(&provider, PATH, request.to_string()).events();
    events.pop();
    let chunks: Vec<Value> = events
        .iter()
        .map(|(_, data)| serde_json::from_str(data).expect("JSON"))
        .collect();
    let (last, rest) = chunks.split_last().expect("chunks");
    assert_eq!(last["choices"], json!([]));
    assert!(last["usage"]["total_tokens"].is_u64());
    assert!(
        rest.iter()
            .all(|chunk| chunk["usage"].is_null() && chunk.get("usage").is_some())
    );
}

#[test]
fn a_tool_call_comes_first_and_its_result_is_answered() {
    let provider = start(Some("notes/a b.txt"));
    let asking = with(
        request(),
        "tools",
        json!([
            {"type": "function", "function": {"name": "bash", "parameters": {}}},
            {"type": "function", "function": {"name": "ReadFile", "parameters": {}}}
        ]),
    );
    let choice = post(&provider, PATH, asking.to_string()).json()["choices"][0].clone();
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let call = &choice["message"]["tool_calls"][0];
    assert_eq!(
        (call["type"].as_str(), call["function"]["name"].as_str()),
        (Some("function"), Some("ReadFile"))
    );
    assert_eq!(call["function"]["arguments"], r#"{"path":"notes/a b.txt"}"#);

    let mut second = asking;
    let messages = second["messages"].as_array_mut().expect("messages");
    messages.push(choice["message"].clone());
    messages.push(
        json!({"role": "tool", "tool_call_id": call["id"], "content": "mail [[EMAIL_00000000]]"}),
    );
    let choice = post(&provider, PATH, second.to_string()).json()["choices"][0].clone();
    assert_eq!(choice["finish_reason"], "stop");
    assert_eq!(
        choice["message"]["content"],
        answered("mail [[EMAIL_00000000]]")
    );
    let requests = provider.requests().expect("the log is read");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].body, second);
}

#[test]
fn a_streamed_tool_call_has_its_arguments_in_pieces() {
    let provider = start(Some("/tmp/some/long/path.txt"));
    let mut events = post(
        &provider,
        PATH,
        with(request(), "stream", json!(true)).to_string(),
    )
    .events();
    assert_eq!(events.pop().expect("events").1, "[DONE]");
    let chunks: Vec<Value> = events
        .iter()
        .map(|(_, data)| serde_json::from_str(data).expect("JSON"))
        .collect();
    let call = "/choices/0/delta/tool_calls/0";
    assert_eq!(
        joined(&chunks, &format!("{call}/function/name")),
        "read_file"
    );
    assert_eq!(
        joined(&chunks, &format!("{call}/function/arguments")),
        r#"{"path":"/tmp/some/long/path.txt"}"#
    );
    assert!(joined(&chunks, &format!("{call}/id")).starts_with("call_"));
    assert_eq!(joined(&chunks, "/choices/0/finish_reason"), "tool_calls");
}

#[test]
fn refusals_have_the_shape_of_the_api() {
    let provider = start(None);
    let bodies = [
        r#"{"model": "m", "messages": [}"#,
        "",
        "[]",
        r#"{"messages": []}"#,
        r#"{"model": "m"}"#,
    ];
    for body in bodies {
        let answer = post(&provider, PATH, body);
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(
            answer.json()["error"]["type"],
            "invalid_request_error",
            "{body}"
        );
    }
    let requests = provider.requests().expect("the log is read");
    assert_eq!(requests.len(), bodies.len());
    assert_eq!(requests[0].body, bodies[0]);
    assert_eq!(requests[2].body, json!([]));
}
