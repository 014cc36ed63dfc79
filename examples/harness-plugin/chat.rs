//! A conversation as the harness keeps it: with real values.

use serde_json::Value;

/// All that one request shows to the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Request {
    pub(crate) system: String,
    pub(crate) tools: Vec<Tool>,
    pub(crate) messages: Vec<Message>,
}

/// A tool as it is described to the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) description: String,
    /// JSON Schema.
    pub(crate) parameters: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// What a tool gave back, an error too.
    Tool {
        call_id: String,
        name: String,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// JSON, as the model wrote it.
    pub(crate) arguments: String,
}
