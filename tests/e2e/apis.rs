//! The bodies of the four APIs: a first turn, and a second one that a client makes from the
//! answer, kept as it came, and the result of the tool.

use serde_json::{Value, json};

use super::planted::{
    ESCAPED, IN_ARGUMENT_KEY, IN_ARGUMENTS, IN_SCHEMA_EXAMPLE, IN_SYSTEM, IN_TOOL_DESCRIPTION,
    IN_UNKNOWN, IN_UNKNOWN_BLOCK, IN_USER, JAN,
};

/// A PNG of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// What an API's client does, as far as these tests need it.
pub(crate) struct Api {
    /// In `examples/curl-pipe`.
    pub(crate) script: &'static str,
    /// The path that the script asks, plain and as a stream.
    pub(crate) paths: [&'static str; 2],
    pub(crate) first: fn() -> Value,
    /// From the first body, the answer to it, and the content of the file that it asked for.
    pub(crate) second: fn(&Value, &Value, &str) -> Value,
    /// The text of a plain answer.
    pub(crate) text: fn(&Value) -> String,
    /// The piece of the answer's text that an event of a stream holds.
    pub(crate) delta: fn(&Value) -> Option<String>,
}

pub(crate) const ALL: [Api; 4] = [
    Api {
        script: "openai.sh",
        paths: ["/v1/chat/completions"; 2],
        first: chat_first,
        second: chat_second,
        text: |answer| string(&answer["choices"][0]["message"]["content"]),
        delta: |event| maybe(&event["choices"][0]["delta"]["content"]),
    },
    Api {
        script: "openai-responses.sh",
        paths: ["/v1/responses"; 2],
        first: responses_first,
        second: responses_second,
        text: |answer| {
            let items = list(&answer["output"]);
            let message = items.iter().find(|item| item["type"] == "message");
            string(&message.expect("a message")["content"][0]["text"])
        },
        delta: |event| {
            (event["type"] == "response.output_text.delta").then(|| string(&event["delta"]))
        },
    },
    Api {
        script: "anthropic.sh",
        paths: ["/v1/messages"; 2],
        first: anthropic_first,
        second: anthropic_second,
        text: |answer| {
            let blocks = list(&answer["content"]);
            let block = blocks.iter().find(|block| block["type"] == "text");
            string(&block.expect("a text block")["text"])
        },
        delta: |event| maybe(&event["delta"]["text"]),
    },
    Api {
        script: "gemini.sh",
        paths: [
            "/v1beta/models/gemini-2.5-flash:generateContent",
            "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
        ],
        first: gemini_first,
        second: gemini_second,
        text: gemini_text,
        delta: |event| Some(gemini_text(event)),
    },
];

fn string(value: &Value) -> String {
    maybe(value).unwrap_or_else(|| panic!("no string: {value}"))
}

fn maybe(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn list(value: &Value) -> &Vec<Value> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
}

fn push(list: &mut Value, items: impl IntoIterator<Item = Value>) {
    list.as_array_mut().expect("a list").extend(items);
}

fn system() -> String {
    format!("You work for {} and {IN_SYSTEM}.", JAN[1])
}

fn user() -> String {
    format!(
        "Read my notes.\nThen call {IN_USER}, or mail\n{} or {ESCAPED}.",
        JAN[0]
    )
}

fn description() -> String {
    format!("Reads a file. Ask {IN_TOOL_DESCRIPTION} for access.")
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"path": {
            "type": "string",
            "description": format!("A path, or the account of {}", JAN[3]),
            "examples": ["notes.txt", format!("invoices/{IN_SCHEMA_EXAMPLE}")]
        }},
        "required": ["path"]
    })
}

/// What no API has: a field of its own at the top.
fn unknown() -> Value {
    json!({"note": format!("ring {IN_UNKNOWN}"), "list": [[{"deep": JAN[2]}]]})
}

/// What no API has: a block among the others.
fn unknown_block() -> Value {
    json!({"type": "x_hint", "hint": {"host": IN_UNKNOWN_BLOCK}})
}

/// The arguments of a second call that the model made in the same turn: also a key is a value.
fn arguments() -> Value {
    json!({"card": IN_ARGUMENTS, "to": [JAN[3]], "amount": 1.50, IN_ARGUMENT_KEY: true})
}

fn chat_first() -> Value {
    json!({
        "model": "gpt-4o-2024-08-06",
        "messages": [
            {"role": "system", "content": system()},
            {"role": "user", "content": [
                {"type": "text", "text": user()},
                {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{PNG}"), "detail": "low"}},
                unknown_block()
            ]}
        ],
        "tools": [{"type": "function", "function": {
            "name": "read_file", "description": description(), "parameters": schema(), "strict": false
        }}],
        "tool_choice": "auto",
        "temperature": 0.0,
        "seed": 12345678901234567_u64,
        "x_trace": unknown()
    })
}

fn chat_second(first: &Value, answer: &Value, content: &str) -> Value {
    let mut body = first.clone();
    let mut message = answer["choices"][0]["message"].clone();
    let call_id = message["tool_calls"][0]["id"].clone();
    push(
        &mut message["tool_calls"],
        [json!({"id": "call_pay1", "type": "function", "function": {
            "name": "pay", "arguments": arguments().to_string()
        }})],
    );
    push(
        &mut body["messages"],
        [
            message,
            json!({"role": "tool", "tool_call_id": "call_pay1", "content": "{\"paid\":true}"}),
            json!({"role": "tool", "tool_call_id": call_id, "content": content}),
        ],
    );
    body
}

fn responses_first() -> Value {
    json!({
        "model": "gpt-5-2025-08-07",
        "instructions": system(),
        "input": [{"role": "user", "content": [
            {"type": "input_text", "text": user()},
            {"type": "input_image", "image_url": format!("data:image/png;base64,{PNG}"), "detail": "low"},
            unknown_block()
        ]}],
        "tools": [{
            "type": "function", "name": "read_file", "description": description(),
            "parameters": schema(), "strict": false
        }],
        "reasoning": {"effort": "low"},
        "include": ["reasoning.encrypted_content"],
        "store": false,
        "x_trace": unknown()
    })
}

fn responses_second(first: &Value, answer: &Value, content: &str) -> Value {
    let mut body = first.clone();
    let output = list(&answer["output"]);
    let call = output.last().expect("a function call");
    push(&mut body["input"], output.iter().cloned());
    push(
        &mut body["input"],
        [
            json!({
                "type": "function_call", "call_id": "call_pay1", "name": "pay",
                "arguments": arguments().to_string()
            }),
            json!({"type": "function_call_output", "call_id": "call_pay1", "output": "paid"}),
            json!({"type": "function_call_output", "call_id": call["call_id"], "output": content}),
        ],
    );
    body
}

fn anthropic_first() -> Value {
    json!({
        "model": "claude-sonnet-4-5-20250929",
        "max_tokens": 2048,
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "system": [{"type": "text", "text": system(), "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [
            {"type": "text", "text": user()},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            unknown_block()
        ]}],
        "tools": [{"name": "read_file", "description": description(), "input_schema": schema()}],
        "x_trace": unknown()
    })
}

fn anthropic_second(first: &Value, answer: &Value, content: &str) -> Value {
    let mut body = first.clone();
    let mut blocks = answer["content"].clone();
    let call_id = list(&blocks).last().expect("a call")["id"].clone();
    push(
        &mut blocks,
        [json!({"type": "tool_use", "id": "toolu_pay1", "name": "pay", "input": arguments()})],
    );
    let results = json!([
        {"type": "tool_result", "tool_use_id": call_id, "content": [{"type": "text", "text": content}]},
        {"type": "tool_result", "tool_use_id": "toolu_pay1", "content": "no access", "is_error": true}
    ]);
    push(
        &mut body["messages"],
        [
            json!({"role": "assistant", "content": blocks}),
            json!({"role": "user", "content": results}),
        ],
    );
    body
}

fn gemini_first() -> Value {
    json!({
        "systemInstruction": {"parts": [{"text": system()}]},
        "contents": [{"role": "user", "parts": [
            {"text": user()},
            {"inlineData": {"mimeType": "image/png", "data": PNG}},
            unknown_block()
        ]}],
        "tools": [{"functionDeclarations": [
            {"name": "read_file", "description": description(), "parameters": schema()}
        ]}],
        "generationConfig": {"temperature": 0.0, "thinkingConfig": {"includeThoughts": true}},
        "xTrace": unknown()
    })
}

fn gemini_second(first: &Value, answer: &Value, content: &str) -> Value {
    let mut body = first.clone();
    let mut turn = answer["candidates"][0]["content"].clone();
    let call_id = list(&turn["parts"]).last().expect("a call")["functionCall"]["id"].clone();
    // Of calls made at once, only the first is signed.
    push(
        &mut turn["parts"],
        [json!({"functionCall": {"id": "pay1", "name": "pay", "args": arguments()}})],
    );
    let results = json!([
        {"functionResponse": {"id": "pay1", "name": "pay", "response": {"paid": true}}},
        {"functionResponse": {"id": call_id, "name": "read_file", "response": {"content": content}}}
    ]);
    push(
        &mut body["contents"],
        [turn, json!({"role": "user", "parts": results})],
    );
    body
}

fn gemini_text(answer: &Value) -> String {
    let parts = list(&answer["candidates"][0]["content"]["parts"]);
    parts
        .iter()
        .filter(|part| part["thought"] != true)
        .filter_map(|part| part["text"].as_str())
        .collect()
}
