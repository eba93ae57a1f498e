//! Results of calls as content of MCP.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::{
    AudioContent, CallToolResult, ContentBlock, EmbeddedResource, Resource, ResourceContents,
};
use serde_json::Value;
use skill_agent_toolbox::{OutputPart, ToolError, ToolOutput};
use skill_core::process::MAX_TEXT;

/// Converts the output of a tool that has run. With an output schema, the text is the structured content too.
pub(super) fn success(output: ToolOutput, has_schema: bool) -> CallToolResult {
    let text = output.text();
    let text_len = text.len();
    if text_len > MAX_TEXT {
        return error(format!(
            "the tool has run, but its result has {text_len} bytes, and at most {MAX_TEXT} are returned; ask for less"
        ));
    }
    let structured = if has_schema {
        let Ok(structured) = serde_json::from_str::<Value>(&text) else {
            // a client refuses a result without the structure that the schema promises
            return error(format!(
                "the tool has run, but its output is not the JSON of its schema: {text}"
            ));
        };
        Some(structured)
    } else {
        None
    };
    let parts = output.into_parts().into_iter();
    let mut result = CallToolResult::success(parts.map(block).collect());
    result.structured_content = structured;
    result
}

/// Creates a result that says to the model what went wrong.
pub(super) fn error(message: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

/// Converts the error of a call into a result that the model can read.
pub(super) fn failure(tool_error: &ToolError) -> CallToolResult {
    error(tool_error.to_string())
}

fn block(part: OutputPart) -> ContentBlock {
    match part {
        OutputPart::Text { text } => ContentBlock::text(text),
        OutputPart::Image { media_type, data } => ContentBlock::image(data, media_type),
        OutputPart::File {
            media_type, data, ..
        } if media_type.starts_with("audio/") => {
            ContentBlock::Audio(AudioContent::new(data, media_type))
        }
        OutputPart::File {
            name,
            media_type,
            data,
        } => {
            let name = name.as_deref().unwrap_or("file");
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
            // not `file:`, which would be a path on the client's disk
            let uri = format!(
                "attachment:///{}",
                utf8_percent_encode(name, NON_ALPHANUMERIC)
            );
            let contents = ResourceContents::blob(data, uri).with_mime_type(media_type);
            ContentBlock::Resource(EmbeddedResource::new(contents))
        }
        OutputPart::Link {
            uri,
            name,
            description,
            media_type,
        } => {
            let mut link = Resource::new(uri, name);
            link.description = description;
            link.mime_type = media_type;
            ContentBlock::ResourceLink(link)
        }
        other => ContentBlock::text(other.text().unwrap_or_default()),
    }
}
