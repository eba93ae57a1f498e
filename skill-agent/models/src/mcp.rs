//! Formats the result of a call for a client of the Model Context Protocol.
//!
//! | part | JSON |
//! | --- | --- |
//! | output | a block of text in `content`, and `structuredContent` if it is JSON |
//! | error | a block of text, and `isError` |
//!
//! [`Provider::MCP`](super::Provider::MCP) lists an `outputSchema` for each action with an output. For such a tool, a client
//! rejects a result without `structuredContent`. Before 2026-07-28, MCP allowed only objects as outputs. For a client with an
//! earlier version of MCP, send neither `outputSchema` nor `structuredContent` unless the output is an object.

use skill_core::serde_json::json;

use super::completion::ToolResult;
use crate::completion::raw::Raw;

/// Formats a call's result as JSON text: the `result` of the response to `tools/call`.
///
/// ```
/// use skill_agent::models::{ToolCall, mcp};
///
/// let call = ToolCall::new("weather", r#"{"town":"Bonn"}"#);
/// assert_eq!(
///     mcp::result(&call.result(Ok::<_, String>(r#"{"degrees":21.50}"#.to_owned()))),
///     r#"{"content":[{"text":"{\"degrees\":21.50}","type":"text"}],"structuredContent":{"degrees":21.50}}"#,
/// );
/// assert_eq!(
///     mcp::result(&call.result(Err("there is no such town"))),
///     r#"{"content":[{"text":"there is no such town","type":"text"}],"isError":true}"#,
/// );
/// ```
#[must_use]
pub fn result(result: &ToolResult) -> String {
    let content = |text: &str| json!([{ "text": text, "type": "text" }]);
    if result.is_error {
        return format!(
            r#"{{"content":{},"isError":true}}"#,
            content(result.error())
        );
    }
    let text = &result.content;
    let content = content(text);
    // use the original text, because a `Value` does not keep all digits
    match Raw::parse(text) {
        Ok(raw) => format!(
            r#"{{"content":{content},"structuredContent":{}}}"#,
            raw.text()
        ),
        Err(_) => format!(r#"{{"content":{content}}}"#),
    }
}
