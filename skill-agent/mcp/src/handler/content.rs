//! Results of calls as content of MCP.

use rmcp::model::{CallToolResult, ContentBlock, EmbeddedResource, ResourceContents};
use serde_json::Value;
use skill_agent_toolbox::{OutputPart, ToolError, ToolOutput};
use skill_core::process::MAX_TEXT;

/// Converts the output of a tool that has run. The text of a tool with an output schema is its structured content too.
pub(super) fn success(output: ToolOutput, has_schema: bool) -> CallToolResult {
    let text_len: usize = output
        .parts()
        .iter()
        .filter_map(OutputPart::text)
        .map(str::len)
        .sum();
    if text_len > MAX_TEXT {
        return error(format!(
            "the tool has run, but its result has {text_len} bytes, and at most {MAX_TEXT} are returned; ask for less"
        ));
    }
    let structured = has_schema.then(|| serde_json::from_str::<Value>(&output.text()).ok());
    let parts = output.into_parts().into_iter();
    let mut result = CallToolResult::success(parts.map(block).collect());
    result.structured_content = structured.flatten();
    result
}

/// Creates a result that says to the model what went wrong.
pub(super) fn error(message: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

/// Converts the error of a call. Errors of a model are results that it can read; `Err` is a request that no tool belongs to.
pub(super) fn failure(tool_error: &ToolError) -> CallToolResult {
    error(tool_error.to_string())
}

fn block(part: OutputPart) -> ContentBlock {
    match part {
        OutputPart::Text { text } => ContentBlock::text(text),
        OutputPart::Image { media_type, data } => ContentBlock::image(data, media_type),
        OutputPart::File {
            name,
            media_type,
            data,
        } => {
            let uri = format!("file:///{}", name.as_deref().unwrap_or("file"));
            let contents = ResourceContents::blob(data, uri).with_mime_type(media_type);
            ContentBlock::Resource(EmbeddedResource::new(contents))
        }
        other => ContentBlock::text(format!("{other:?}")),
    }
}
