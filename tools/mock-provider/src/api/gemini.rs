//! Gemini, `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`; the same
//! under `/v1`, which Google's own client asks by default.
//!
//! Shapes: googleapis/python-genai, `GenerateContentResponse`. A stream is server-sent events
//! with `?alt=sse`, else one JSON array written piece by piece. A function call always carries a
//! thoughtSignature, as Gemini 3's do, and the text where `thinkingConfig` is set.

use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::{Value, json};

use super::ids::Ids;
use super::{Asked, EVENT_STREAM, Failure, Reply, Turn};
use crate::sse;

/// What the path asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Call {
    model: String,
    stream: bool,
    /// `alt=sse` in the query.
    sse: bool,
}

impl Call {
    pub(super) fn of(path: &str, query: Option<&str>) -> Option<Self> {
        let prefixes = ["/v1beta/models/", "/v1/models/"];
        let rest = prefixes
            .iter()
            .find_map(|prefix| path.strip_prefix(prefix))?;
        let (model, method) = rest.split_once(':')?;
        let stream = match method {
            "generateContent" => false,
            "streamGenerateContent" => true,
            _ => return None,
        };
        if model.is_empty() || model.contains('/') {
            return None;
        }
        let sse = query.is_some_and(|query| query.split('&').any(|pair| pair == "alt=sse"));
        Some(Call {
            model: model.to_owned(),
            stream,
            sse,
        })
    }
}

pub(super) fn answer(
    call: &Call,
    request: &Value,
    read_file: Option<&str>,
) -> Result<Reply, Failure> {
    if !request["contents"].is_array() && !request["contents"].is_object() {
        return Err(Failure::bad_request(
            "* GenerateContentRequest.contents: contents is not specified",
        ));
    }
    let turn = Turn::of(&asked(request), read_file);
    let mut ids = Ids::of(request);
    let response_id = ids.alnum("", 22);
    let parts = parts(request, &turn, &mut ids);
    let output: usize = parts
        .iter()
        .map(|part| super::tokens(part.to_string().len()))
        .sum();
    let head = Head {
        model: &call.model,
        response_id,
        input: super::input_tokens(request),
        output,
    };
    if !call.stream {
        return Ok(Reply::Json(head.chunk(&parts, Some(&turn))));
    }
    let chunks = head.chunks(&parts, &turn);
    Ok(if call.sse {
        let frames = chunks.iter().map(sse::event_crlf).collect();
        Reply::Stream {
            content_type: EVENT_STREAM,
            frames,
        }
    } else {
        let frame = |(at, chunk): (usize, &Value)| {
            Bytes::from(format!("{}{chunk}", if at == 0 { "[" } else { ",\r\n" }))
        };
        let mut frames: Vec<Bytes> = chunks.iter().enumerate().map(frame).collect();
        frames.push(Bytes::from_static(b"]\r\n"));
        Reply::Stream {
            content_type: "application/json; charset=utf-8",
            frames,
        }
    })
}

/// A field under either of the spellings that the API takes.
fn either<'a>(value: &'a Value, camel: &str, snake: &str) -> Option<&'a Value> {
    value.get(camel).or_else(|| value.get(snake))
}

fn function_response(part: &Value) -> Option<&Value> {
    either(part, "functionResponse", "function_response")
}

fn asked(request: &Value) -> Asked<'_> {
    let contents = super::items(&request["contents"]);
    let has_result = |content: &Value| {
        super::items(&content["parts"])
            .iter()
            .any(|part| function_response(part).is_some())
    };
    let last = contents.iter().rfind(|content| content["role"] != "model");
    Asked {
        last_text: last.map(content_text).unwrap_or_default(),
        has_tool_result: contents.iter().any(has_result),
        tools: super::items(&request["tools"])
            .iter()
            .filter_map(|tool| either(tool, "functionDeclarations", "function_declarations"))
            .flat_map(super::items)
            .filter_map(|function| function["name"].as_str())
            .collect(),
    }
}

/// The texts of a content and the strings in its function responses, joined by line feeds.
fn content_text(content: &Value) -> String {
    let mut texts = Vec::new();
    for part in super::items(&content["parts"]) {
        match function_response(part) {
            Some(response) => push_strings(&response["response"], &mut texts),
            None => texts.extend(part["text"].as_str()),
        }
    }
    texts.join("\n")
}

/// Every string below `value`, in order. Recursion is bounded by serde_json's 128 levels.
fn push_strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| push_strings(item, out)),
        Value::Object(fields) => fields.values().for_each(|field| push_strings(field, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn parts(request: &Value, turn: &Turn, ids: &mut Ids) -> Vec<Value> {
    let config = either(request, "generationConfig", "generation_config");
    let thinking = config.and_then(|config| either(config, "thinkingConfig", "thinking_config"));
    let shown = thinking.and_then(|config| either(config, "includeThoughts", "include_thoughts"));
    let signature = ids.base64(358);
    let mut parts = Vec::new();
    if shown == Some(&Value::Bool(true)) {
        parts.push(json!({"text": "Let me see what I was sent.", "thought": true}));
    }
    parts.push(match turn {
        Turn::Text(text) if thinking.is_some() => {
            json!({"text": text, "thoughtSignature": signature})
        }
        Turn::Text(text) => json!({"text": text}),
        Turn::ReadFile { tool, path } => json!({
            "functionCall": {"id": ids.alnum("", 8), "name": tool, "args": super::arguments(path)},
            "thoughtSignature": signature
        }),
    });
    parts
}

struct Head<'a> {
    model: &'a str,
    response_id: String,
    input: usize,
    output: usize,
}

impl Head<'_> {
    /// One response. `last`: the turn that it ends; None where more is to come.
    fn chunk(&self, parts: &[Value], last: Option<&Turn>) -> Value {
        let mut candidate = json!({"content": {"parts": parts, "role": "model"}});
        if let Some(turn) = last {
            candidate["finishReason"] = json!("STOP");
            if matches!(turn, Turn::ReadFile { .. }) {
                candidate["finishMessage"] = json!("Model generated function call(s).");
            }
        }
        candidate["index"] = json!(0);
        let mut usage = json!({"promptTokenCount": self.input});
        let output = if last.is_some() { self.output } else { 0 };
        if last.is_some() {
            usage["candidatesTokenCount"] = json!(output);
        }
        usage["totalTokenCount"] = json!(self.input + output);
        usage["promptTokensDetails"] = json!([{"modality": "TEXT", "tokenCount": self.input}]);
        json!({
            "candidates": [candidate],
            "usageMetadata": usage,
            "modelVersion": self.model,
            "responseId": self.response_id
        })
    }

    /// A part for each chunk, a text over several; a signed text ends with an empty signed part.
    fn chunks(&self, parts: &[Value], turn: &Turn) -> Vec<Value> {
        let mut pieces = Vec::new();
        for part in parts {
            let Some(text) = part["text"].as_str() else {
                pieces.push(part.clone());
                continue;
            };
            let signature = part.get("thoughtSignature");
            for piece in sse::deltas(text) {
                let mut part = part.clone();
                part["text"] = json!(piece);
                if let (Some(part), Some(_)) = (part.as_object_mut(), signature) {
                    part.shift_remove("thoughtSignature");
                }
                pieces.push(part);
            }
            if let Some(signature) = signature {
                pieces.push(json!({"text": "", "thoughtSignature": signature}));
            }
        }
        let last = pieces.len().saturating_sub(1);
        let chunk = |(at, part): (usize, &Value)| {
            self.chunk(std::slice::from_ref(part), (at == last).then_some(turn))
        };
        pieces.iter().enumerate().map(chunk).collect()
    }
}

pub(super) fn error_body(failure: &Failure) -> Value {
    let status = match failure.status {
        status if status.is_server_error() => "INTERNAL",
        StatusCode::METHOD_NOT_ALLOWED => "UNIMPLEMENTED",
        _ => "INVALID_ARGUMENT",
    };
    json!({"error": {"code": failure.status.as_u16(), "message": failure.message, "status": status}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_names_model_and_method() {
        let call = |path, query| Call::of(path, query);
        let plain = call("/v1beta/models/gemini-3-pro:generateContent", Some("key=x"))
            .expect("a path of the API");
        assert_eq!(
            plain,
            Call {
                model: "gemini-3-pro".into(),
                stream: false,
                sse: false
            }
        );
        let stream = call("/v1/models/g:streamGenerateContent", Some("a=b&alt=sse"))
            .expect("a path of the API");
        assert_eq!(
            stream,
            Call {
                model: "g".into(),
                stream: true,
                sse: true
            }
        );
        for path in [
            "/v1beta/models/:generateContent",
            "/v1beta/models/g:countTokens",
            "/v1beta/models/a/b:generateContent",
        ] {
            assert_eq!(call(path, None), None, "{path}");
        }
    }
}
