//! Anthropic messages, `POST /v1/messages`.
//!
//! Shapes: anthropics/anthropic-sdk-python, `Message` and `RawMessageStreamEvent`. Where the
//! request has `thinking` on, the answer begins with a signed thinking block, to be replayed.

use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::{Value, json};

use super::ids::Ids;
use super::{Asked, EVENT_STREAM, Failure, Reply, Turn};
use crate::sse;

pub(super) fn answer(request: &Value, read_file: Option<&str>) -> Result<Reply, Failure> {
    let model = super::required_str(request, "model")?;
    let messages = super::required_array(request, "messages")?;
    if !request["max_tokens"].is_u64() {
        return Err(Failure::bad_request("max_tokens: Field required"));
    }
    let turn = Turn::of(&asked(request, messages), read_file);
    let mut ids = Ids::of(request);
    let id = ids.alnum("msg_01", 22);
    let content = content(request, &turn, &mut ids);
    let stop_reason = match turn {
        Turn::Text(_) => "end_turn",
        Turn::ReadFile { .. } => "tool_use",
    };
    let usage = json!({
        "input_tokens": super::input_tokens(request),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": content.iter().map(|block| super::tokens(block.to_string().len())).sum::<usize>(),
        "service_tier": "standard"
    });
    let message = json!({
        "model": model,
        "id": id,
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": usage
    });
    Ok(if super::streamed(request) {
        Reply::Stream {
            content_type: EVENT_STREAM,
            frames: events(message),
        }
    } else {
        Reply::Json(message)
    })
}

fn asked<'a>(request: &'a Value, messages: &[Value]) -> Asked<'a> {
    let is_result = |block: &Value| block["type"] == "tool_result";
    let has_result = |message: &Value| super::items(&message["content"]).iter().any(is_result);
    let last = messages.iter().rfind(|message| message["role"] == "user");
    Asked {
        last_text: last
            .map(|message| user_text(&message["content"]))
            .unwrap_or_default(),
        has_tool_result: messages.iter().any(has_result),
        tools: super::items(&request["tools"])
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect(),
    }
}

/// The text of a user's message, with that of the tool results in it.
fn user_text(content: &Value) -> String {
    let block_text = |block: &Value| match block["type"].as_str() {
        Some("tool_result") => super::content_text(&block["content"]),
        _ => super::content_text(block),
    };
    super::items(content)
        .iter()
        .map(block_text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn content(request: &Value, turn: &Turn, ids: &mut Ids) -> Vec<Value> {
    let mut content = Vec::new();
    if matches!(
        request["thinking"]["type"].as_str(),
        Some("enabled" | "adaptive")
    ) {
        content.push(json!({
            "type": "thinking",
            "thinking": "The user wants an answer. Let me see what I was sent.",
            "signature": ids.base64(268)
        }));
    }
    match turn {
        Turn::Text(text) => content.push(json!({"type": "text", "text": text})),
        Turn::ReadFile { tool, path } => {
            content.push(json!({"type": "text", "text": "I will read that file first."}));
            content.push(json!({
                "type": "tool_use",
                "id": ids.alnum("toolu_01", 22),
                "name": tool,
                "input": super::arguments(path)
            }));
        }
    }
    content
}

/// The message as a stream of events: each has its type for a name.
fn events(message: Value) -> Vec<Bytes> {
    let mut frames = Vec::new();
    let mut push = |event: Value| frames.push(sse::event(event["type"].as_str(), &event));

    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    push(json!({"type": "message_start", "message": start}));
    for (index, block) in super::items(&message["content"]).iter().enumerate() {
        let (start, deltas) = block_events(block);
        push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        if index == 0 {
            push(json!({"type": "ping"}));
        }
        for delta in deltas {
            push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        push(json!({"type": "content_block_stop", "index": index}));
    }
    push(json!({
        "type": "message_delta",
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": null},
        "usage": {"output_tokens": message["usage"]["output_tokens"]}
    }));
    push(json!({"type": "message_stop"}));
    frames
}

/// How a block begins, still empty, and the deltas that fill it.
fn block_events(block: &Value) -> (Value, Vec<Value>) {
    let text = |name: &str| block[name].as_str().unwrap_or_default();
    let mut start = block.clone();
    let deltas = match text("type") {
        "thinking" => {
            start["thinking"] = json!("");
            start["signature"] = json!("");
            let thinking = sse::deltas(text("thinking")).into_iter();
            thinking
                .map(|piece| json!({"type": "thinking_delta", "thinking": piece}))
                .chain([json!({"type": "signature_delta", "signature": text("signature")})])
                .collect()
        }
        "tool_use" => {
            start["input"] = json!({});
            let input = block["input"].to_string();
            let pieces = std::iter::once("").chain(sse::deltas(&input));
            pieces
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
                .collect()
        }
        _ => {
            start["text"] = json!("");
            let pieces = sse::deltas(text("text")).into_iter();
            pieces
                .map(|piece| json!({"type": "text_delta", "text": piece}))
                .collect()
        }
    };
    (start, deltas)
}

pub(super) fn error_body(failure: &Failure) -> Value {
    let kind = match failure.status {
        StatusCode::PAYLOAD_TOO_LARGE => "request_too_large",
        status if status.is_server_error() => "api_error",
        _ => "invalid_request_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": failure.message}})
}
