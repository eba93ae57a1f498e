//! The format of Anthropic's Messages API.
//!
//! | part | JSON |
//! | --- | --- |
//! | call | a block `tool_use`, arguments as an object |
//! | result | a block `tool_result`; all results of a completion are in one message |
//! | reasoning | a block `thinking` or `redacted_thinking` |

use skill_core::serde_json::json;

use super::completion::{Completion, CompletionError, Content, Finish, Part, ToolCall, ToolResult};
use crate::completion::place::Place;
use crate::completion::raw::Kind;

/// Parses a message.
///
/// # Errors
///
/// Returns an error if `text` is not a message. See [`CompletionError`].
pub fn read(text: &str) -> Result<Completion, CompletionError> {
    let whole = Place::completion(text)?;
    let reason = whole.text_or_empty("stop_reason")?;
    let mut parts = Vec::new();
    let content = whole.get("content");
    match &content {
        Some(content) if content.value.kind() == Kind::String => {
            let text = Content::Text(content.string()?);
            parts.push(Part::new(text, content.value.text()));
        }
        Some(content) => {
            for block in content.items()? {
                parts.push(part(&block)?);
            }
        }
        // servers omit the content if a limit or a filter stopped the model
        None if !reason.is_empty() => {}
        None => return Err(whole.missing("content", "a list of blocks")),
    }
    // only a message from a stored conversation has no stop reason
    let finish = if reason.is_empty() {
        Finish::Answered
    } else {
        finish(&reason)
    };
    let messages = content.and_then(|content| message(&content, &parts));
    Ok(Completion::new(
        parts,
        finish,
        messages.into_iter().collect(),
    ))
}

/// Returns the message with its content as written, but without empty strings, because Anthropic writes them but rejects them in
/// requests. Returns `None` for a message without content or with only reasoning, because Anthropic rejects those too.
/// Parses the stop reason.
pub(crate) fn finish(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" => Finish::Answered,
        "max_tokens" | "model_context_window_exceeded" => Finish::Truncated,
        "refusal" => Finish::Refused,
        "pause_turn" => Finish::Paused,
        other => Finish::Other(other.to_owned()),
    }
}

fn message(content: &Place<'_>, parts: &[Part]) -> Option<String> {
    let is_empty =
        |part: &&Part| matches!(&part.content, Content::Text(text) if text.trim().is_empty());
    let empty = parts.iter().filter(is_empty).count();
    let is_reasoning = |part: &&Part| matches!(part.content, Content::Reasoning(_));
    if empty + parts.iter().filter(is_reasoning).count() == parts.len() {
        return None;
    }
    let content = if empty == 0 {
        content.value.text().to_owned()
    } else {
        let kept = parts.iter().filter(|part| !is_empty(part));
        let kept: Vec<&str> = kept.map(|part| part.json.as_str()).collect();
        format!("[{}]", kept.join(","))
    };
    Some(format!(r#"{{"role":"assistant","content":{content}}}"#))
}

fn part(block: &Place<'_>) -> Result<Part, CompletionError> {
    let content = match block.text("type")?.as_str() {
        "text" => Content::Text(block.text("text")?),
        "thinking" => Content::Reasoning(block.text("thinking")?),
        "redacted_thinking" => Content::Reasoning(String::new()),
        "tool_use" => {
            let id = block.text("id")?;
            let call = ToolCall::new(block.text("name")?, block.arguments("input")?);
            Content::Call(call.with_id(id))
        }
        _ => Content::Other,
    };
    Ok(Part::new(content, block.value.text()))
}

/// Formats the results of calls as a message to append to the conversation. Returns no message if there are no results.
#[must_use]
pub fn results(results: &[ToolResult]) -> Vec<String> {
    let block = |(index, result): (usize, &ToolResult)| {
        let id = result.id_or_default(index);
        let mut block = json!({ "type": "tool_result", "tool_use_id": id });
        if result.is_error {
            block["content"] = result.error().into();
            block["is_error"] = true.into();
        } else {
            block["content"] = result.content.as_str().into();
        }
        block
    };
    let blocks: Vec<_> = results.iter().enumerate().map(block).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    vec![json!({ "role": "user", "content": blocks }).to_string()]
}
