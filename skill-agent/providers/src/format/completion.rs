//! Converts whole completions to the events of a model.

use super::bounded;
use skill_agent_chat::{CallPart, KeptItem, MessagePart, ModelEvent, OpaquePart, TextPart, Usage};
use skill_agent_models::{CompletionError, Content, Finish};

/// Returns the events of a whole completion, without its pieces.
pub(crate) fn events(
    parts: Vec<MessagePart>,
    usage: Option<Usage>,
    finish: Finish,
) -> Vec<ModelEvent> {
    let parts = parts.into_iter().map(ModelEvent::Part);
    let usage = usage.map(ModelEvent::Usage);
    parts
        .chain(usage)
        .chain([ModelEvent::Finish(finish)])
        .collect()
}

/// Returns the events unchanged, or an error if a history cannot contain the completion: it has too many parts, or a call without
/// a name.
pub(crate) fn checked(events: Vec<ModelEvent>) -> Result<Vec<ModelEvent>, CompletionError> {
    let parts = events.iter().filter_map(|event| match event {
        ModelEvent::Part(part) => Some(part),
        _ => None,
    });
    bounded(parts.clone().count(), "")?;
    let is_nameless =
        |part: &MessagePart| matches!(part, MessagePart::Call(call) if call.call.name.is_empty());
    if !parts.clone().any(is_nameless) {
        return Ok(events);
    }
    Err(CompletionError::Malformed {
        path: String::new(),
        expected: "calls with names",
        found: "one without",
    })
}

/// Returns a whole part as one piece to show, or `None` if the part shows nothing. `calls` counts the calls so far.
pub(crate) fn piece(part: &MessagePart, calls: &mut usize) -> Option<ModelEvent> {
    match part {
        MessagePart::Text(text) => Some(ModelEvent::Text(text.text.clone())),
        MessagePart::Reasoning(text) if text.text.is_empty() => None,
        MessagePart::Reasoning(text) => Some(ModelEvent::Reasoning(text.text.clone())),
        MessagePart::Call(call) => {
            *calls += 1;
            Some(ModelEvent::CallDelta {
                index: *calls - 1,
                name: Some(call.call.name.clone()),
                arguments: call.call.arguments.clone(),
            })
        }
        _ => None,
    }
}

/// Converts the content of a part, with the item to keep. Returns `None` for content that only its provider can read if there is
/// no item.
pub(crate) fn message_part(content: Content, item: Option<KeptItem>) -> Option<MessagePart> {
    let text = |text, item| {
        let mut part = TextPart::new(text);
        part.item = item;
        part
    };
    Some(match content {
        Content::Text(said) | Content::Refusal(said) => text(said, item).into(),
        Content::Reasoning(said) => MessagePart::Reasoning(text(said, item)),
        Content::Call(call) => {
            let mut part = CallPart::new(call);
            part.item = item;
            part.into()
        }
        _ => OpaquePart::new(item?).into(),
    })
}
