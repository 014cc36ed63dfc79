//! The request bodies of LLM providers: how each is recognized, and what in it is never touched.
//!
//! Data alone; [`super::pattern`] says how it is written. Everything that no `never` names is
//! filtered. Taken over from the providers' published schemas: openai-openapi f85dbe2,
//! anthropic-sdk-python 009b0353, python-genai 66807187, ollama fb307609 (all August 2026), the
//! Bedrock Converse API reference and the MCP schema 2025-06-18.

use super::Api;

/// The rules of one API.
pub(super) struct Table {
    pub(super) api: Api,
    /// Each must be there for a body to be recognized.
    pub(super) all: &'static [&'static str],
    /// One of these must be there, if there are any.
    pub(super) any: &'static [&'static str],
    /// None of these may be there.
    pub(super) none: &'static [&'static str],
    /// Where the body stands in what is sent: empty, or a batch's element.
    pub(super) roots: &'static [&'static str],
    /// What is kept around the roots.
    pub(super) outer: &'static [&'static str],
    /// What is kept below each root.
    pub(super) never: &'static [&'static str],
    /// Objects of the protocol: their [`PROTOCOL_KEYS`] and [`IDS`] are kept.
    pub(super) blocks: &'static [&'static str],
    /// Free-form data, where no rule holds.
    pub(super) free: &'static [&'static str],
}

/// Keys that hold names of the protocol wherever an object of the protocol has them.
pub(super) const PROTOCOL_KEYS: &str = "model|type|role|object|created|created_at|status|phase|finish_reason|stop_reason|index|signature|thoughtSignature|thought_signature|encrypted_content|encrypted_index|encrypted_stdout|fingerprint|prompt_cache_key|media_type|mime_type|mimeType|format|detail|b64_json|service_tier";

/// Keys that hold ids which the provider or the caller's program gave.
pub(super) const IDS: &str = "id|*_id|toolCallId";

/// Keys of a JSON Schema whose values people write and read; all else in a tool's schema is kept.
pub(super) const SCHEMA_PROSE: &[&str] =
    &["description", "title", "examples", "default", "$comment"];

/// Keys of a JSON Schema whose members are named by the author: there `title` is a name.
pub(super) const SCHEMA_NAMES: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependentRequired",
];

/// Keys of a JSON Schema whose values are kept whole, whatever they look like.
pub(super) const SCHEMA_VALUES: &[&str] = &["enum", "const", "required"];

/// In the order in which they are tried: the more telling first.
pub(super) const TABLES: &[Table] = &[
    MCP,
    BATCH_CHAT,
    BATCH_RESPONSES,
    ANTHROPIC_BATCH,
    GEMINI,
    ANTHROPIC,
    BEDROCK,
    OLLAMA,
    OPENAI_CHAT,
    MODERATIONS,
    EMBEDDINGS,
    OPENAI_RESPONSES,
    IMAGES,
    COMPLETIONS,
];

const CHAT_NEVER: &[&str] = &[
    "model",
    "messages[*].role",
    "messages[*].tool_call_id",
    "messages[*].tool_calls[*].id|type",
    "messages[*].tool_calls[*].function|custom.name",
    "messages[*].function_call.name",
    "messages[*].audio.id",
    "messages[*].content[?type=image_url].image_url.url^data:!",
    "messages[*].content[?type=image_url].image_url.detail",
    "messages[*].content[?type=input_audio].input_audio.data",
    "messages[*].content[?type=file].file.file_data!filename",
    "messages[*].content[?type=file].file.file_id",
    "messages[*].content[*].prompt_cache_breakpoint..",
    "messages[*].content[*].cache_control..",
    "messages[*].reasoning_details..",
    "messages[*].tool_calls[*].extra_content.google.thought_signature",
    "tools[*].type",
    "tools[*].function.name",
    "tools[*].function.parameters~",
    "tools[*].custom.name",
    "tools[*].custom.format..",
    "functions[*].name",
    "functions[*].parameters~",
    "function_call..",
    "tool_choice..",
    "response_format~",
    "logit_bias..",
    "stop[*]",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "prompt_cache_key",
    "service_tier",
    "stream_options..",
];

const CHAT_BLOCKS: &[&str] = &[
    "messages[*]",
    "messages[*].content[*]",
    "messages[*].tool_calls[*]",
];

const OPENAI_CHAT: Table = Table {
    api: Api::OpenAiChat,
    all: &["messages[*].role"],
    any: &[],
    none: &["system", "contents", "input"],
    roots: &[""],
    outer: &[],
    never: CHAT_NEVER,
    blocks: CHAT_BLOCKS,
    free: &[],
};

const RESPONSES_NEVER: &[&str] = &[
    "model",
    "previous_response_id",
    "conversation..",
    "prompt.id|version",
    "input[*].id|call_id|status|type|role|phase|name|namespace",
    "input[*].caller..",
    "input[?type=reasoning].encrypted_content",
    "input[?type=reasoning].summary|content[*].text",
    "input[?type=compaction].encrypted_content",
    "input[?type=compaction_trigger]..",
    "input[?type=item_reference]..",
    "input[?type=program]..",
    "input[?type=image_generation_call].result",
    "input[?type=computer_call_output].output.image_url|file_id",
    "input[*].content[?type=input_image].image_url|file_id",
    "input[*].content[?type=input_file].file_data!filename",
    "input[*].content[?type=input_file].file_id|file_url",
    "input[*].content[?type=output_text].annotations..",
    "input[*].content[?type=output_text].logprobs..",
    "input[?type=mcp_list_tools]~",
    "input[?type=additional_tools|tool_search_output].tools~",
    "tools[*].parameters|output_schema~",
    "tools[*].type|name|server_url|authorization",
    "tools[*].headers..",
    "text~",
    "tool_choice..",
    "include[*]",
    "truncation",
    "context_management..",
    "prompt_cache_key",
    "service_tier",
    "stream_options..",
];

const OPENAI_RESPONSES: Table = Table {
    api: Api::OpenAiResponses,
    all: &["input", "model"],
    any: &[],
    none: &["messages", "contents"],
    roots: &[""],
    outer: &[],
    never: RESPONSES_NEVER,
    blocks: &["input[*]", "input[*].content[*]"],
    free: &["input[?type=tool_search_call].arguments"],
};

const EMBEDDINGS: Table = Table {
    api: Api::OpenAiOther,
    all: &["input", "model"],
    any: &["encoding_format", "dimensions"],
    none: &["messages", "instructions"],
    roots: &[""],
    outer: &[],
    never: &["model", "encoding_format"],
    blocks: &[],
    free: &[],
};

const MODERATIONS: Table = Table {
    api: Api::OpenAiOther,
    all: &["input"],
    any: &["model^omni-moderation", "model^text-moderation"],
    none: &["messages", "instructions"],
    roots: &[""],
    outer: &[],
    never: &["model", "input[?type=image_url]..", "input[*].type"],
    blocks: &[],
    free: &[],
};

const IMAGES: Table = Table {
    api: Api::OpenAiOther,
    all: &["prompt"],
    any: &["size", "quality", "background", "mask", "image"],
    none: &["messages", "contents", "input", "max_tokens"],
    roots: &[""],
    outer: &[],
    never: &["image[*]", "mask", "b64_json", "model", "size"],
    blocks: &[],
    free: &[],
};

const COMPLETIONS: Table = Table {
    api: Api::OpenAiOther,
    all: &["prompt", "model"],
    any: &[],
    none: &["messages", "contents", "input"],
    roots: &[""],
    outer: &[],
    never: &["model", "stop[*]", "logit_bias.."],
    blocks: &[],
    free: &[],
};

/// A line of a batch file, by what its body holds.
const BATCH_CHAT: Table = Table {
    api: Api::OpenAiChat,
    all: &["custom_id", "url", "body.messages"],
    none: &["messages"],
    roots: &["body"],
    outer: BATCH_NEVER,
    ..OPENAI_CHAT
};

const BATCH_RESPONSES: Table = Table {
    api: Api::OpenAiResponses,
    all: &["custom_id", "url", "body.input"],
    none: &["messages", "input"],
    roots: &["body"],
    outer: BATCH_NEVER,
    ..OPENAI_RESPONSES
};

const BATCH_NEVER: &[&str] = &["custom_id", "method", "url"];

const ANTHROPIC_NEVER: &[&str] = &[
    "model",
    "messages[*].role",
    "messages[*].content[?type=thinking]..",
    "messages[*].content[?type=redacted_thinking]..",
    "messages[*].content[?type=image].source..",
    "messages[*].content[?type=tool_result].content[?type=image].source..",
    "messages[*].content[?type=document].source[?type=base64].data!media_type",
    "messages[*].content[?type=document].source.url|file_id|type|media_type",
    "messages[*].content[?type=tool_result].content[?type=document].source[?type=base64].data!media_type",
    "messages[*].content[?type=tool_result].content[?type=document].source.url|file_id|type|media_type",
    "**.cache_control..",
    "**.citations..",
    "messages[*].content[?type=server_tool_use]..",
    "messages[*].content[?type=web_search_tool_result].tool_use_id|type",
    "messages[*].content[?type=web_search_tool_result].content[*]..",
    "messages[*].content[?type=web_fetch_tool_result]..",
    "messages[*].content[?type=*code_execution_tool_result]..",
    "messages[*].content[?type=tool_search_tool_result]..",
    "messages[*].content[?type=container_upload].file_id",
    "messages[*].content[?type=fallback]..",
    "messages[*].content[?type=compaction].encrypted_content",
    "messages[*].content[?type=compaction][?encrypted_content].content..",
    "**.advisor_redacted_result.encrypted_content",
    "messages[*].content[*].content[?type=advisor_redacted_result].encrypted_content",
    "messages[*].content[*].content[?type=advisor_redacted_result]..",
    "system[0].text^x-anthropic-billing-header:",
    "system[*].type",
    "messages[*].content[?type=tool_use|mcp_tool_use].id|name|server_name",
    "messages[*].content[?type=tool_use].caller..",
    "messages[*].content[?type=tool_result|mcp_tool_result].tool_use_id|is_error",
    "tools[*].name|type",
    "tools[*].allowed_callers[*]",
    "tools[*].input_schema~",
    "tool_choice..",
    "stop_sequences[*]",
    "thinking..",
    "output_config~",
    "container",
    "mcp_servers[*].url|authorization_token|name|type",
    "context_management..",
    "anthropic_version",
    "anthropic_beta[*]",
    "service_tier",
];

const ANTHROPIC_BLOCKS: &[&str] = &[
    "messages[*]",
    "messages[*].content[*]",
    "messages[*].content[?type=tool_result].content[*]",
];

const ANTHROPIC_FREE: &[&str] = &[
    "messages[*].content[?type=tool_use|mcp_tool_use].input",
    "metadata",
    "tools[*].input_examples",
];

const ANTHROPIC: Table = Table {
    api: Api::Anthropic,
    all: &["messages"],
    any: &[
        "system",
        "anthropic_version",
        "stop_sequences",
        "thinking",
        "mcp_servers",
        "tools[*].input_schema",
        "max_tokens",
        "messages[*].content[?type=tool_use|tool_result|thinking|redacted_thinking|document]",
        "messages[*].content[?type=image].source",
    ],
    none: &[
        "contents",
        "input",
        "inferenceConfig",
        "max_completion_tokens",
        "response_format",
        "stream_options",
        "logit_bias",
        "stop",
        "seed",
        "options",
        "keep_alive",
        "messages[?role=tool|function|developer]",
        "messages[*].tool_calls",
        "messages[*].content[?type=image_url|input_audio|file]",
        "tools[*].function",
        "system[?text][?!type]",
    ],
    roots: &[""],
    outer: &[],
    never: ANTHROPIC_NEVER,
    blocks: ANTHROPIC_BLOCKS,
    free: ANTHROPIC_FREE,
};

const ANTHROPIC_BATCH: Table = Table {
    api: Api::Anthropic,
    all: &["requests[*].params.messages"],
    any: &[],
    none: &[],
    roots: &["requests[*].params"],
    outer: &[],
    never: ANTHROPIC_NEVER,
    blocks: ANTHROPIC_BLOCKS,
    free: ANTHROPIC_FREE,
};

const GEMINI_NEVER: &[&str] = &[
    "contents[*].parts[?thought_signature|thoughtSignature]..",
    "contents[*].parts[*].thought",
    "contents[*].parts[*].inline_data|inlineData.data!mime_type|mimeType",
    "contents[*].parts[*].inline_data|inlineData.mime_type|mimeType",
    "contents[*].parts[*].file_data|fileData.file_uri|fileUri|mime_type|mimeType",
    "contents[*].parts[*].function_call|functionCall.id|name",
    "contents[*].parts[*].function_response|functionResponse.id|name|scheduling",
    "contents[*].parts[*].function_response|functionResponse.parts[*].inline_data|inlineData..",
    "contents[*].parts[*].function_response|functionResponse.parts[*].file_data|fileData..",
    "contents[*].parts[*].tool_call|toolCall..",
    "contents[*].parts[*].tool_response|toolResponse..",
    "contents[*].role",
    "system_instruction|systemInstruction.role",
    "tools~",
    "tool_config|toolConfig..",
    "safety_settings|safetySettings..",
    "generation_config|generationConfig~",
    "cached_content|cachedContent",
    "model",
];

const GEMINI: Table = Table {
    api: Api::Gemini,
    all: &[],
    any: &[
        "contents",
        "generateContentRequest.contents",
        "generate_content_request.contents",
        "batch.input_config.requests.requests[*].request.contents",
        "requests[*].request.contents",
        "request.contents",
    ],
    none: &["messages", "jsonrpc"],
    roots: &[
        "",
        "generateContentRequest|generate_content_request",
        "batch.input_config.requests.requests[*].request",
        "requests[*].request",
        "request",
    ],
    outer: &[],
    never: GEMINI_NEVER,
    blocks: &[],
    free: &[
        "contents[*].parts[*].function_call|functionCall.args",
        "contents[*].parts[*].function_response|functionResponse.response",
    ],
};

const OLLAMA: Table = Table {
    api: Api::Ollama,
    all: &["model"],
    any: &[
        "options",
        "keep_alive",
        "think",
        "template",
        "raw",
        "context",
        "images",
        "messages[*].images",
        "messages[*].tool_name",
        "messages[*].thinking",
        "messages[*].tool_calls[*].function.arguments[?*]",
        "format",
    ],
    none: &[
        "contents",
        "max_tokens",
        "max_completion_tokens",
        "instructions",
        "input[*].role",
        "input[*].type",
        "response_format",
    ],
    roots: &[""],
    outer: &[],
    never: &[
        "model",
        "messages[*].role|tool_name|tool_call_id",
        "messages[*].images[*]",
        "messages[*].tool_calls[*].id",
        "messages[*].tool_calls[*].function.name|index",
        "tools~",
        "format~",
        "options..",
        "keep_alive",
        "think",
        "context[*]",
        "images[*]",
        "template",
    ],
    blocks: &[],
    free: &["messages[*].tool_calls[*].function.arguments"],
};

const BEDROCK: Table = Table {
    api: Api::Bedrock,
    all: &["messages[*].content[?!type]"],
    any: &[],
    none: &[
        "model",
        "contents",
        "anthropic_version",
        "max_tokens",
        "input",
    ],
    roots: &[""],
    outer: &[],
    never: &[
        "messages[*].role",
        "messages[*].content[*].reasoningContent..",
        "messages[*].content[*].document.source.bytes!^format",
        "messages[*].content[*].toolResult.content[*].document.source.bytes!^format",
        "**.bytes",
        "**.s3Location..",
        "messages[*].content[*].image|document|video.format",
        "messages[*].content[*].toolResult.content[*].image|document|video.format",
        "messages[*].content[*].toolUse.toolUseId|name",
        "messages[*].content[*].toolResult.toolUseId|status",
        "toolConfig~",
        "**.cachePoint..",
    ],
    blocks: &[],
    free: &[
        "messages[*].content[*].toolUse.input",
        "messages[*].content[*].toolResult.content[*].json",
    ],
};

const MCP: Table = Table {
    api: Api::Mcp,
    all: &["jsonrpc"],
    any: &[],
    none: &[],
    roots: &[""],
    outer: &[],
    never: &[
        "jsonrpc",
        "id",
        "method",
        "params.name",
        "params._meta..",
        "result._meta..",
        "result.content[*].data!mimeType",
        "result.content[*].type|mimeType|uri",
        "**.blob!mimeType",
        "result.tools~",
        "result.nextCursor",
        "params|result.protocolVersion",
        "params|result.capabilities..",
    ],
    blocks: &[],
    free: &["result.structuredContent", "params.arguments"],
};
