//! OpenAI responses, `POST /v1/responses`.
//!
//! Shapes: openai/openai-openapi, `Response` and `ResponseStreamEvent`. Where the request has
//! `reasoning`, the answer begins with a reasoning item, encrypted where `include` asks for it.

use hyper::body::Bytes;
use serde_json::{Value, json};

use super::ids::{CREATED, Ids};
use super::{Asked, EVENT_STREAM, Failure, Reply, Turn};
use crate::sse;

pub(super) fn answer(request: &Value, read_file: Option<&str>) -> Result<Reply, Failure> {
    super::required_str(request, "model")?;
    let turn = Turn::of(&asked(request), read_file);
    let mut ids = Ids::of(request);
    let id = ids.hex("resp_", 48);
    let output = output(request, &turn, &mut ids);
    let response = response(request, id, output);
    Ok(if super::streamed(request) {
        Reply::Stream {
            content_type: EVENT_STREAM,
            frames: events(&response),
        }
    } else {
        Reply::Json(response)
    })
}

fn asked(request: &Value) -> Asked<'_> {
    let input = super::items(&request["input"]);
    let is_result = |item: &Value| {
        item["type"]
            .as_str()
            .is_some_and(|kind| kind.ends_with("_call_output"))
    };
    let is_ours = |item: &&Value| item.is_string() || item["role"] == "user" || is_result(item);
    let text = |item: &Value| match item {
        Value::String(text) => text.clone(),
        item if is_result(item) => super::content_text(&item["output"]),
        item => super::content_text(&item["content"]),
    };
    Asked {
        last_text: input.iter().rfind(is_ours).map(text).unwrap_or_default(),
        has_tool_result: input.iter().any(is_result),
        tools: super::items(&request["tools"])
            .iter()
            .filter(|tool| tool["type"] == "function")
            .filter_map(|tool| tool["name"].as_str())
            .collect(),
    }
}

fn output(request: &Value, turn: &Turn, ids: &mut Ids) -> Vec<Value> {
    let mut output = Vec::new();
    if request["reasoning"].is_object() {
        let mut item = json!({"id": ids.hex("rs_", 48), "type": "reasoning", "summary": []});
        if super::items(&request["include"])
            .iter()
            .any(|name| name == "reasoning.encrypted_content")
        {
            // A Fernet token, base64url: 57 bytes and as many blocks of 16, 6 of them fixed.
            let token = ids.base64(51 + 16 * 16).replace('+', "-").replace('/', "_");
            item["encrypted_content"] = json!(format!("gAAAAABp{token}"));
        }
        output.push(item);
    }
    output.push(match turn {
        Turn::Text(text) => json!({
            "id": ids.hex("msg_", 48),
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "annotations": [], "logprobs": [], "text": text}]
        }),
        Turn::ReadFile { tool, path } => json!({
            "id": ids.hex("fc_", 48),
            "type": "function_call",
            "status": "completed",
            "arguments": super::arguments(path).to_string(),
            "call_id": ids.alnum("call_", 24),
            "name": tool
        }),
    });
    output
}

/// The finished response. What the request set it echoes, as the API does.
fn response(request: &Value, id: String, output: Vec<Value>) -> Value {
    let echo = |name: &str, default: Value| request.get(name).cloned().unwrap_or(default);
    let input_tokens = super::input_tokens(request);
    let output_tokens: usize = output
        .iter()
        .map(|item| super::tokens(item.to_string().len()))
        .sum();
    json!({
        "id": id,
        "object": "response",
        "created_at": CREATED,
        "status": "completed",
        "background": false,
        "error": null,
        "incomplete_details": null,
        "instructions": echo("instructions", Value::Null),
        "max_output_tokens": echo("max_output_tokens", Value::Null),
        "model": request["model"],
        "output": output,
        "parallel_tool_calls": echo("parallel_tool_calls", json!(true)),
        "previous_response_id": echo("previous_response_id", Value::Null),
        "reasoning": echo("reasoning", json!({"effort": null, "summary": null})),
        "service_tier": "default",
        "store": echo("store", json!(true)),
        "temperature": echo("temperature", json!(1.0)),
        "text": echo("text", json!({"format": {"type": "text"}})),
        "tool_choice": echo("tool_choice", json!("auto")),
        "tools": echo("tools", json!([])),
        "top_p": echo("top_p", json!(1.0)),
        "truncation": echo("truncation", json!("disabled")),
        "usage": {
            "input_tokens": input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input_tokens + output_tokens
        },
        "metadata": echo("metadata", json!({}))
    })
}

/// Events numbered from 0; the stream ends with `response.completed`, without `[DONE]`.
#[derive(Default)]
struct Events {
    frames: Vec<Bytes>,
}

impl Events {
    /// Adds an event: `fields`, an object, behind its type and number.
    fn push(&mut self, kind: &str, fields: Value) {
        let mut event = json!({"type": kind, "sequence_number": self.frames.len()});
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        self.frames.push(sse::event(Some(kind), &event));
    }
}

fn events(response: &Value) -> Vec<Bytes> {
    let mut events = Events::default();
    let mut begun = response.clone();
    begun["status"] = json!("in_progress");
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    events.push("response.created", json!({"response": begun}));
    events.push("response.in_progress", json!({"response": begun}));
    for (index, item) in super::items(&response["output"]).iter().enumerate() {
        let mut begun = item.clone();
        if item.get("status").is_some() {
            begun["status"] = json!("in_progress");
        }
        match item["type"].as_str() {
            Some("message") => begun["content"] = json!([]),
            Some("function_call") => begun["arguments"] = json!(""),
            _ => {}
        }
        events.push(
            "response.output_item.added",
            json!({"output_index": index, "item": begun}),
        );
        match item["type"].as_str() {
            Some("message") => push_message(&mut events, index, item),
            Some("function_call") => push_arguments(&mut events, index, item),
            _ => {}
        }
        events.push(
            "response.output_item.done",
            json!({"output_index": index, "item": item}),
        );
    }
    events.push("response.completed", json!({"response": response}));
    events.frames
}

fn push_message(events: &mut Events, output_index: usize, item: &Value) {
    for (index, part) in super::items(&item["content"]).iter().enumerate() {
        let place = |mut fields: Value| {
            fields["item_id"] = item["id"].clone();
            fields["output_index"] = json!(output_index);
            fields["content_index"] = json!(index);
            fields
        };
        let mut begun = part.clone();
        begun["text"] = json!("");
        events.push("response.content_part.added", place(json!({"part": begun})));
        for piece in sse::deltas(part["text"].as_str().unwrap_or_default()) {
            let delta = place(json!({"delta": piece, "logprobs": []}));
            events.push("response.output_text.delta", delta);
        }
        let done = place(json!({"text": part["text"], "logprobs": []}));
        events.push("response.output_text.done", done);
        events.push("response.content_part.done", place(json!({"part": part})));
    }
}

fn push_arguments(events: &mut Events, output_index: usize, item: &Value) {
    let place = |mut fields: Value| {
        fields["item_id"] = item["id"].clone();
        fields["output_index"] = json!(output_index);
        fields
    };
    for piece in sse::deltas(item["arguments"].as_str().unwrap_or_default()) {
        events.push(
            "response.function_call_arguments.delta",
            place(json!({"delta": piece})),
        );
    }
    let done = place(json!({"arguments": item["arguments"]}));
    events.push("response.function_call_arguments.done", done);
}
