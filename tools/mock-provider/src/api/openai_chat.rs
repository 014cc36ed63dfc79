//! OpenAI chat completions, `POST /v1/chat/completions`.
//!
//! Shapes: openai/openai-openapi, `CreateChatCompletionResponse` and its stream chunks.

use hyper::body::Bytes;
use serde_json::{Value, json};

use super::ids::{CREATED, Ids};
use super::{Asked, EVENT_STREAM, Failure, Reply, Turn};
use crate::sse;

pub(super) fn answer(request: &Value, read_file: Option<&str>) -> Result<Reply, Failure> {
    let model = super::required_str(request, "model")?;
    let messages = super::required_array(request, "messages")?;
    let turn = Turn::of(&asked(request, messages), read_file);
    let mut ids = Ids::of(request);
    let head = Head {
        id: ids.alnum("chatcmpl-", 29),
        model,
        fingerprint: ids.hex("fp_", 10),
        call_id: ids.alnum("call_", 24),
        usage: usage(request, &turn),
    };
    Ok(if super::streamed(request) {
        let with_usage = request["stream_options"]["include_usage"] == Value::Bool(true);
        Reply::Stream {
            content_type: EVENT_STREAM,
            frames: head.chunks(&turn, with_usage),
        }
    } else {
        Reply::Json(head.completion(&turn))
    })
}

fn asked<'a>(request: &'a Value, messages: &[Value]) -> Asked<'a> {
    let is_tool = |message: &Value| matches!(message["role"].as_str(), Some("tool" | "function"));
    let last = messages
        .iter()
        .rfind(|message| message["role"] == "user" || is_tool(message));
    Asked {
        last_text: last
            .map(|message| super::content_text(&message["content"]))
            .unwrap_or_default(),
        has_tool_result: messages.iter().any(is_tool),
        tools: super::items(&request["tools"])
            .iter()
            .filter_map(|tool| tool["function"]["name"].as_str())
            .collect(),
    }
}

fn usage(request: &Value, turn: &Turn) -> Value {
    let input = super::input_tokens(request);
    let output = match turn {
        Turn::Text(text) => super::tokens(text.len()),
        Turn::ReadFile { path, .. } => 10 + super::tokens(path.len()),
    };
    json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0
        }
    })
}

struct Head<'a> {
    id: String,
    model: &'a str,
    fingerprint: String,
    call_id: String,
    usage: Value,
}

impl Head<'_> {
    fn completion(&self, turn: &Turn) -> Value {
        let message = match turn {
            Turn::Text(text) => {
                json!({"role": "assistant", "content": text, "refusal": null, "annotations": []})
            }
            Turn::ReadFile { tool, path } => json!({
                "role": "assistant",
                "content": null,
                "tool_calls": [{
                    "id": self.call_id,
                    "type": "function",
                    "function": {"name": tool, "arguments": super::arguments(path).to_string()}
                }],
                "refusal": null,
                "annotations": []
            }),
        };
        json!({
            "id": self.id,
            "object": "chat.completion",
            "created": CREATED,
            "model": self.model,
            "choices": [{
                "index": 0,
                "message": message,
                "logprobs": null,
                "finish_reason": finish_reason(turn)
            }],
            "usage": self.usage,
            "service_tier": "default",
            "system_fingerprint": self.fingerprint
        })
    }

    /// The chunks and `[DONE]`. `with_usage`: `usage` is null in each but a last one without
    /// choices (`stream_options.include_usage`).
    fn chunks(&self, turn: &Turn, with_usage: bool) -> Vec<Bytes> {
        let mut frames = Vec::new();
        let mut push = |choices: Value, usage: &Value| {
            let mut chunk = json!({
                "id": self.id,
                "object": "chat.completion.chunk",
                "created": CREATED,
                "model": self.model,
                "service_tier": "default",
                "system_fingerprint": self.fingerprint,
                "choices": choices
            });
            if with_usage {
                chunk["usage"] = usage.clone();
            }
            frames.push(sse::event(None, &chunk));
        };
        for delta in self.deltas(turn) {
            let choice =
                json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": null});
            push(json!([choice]), &Value::Null);
        }
        let reason = finish_reason(turn);
        let last = json!({"index": 0, "delta": {}, "logprobs": null, "finish_reason": reason});
        push(json!([last]), &Value::Null);
        if with_usage {
            push(json!([]), &self.usage);
        }
        frames.push(Bytes::from_static(b"data: [DONE]\n\n"));
        frames
    }

    fn deltas(&self, turn: &Turn) -> Vec<Value> {
        match turn {
            Turn::Text(text) => {
                let first = json!({"role": "assistant", "content": "", "refusal": null});
                let rest = sse::deltas(text)
                    .into_iter()
                    .map(|piece| json!({"content": piece}));
                std::iter::once(first).chain(rest).collect()
            }
            Turn::ReadFile { tool, path } => {
                let first = json!({
                    "role": "assistant",
                    "content": null,
                    "tool_calls": [{
                        "index": 0,
                        "id": self.call_id,
                        "type": "function",
                        "function": {"name": tool, "arguments": ""}
                    }],
                    "refusal": null
                });
                let arguments = super::arguments(path).to_string();
                let rest = sse::deltas(&arguments).into_iter().map(
                    |piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
                );
                std::iter::once(first).chain(rest).collect()
            }
        }
    }
}

fn finish_reason(turn: &Turn) -> &'static str {
    match turn {
        Turn::Text(_) => "stop",
        Turn::ReadFile { .. } => "tool_calls",
    }
}
