//! Tools in the form of the Model Context Protocol (MCP).

use skill_core::serde::Serialize;
use skill_core::serde_json::Value;
use skill_core::{Hints, Tool};

/// Returns a tool in the form of MCP's `tools/list`: `name`, `title`, `description`, `inputSchema`, `outputSchema` and
/// `annotations`.
///
/// All four hints are written, because MCP assumes `destructiveHint` and `openWorldHint` to be true when they are absent.
/// `outputSchema` is left out for a tool whose output is not an object, because MCP allows the schema of an object only.
///
/// ```
/// use skill_agent::models::mcp_tool;
/// use skill_agent::{Hints, ToolBuf};
/// use serde_json::json;
///
/// let mut tool = ToolBuf::new("search", "Search the web.", json!({ "type": "object" }));
/// tool.hints = Hints::NONE.read_only();
/// assert_eq!(
///     serde_json::to_value(mcp_tool(&tool.as_tool())).unwrap(),
///     json!({
///         "name": "search",
///         "description": "Search the web.",
///         "inputSchema": { "type": "object" },
///         "annotations": {
///             "readOnlyHint": true,
///             "destructiveHint": false,
///             "idempotentHint": false,
///             "openWorldHint": false,
///         },
///     })
/// );
/// ```
#[must_use]
pub fn mcp_tool<'a>(tool: &Tool<'a>) -> McpTool<'a> {
    McpTool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema(),
        output_schema: tool
            .output_schema()
            .filter(|schema| schema["type"] == "object"),
        annotations: McpAnnotations::from(tool.hints),
    }
}

/// A tool that serializes as in MCP's `tools/list`; created by [`mcp_tool`].
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase", crate = "skill_core::serde")]
pub struct McpTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a Value>,
    annotations: McpAnnotations,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase", crate = "skill_core::serde")]
struct McpAnnotations {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

impl From<Hints> for McpAnnotations {
    fn from(hints: Hints) -> Self {
        Self {
            read_only_hint: hints.read_only,
            destructive_hint: hints.destructive,
            idempotent_hint: hints.idempotent,
            open_world_hint: hints.open_world,
        }
    }
}
