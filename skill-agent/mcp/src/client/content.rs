//! Content of MCP as output of a tool.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use skill_agent_toolbox::{OutputPart, SourceError, ToolOutput};

/// Converts the result of a call.
pub(super) fn output(result: CallToolResult) -> Result<ToolOutput, SourceError> {
    let mut parts: Vec<OutputPart> = result.content.into_iter().map(part).collect();
    if parts.is_empty()
        && let Some(structured) = result.structured_content
    {
        parts.push(structured.to_string().into());
    }
    let output = ToolOutput::new(parts);
    if result.is_error == Some(true) {
        return Err(SourceError::failed(output.text()));
    }
    Ok(output)
}

fn part(block: ContentBlock) -> OutputPart {
    match block {
        ContentBlock::Text(text) => text.text.into(),
        ContentBlock::Image(image) => OutputPart::Image {
            media_type: image.mime_type,
            data: image.data,
        },
        ContentBlock::Audio(audio) => OutputPart::File {
            name: None,
            media_type: audio.mime_type,
            data: audio.data,
        },
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.into(),
            ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => OutputPart::File {
                name: uri.rsplit('/').next().map(str::to_owned),
                media_type: mime_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
                data: blob,
            },
            other => format!("{other:?}").into(),
        },
        ContentBlock::ResourceLink(link) => OutputPart::Link {
            uri: link.uri,
            name: link.name,
            description: link.description,
            media_type: link.mime_type,
        },
        other => format!("{other:?}").into(),
    }
}
