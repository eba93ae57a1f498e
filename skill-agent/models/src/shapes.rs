//! The shapes of the known providers.

use super::{Shape, ToolNames};

const CHAT: Shape = Shape::PLAIN
    .with_kind(Some("function"))
    .with_wrapper(Some("function"))
    .with_tool_names(ToolNames::Words)
    .with_most_tools(Some(128));
const RESPONSES: Shape = Shape::PLAIN
    .with_kind(Some("function"))
    .with_tool_names(ToolNames::Words);
const MESSAGES: Shape = Shape::PLAIN
    .with_schema("input_schema")
    .with_tool_names(ToolNames::Words);
const DECLARATIONS: Shape = Shape::PLAIN.with_tool_names(ToolNames::Identifiers);

/// OpenAI's Chat Completions API.
pub static OPENAI_CHAT: Shape = CHAT;

/// Servers with OpenAI's Chat Completions API.
pub static OPENAI_COMPATIBLE: Shape = CHAT.with_tool_names(ToolNames::Any).with_most_tools(None);

/// OpenAI's Chat Completions API with `strict: true`.
pub static OPENAI_CHAT_STRICT: Shape = CHAT.with_strict(Some(true)).with_parallel_calls(false);

/// OpenAI's Responses API, which assumes `strict: true` if the key is absent.
pub static OPENAI_RESPONSES: Shape = RESPONSES.with_strict(Some(false));

/// OpenAI's Responses API with `strict: true`.
pub static OPENAI_RESPONSES_STRICT: Shape =
    RESPONSES.with_strict(Some(true)).with_parallel_calls(false);

/// Anthropic's Messages API.
pub static ANTHROPIC: Shape = MESSAGES;

/// Anthropic's Messages API with `strict: true`.
pub static ANTHROPIC_STRICT: Shape = MESSAGES.with_strict(Some(true));

/// Gemini's function declarations with `parametersJsonSchema`.
pub static GEMINI: Shape = DECLARATIONS.with_schema("parametersJsonSchema");

/// Gemini's function declarations with `parameters`, which is omitted for functions without arguments.
pub static GEMINI_LEGACY: Shape = DECLARATIONS.with_omits_empty(true);

/// MCP's `tools/list` since 2026-07-28. Earlier versions allow only objects as outputs, so leave out other output schemas for them.
pub static MCP: Shape = Shape::PLAIN
    .with_schema("inputSchema")
    .with_annotations(true);
