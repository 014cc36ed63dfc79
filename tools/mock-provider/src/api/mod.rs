//! The APIs of the providers, one file each, and what they have in common: which one a path
//! means, what to answer, and the shape of a refusal.

mod anthropic;
mod gemini;
mod ids;
mod openai_chat;
mod openai_responses;

use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::{Value, json};

/// What a reader of events asks for: the content type of server-sent events.
const EVENT_STREAM: &str = "text/event-stream; charset=utf-8";

/// The API that a path belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Api {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini(gemini::Call),
}

/// An answer of status 200.
pub(crate) enum Reply {
    Json(Value),
    Stream {
        content_type: &'static str,
        frames: Vec<Bytes>,
    },
}

/// A refusal: its status and what the client did wrong. The message never quotes the request.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Failure {
            status,
            message: message.into(),
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }
}

impl Api {
    /// `path` as sent, without the query. None: not a path of these APIs.
    pub(crate) fn of(path: &str, query: Option<&str>) -> Option<Self> {
        match path {
            "/v1/chat/completions" => Some(Api::OpenAiChat),
            "/v1/responses" => Some(Api::OpenAiResponses),
            "/v1/messages" => Some(Api::Anthropic),
            _ => gemini::Call::of(path, query).map(Api::Gemini),
        }
    }

    /// `read_file`: the path that a tool call reads while the request holds no tool result.
    pub(crate) fn answer(
        &self,
        request: &Value,
        read_file: Option<&str>,
    ) -> Result<Reply, Failure> {
        match self {
            Api::OpenAiChat => openai_chat::answer(request, read_file),
            Api::OpenAiResponses => openai_responses::answer(request, read_file),
            Api::Anthropic => anthropic::answer(request, read_file),
            Api::Gemini(call) => gemini::answer(call, request, read_file),
        }
    }
}

/// A refusal in the API's own shape; in OpenAI's where the path is of none.
pub(crate) fn error_body(api: Option<&Api>, failure: &Failure) -> Value {
    match api {
        Some(Api::Anthropic) => anthropic::error_body(failure),
        Some(Api::Gemini(_)) => gemini::error_body(failure),
        Some(Api::OpenAiChat | Api::OpenAiResponses) | None => openai_error_body(failure),
    }
}

fn openai_error_body(failure: &Failure) -> Value {
    let kind = if failure.status.is_server_error() {
        "server_error"
    } else {
        "invalid_request_error"
    };
    json!({"error": {"message": failure.message, "type": kind, "param": null, "code": null}})
}

/// What an answer depends on, read from a request of whichever API.
#[derive(Debug, Default)]
struct Asked<'a> {
    /// The text of the last message that is not the model's: the user's, or a tool result.
    last_text: String,
    /// Whether the request holds a tool result anywhere.
    has_tool_result: bool,
    /// Names of the declared function tools, in order.
    tools: Vec<&'a str>,
}

/// What the model "says".
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    Text(String),
    ReadFile { tool: String, path: String },
}

impl Turn {
    fn of(asked: &Asked<'_>, read_file: Option<&str>) -> Self {
        match read_file {
            Some(path) if !asked.has_tool_result => {
                let declared = asked
                    .tools
                    .iter()
                    .find(|name| name.to_ascii_lowercase().contains("read"));
                let tool = declared.map_or("read_file", |name| name).to_owned();
                Turn::ReadFile {
                    tool,
                    path: path.to_owned(),
                }
            }
            _ => Turn::Text(format!("The provider was sent: {}", asked.last_text)),
        }
    }
}

/// The arguments of the tool call.
fn arguments(path: &str) -> Value {
    json!({"path": path})
}

/// About as many tokens as a text of so many bytes has.
fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// The size of a request in tokens.
fn input_tokens(request: &Value) -> usize {
    tokens(request.to_string().len())
}

fn streamed(request: &Value) -> bool {
    request["stream"] == Value::Bool(true)
}

fn required_str<'a>(request: &'a Value, name: &str) -> Result<&'a str, Failure> {
    request[name]
        .as_str()
        .ok_or_else(|| Failure::bad_request(format!("missing required parameter: '{name}'")))
}

fn required_array<'a>(request: &'a Value, name: &str) -> Result<&'a [Value], Failure> {
    request[name]
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| Failure::bad_request(format!("missing required parameter: '{name}'")))
}

/// The elements of an array; the value itself where it is none; nothing for null.
fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        Value::Null => &[],
        other => std::slice::from_ref(other),
    }
}

/// The text of a content field: a string, or blocks with a `text` each, joined by line feeds.
fn content_text(content: &Value) -> String {
    let text = |block: &Value| block.as_str().or(block["text"].as_str()).map(str::to_owned);
    items(content)
        .iter()
        .filter_map(text)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_whole() {
        assert_eq!(Api::of("/v1/messages", None), Some(Api::Anthropic));
        for path in [
            "/",
            "/v1/messages/",
            "/v1/messages/count_tokens",
            "/chat/completions",
            "/v1beta/models",
        ] {
            assert_eq!(Api::of(path, None), None, "{path}");
        }
    }

    #[test]
    fn the_first_declared_tool_that_reads_is_called_until_a_result_is_there() {
        let mut asked = Asked {
            tools: vec!["bash", "Read", "read_file"],
            ..Asked::default()
        };
        let call = |tool: &str| Turn::ReadFile {
            tool: tool.into(),
            path: "a.txt".into(),
        };
        assert_eq!(Turn::of(&asked, Some("a.txt")), call("Read"));
        asked.tools.truncate(1);
        assert_eq!(Turn::of(&asked, Some("a.txt")), call("read_file"));
        asked.has_tool_result = true;
        assert!(matches!(Turn::of(&asked, Some("a.txt")), Turn::Text(_)));
        asked.has_tool_result = false;
        assert!(matches!(Turn::of(&asked, None), Turn::Text(_)));
    }
}
