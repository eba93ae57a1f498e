//! Replaces matches in messages.

use super::Redact;
use crate::{KeptItem, Message, MessagePart, TextPart};
use serde_json::Value;
use skill_agent_toolbox::{OutputPart, ToolError, ToolOutput};

/// Returns the messages with all matches replaced, or `None` if no message has a match.
pub(super) fn redacted_messages(redact: &Redact, messages: &[Message]) -> Option<Vec<Message>> {
    let mut changed: Option<Vec<Message>> = None;
    for (index, message) in messages.iter().enumerate() {
        if message.parts.iter().any(|part| is_in(redact, part)) {
            let changed = changed.get_or_insert_with(|| messages.to_vec());
            let message = &mut changed[index];
            message.parts.retain(|part| !is_opaque_match(redact, part));
            for part in &mut message.parts {
                redact_part(redact, part);
            }
        }
    }
    changed
}

/// Returns whether a part has a match.
fn is_in(redact: &Redact, part: &MessagePart) -> bool {
    let item_is =
        |item: &Option<KeptItem>| item.as_ref().is_some_and(|item| redact.is_in(&item.json));
    match part {
        MessagePart::Text(part) | MessagePart::Reasoning(part) => {
            redact.is_in(&part.text) || item_is(&part.item)
        }
        MessagePart::Call(part) => redact.is_in(&part.call.arguments) || item_is(&part.item),
        MessagePart::Result(part) => match &part.result {
            Ok(output) => output
                .parts()
                .iter()
                .filter_map(OutputPart::text)
                .any(|text| redact.is_in(&text)),
            Err(error) => redact.is_in(&error.to_string()),
        },
        MessagePart::Opaque(part) => redact.is_in(&part.item.json),
        MessagePart::Context(part) => redact.is_in(&part.text),
        MessagePart::Image(_) | MessagePart::File(_) => false,
    }
}

/// Returns whether the part is opaque and has a match.
fn is_opaque_match(redact: &Redact, part: &MessagePart) -> bool {
    matches!(part, MessagePart::Opaque(_)) && is_in(redact, part)
}

fn redact_part(redact: &Redact, part: &mut MessagePart) {
    match part {
        MessagePart::Text(TextPart { text, item })
        | MessagePart::Reasoning(TextPart { text, item }) => {
            // the provider's item repeats the text, and may contain more
            item.take_if(|item| redact.is_in(text) || redact.is_in(&item.json));
            redact.redact(text);
        }
        MessagePart::Call(part) => {
            let arguments = &mut part.call.arguments;
            part.item
                .take_if(|item| redact.is_in(arguments) || redact.is_in(&item.json));
            redact.redact(arguments);
        }
        MessagePart::Result(part) => redact_output(redact, &part.name, &mut part.result),
        MessagePart::Context(part) => redact.redact(&mut part.text),
        MessagePart::Image(_) | MessagePart::File(_) | MessagePart::Opaque(_) => {}
    }
}

/// Replaces matches in a call's result.
pub(super) fn redact_output(
    redact: &Redact,
    tool: &str,
    result: &mut Result<ToolOutput, ToolError>,
) {
    match result {
        Ok(output) => {
            let mut texts = output.parts().iter().filter_map(OutputPart::text);
            if texts.any(|text| redact.is_in(&text)) {
                let mut parts = std::mem::take(output).into_parts();
                for part in &mut parts {
                    let text = part.text();
                    let redacted = text.filter(|text| redact.is_in(text));
                    if let Some(text) = redacted.map(|text| redact.text(&text).into_owned()) {
                        *part = text.into();
                    }
                }
                *output = ToolOutput::new(parts);
            }
        }
        // an approval request is sealed, so it must not change
        Err(ToolError::Pending(_)) => {}
        // only the history needs the state
        Err(ToolError::PendingInside(pending)) => pending.state = Value::Null,
        Err(error) => {
            let text = error.to_string();
            if redact.is_in(&text) {
                let text = redact.text(&text).into_owned();
                *error = ToolError::failed(tool, text, error.applied());
            }
        }
    }
}
