//! The format of Gemini's `generateContent`.
//!
//! | part | JSON |
//! | --- | --- |
//! | call | a part with `functionCall`, arguments as an object; it may have no id |
//! | result | a part with `functionResponse`, with the key `output` or `error`; all results of a completion are in one content |
//! | reasoning | a part with `thought`, and `thoughtSignature` in any part |

use skill_core::serde_json::{Value, from_str, json};

use super::completion::{Completion, CompletionError, Content, Finish, Part, ToolCall, ToolResult};
use crate::completion::place::Place;
use crate::completion::raw::Kind;

/// Parses a response. If it has several candidates, only the first is used.
///
/// # Errors
///
/// Returns an error if `text` is not a response. See [`CompletionError`].
pub fn read(text: &str) -> Result<Completion, CompletionError> {
    let whole = Place::completion(text)?;
    let feedback = whole.get("promptFeedback");
    if feedback.is_some_and(|feedback| feedback.get("blockReason").is_some()) {
        return Ok(Completion::new(Vec::new(), Finish::Refused, Vec::new()));
    }
    let candidates = whole.need("candidates", "a list")?;
    let Some(candidate) = candidates.items()?.next() else {
        return Err(candidates.malformed("a list with a candidate"));
    };
    let content = candidate.get("content");
    let listed = content.as_ref().and_then(|content| content.get("parts"));
    let mut parts = Vec::new();
    if let Some(listed) = &listed {
        for item in listed.items()? {
            parts.push(part(&item)?);
        }
    }
    let finish = finish(&candidate.text_or_empty("finishReason")?);
    let message =
        |listed: Place<'_>| format!(r#"{{"role":"model","parts":{}}}"#, listed.value.text());
    let messages = listed.filter(|_| !parts.is_empty()).map(message);
    Ok(Completion::new(
        parts,
        finish,
        messages.into_iter().collect(),
    ))
}

/// Parses the finish reason.
pub(crate) fn finish(reason: &str) -> Finish {
    match reason {
        "STOP" => Finish::Answered,
        "MAX_TOKENS" => Finish::Truncated,
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
        | "IMAGE_SAFETY" => Finish::Refused,
        other => Finish::Other(other.to_owned()),
    }
}

fn part(item: &Place<'_>) -> Result<Part, CompletionError> {
    let is_thought = item
        .get("thought")
        .is_some_and(|thought| thought.value.text() == "true");
    let content = if let Some(call) = item.get("functionCall") {
        let call = call.object()?;
        let mut read = ToolCall::new(call.text("name")?, call.arguments("args")?);
        read.id = call.get("id").map(|id| id.string()).transpose()?;
        Content::Call(read)
    } else if is_thought {
        Content::Reasoning(item.text_or_empty("text")?)
    } else if item.get("text").is_some() {
        Content::Text(item.text("text")?)
    } else if item.value.kind() == Kind::Object {
        Content::Other
    } else {
        return Err(item.malformed("an object"));
    };
    Ok(Part::new(content, item.value.text()))
}

/// Formats the results of calls as a content to append to the conversation. Returns no content if there are no results.
#[must_use]
pub fn results(results: &[ToolResult]) -> Vec<String> {
    let parts: Vec<String> = results.iter().map(response).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    vec![format!(
        r#"{{"role":"user","parts":[{}]}}"#,
        parts.join(",")
    )]
}

fn response(result: &ToolResult) -> String {
    let id = result.id.as_ref();
    let id = id.map_or_else(String::new, |id| format!(r#""id":{},"#, json!(id)));
    let (name, content) = (json!(result.name), result.content.trim_ascii());
    let response = if result.is_error {
        json!({ "error": result.error() }).to_string()
    } else if from_str::<Value>(content).is_ok() {
        // use the original text, because a `Value` does not keep all digits
        format!(r#"{{"output":{content}}}"#)
    } else {
        json!({ "output": result.content }).to_string()
    };
    format!(r#"{{"functionResponse":{{{id}"name":{name},"response":{response}}}}}"#)
}
