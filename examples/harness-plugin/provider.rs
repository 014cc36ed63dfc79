//! The provider's side: OpenAI chat completions over HTTP.

use serde_json::{Value, json};

use crate::Failure;
use crate::chat::{Message, Request, ToolCall};

/// Answers a request that has been filtered. Tests have one that plays a part.
pub(crate) trait Provider {
    /// The model's next message.
    fn complete(&self, request: &Request) -> Result<Message, Failure>;
}

pub(crate) struct OpenAi {
    base_url: String,
    api_key: String,
    model: String,
}

impl OpenAi {
    pub(crate) fn new(base_url: String, api_key: String, model: String) -> Self {
        OpenAi {
            base_url,
            api_key,
            model,
        }
    }
}

impl Provider for OpenAi {
    fn complete(&self, request: &Request) -> Result<Message, Failure> {
        let url = format!("{}/chat/completions", self.base_url.trim_end_matches('/'));
        let body = body(&self.model, request).to_string();
        let mut answer = ureq::post(url)
            .header("authorization", format!("Bearer {}", self.api_key))
            .header("content-type", "application/json")
            .send(body)?;
        let answer: Value = serde_json::from_str(&answer.body_mut().read_to_string()?)
            .map_err(|_| "the provider's answer is not JSON")?;
        read(&answer).ok_or_else(|| "the provider's answer holds no message".into())
    }
}

fn body(model: &str, request: &Request) -> Value {
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    messages.extend(request.messages.iter().map(message));
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters
            }})
        })
        .collect();
    json!({"model": model, "messages": messages, "tools": tools})
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls } => {
            let mut value = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                value["tool_calls"] = calls.iter().map(call).collect();
            }
            value
        }
        Message::Tool { call_id, text, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": text})
        }
    }
}

fn call(call: &ToolCall) -> Value {
    json!({"id": call.id, "type": "function", "function": {
        "name": call.name, "arguments": call.arguments
    }})
}

fn read(answer: &Value) -> Option<Message> {
    let message = answer.pointer("/choices/0/message")?;
    let calls = message["tool_calls"].as_array();
    let calls = calls.into_iter().flatten().map(|call| {
        Some(ToolCall {
            id: call["id"].as_str()?.to_owned(),
            name: call["function"]["name"].as_str()?.to_owned(),
            arguments: call["function"]["arguments"].as_str()?.to_owned(),
        })
    });
    Some(Message::Assistant {
        text: message["content"].as_str().unwrap_or_default().to_owned(),
        calls: calls.collect::<Option<_>>()?,
    })
}
