//! Tools in the form of the Model Context Protocol (MCP).

use skill_core::Tool;
use skill_core::serde_json::{Map, Value, json};

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
///     mcp_tool(&tool.as_tool()),
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
pub fn mcp_tool(tool: &Tool<'_>) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), tool.name.into());
    if let Some(title) = tool.title {
        object.insert("title".to_owned(), title.into());
    }
    object.insert("description".to_owned(), tool.description.into());
    object.insert("inputSchema".to_owned(), tool.input_schema().clone());
    if let Some(schema) = tool.output_schema()
        && schema["type"] == "object"
    {
        object.insert("outputSchema".to_owned(), schema.clone());
    }
    let annotations = json!({
        "readOnlyHint": tool.hints.read_only,
        "destructiveHint": tool.hints.destructive,
        "idempotentHint": tool.hints.idempotent,
        "openWorldHint": tool.hints.open_world,
    });
    object.insert("annotations".to_owned(), annotations);
    Value::Object(object)
}
