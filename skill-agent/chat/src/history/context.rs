//! The active documents of a conversation, from the parts of its messages.

use super::turns;
use crate::{CallPart, ContextOrigin, ContextPart, Message};
use serde_json::Value;
use skill_agent_documents::__private::{SKILL_TOOL, attribute, full_text_element as element};
use skill_agent_documents::selection::{ActivationPeriod, Activations, SelectionPolicy};
use skill_agent_toolbox::{ToolError, ToolOutput};

/// Returns the documents that are active at the end of a history.
pub(crate) fn activations(history: &[Message]) -> Activations {
    let mut activations = Activations::default();
    let mut turns = turns(history).into_iter().peekable();
    for (index, message) in history.iter().enumerate() {
        if turns.next_if_eq(&index).is_some() {
            activations.start_turn();
        }
        for part in message.contexts() {
            apply(part, &mut activations);
        }
    }
    activations
}

/// Applies a part to the documents that are active before it.
pub(crate) fn apply(part: &ContextPart, activations: &mut Activations) {
    for id in &part.ended {
        activations.deactivate(id);
    }
    let period = part
        .turns
        .map_or(ActivationPeriod::Conversation, ActivationPeriod::Turns);
    let policy = SelectionPolicy::LAZY_TOOL.period(period);
    for id in &part.loaded {
        // this policy allows several active documents
        let _ = activations.activate(id, &policy);
    }
}

/// Returns the number of turns of a period, or `None` for the whole conversation.
pub(crate) fn turns_of(policy: &SelectionPolicy) -> Option<u32> {
    match policy.period {
        ActivationPeriod::Conversation => None,
        ActivationPeriod::Turns(turns) => Some(turns.max(1)),
    }
}

/// Returns the part for the documents that calls have loaded since the end of the history.
pub(crate) fn of_calls(
    history: &[Message],
    now: &Activations,
    policy: &SelectionPolicy,
) -> Option<ContextPart> {
    let before = activations(history);
    let in_this_turn =
        |list: &Activations, id: &str| list.is_active(id) && list.turns_since_use(id) == Some(0);
    let loaded = now
        .active()
        .filter(|id| in_this_turn(now, id) && !in_this_turn(&before, id));
    let loaded: Vec<_> = loaded.map(str::to_owned).collect();
    (!loaded.is_empty()).then(|| ContextPart {
        loaded,
        turns: turns_of(policy),
        ..ContextPart::new(ContextOrigin::Model)
    })
}

/// Returns parts for activations that an earlier version kept beside the history.
pub(crate) fn of_stored(history: &[Message], stored: &Activations) -> Vec<ContextPart> {
    let now = activations(history);
    let mut stored = stored.clone();
    // this version keeps nothing beside the history, which may have gone on
    while !history.is_empty() && stored.turns() < now.turns() {
        stored.start_turn();
    }
    let parts = || history.iter().flat_map(Message::contexts);
    let is_known = |id: &str| {
        let mut ids = parts().flat_map(|part| part.loaded.iter().chain(&part.ended));
        ids.any(|known| known == id)
    };
    let part = |id: &str| ContextPart {
        loaded: vec![id.to_owned()],
        turns: stored.turns_left(id),
        ..ContextPart::new(ContextOrigin::Stored)
    };
    let lost = stored.active().filter(|id| !is_known(id));
    lost.map(part).collect()
}

/// Returns parts with the texts of the documents that were loaded in the replaced messages and are still active, for the message
/// behind them.
pub(crate) fn carried(replaced: &[Message], active: &Activations) -> Vec<ContextPart> {
    let mut carried: Vec<ContextPart> = Vec::new();
    for part in replaced.iter().flat_map(Message::contexts) {
        let ids = part.loaded.iter().filter(|id| active.is_active(id));
        let ids: Vec<_> = ids.cloned().collect();
        let text = match part.text.as_str() {
            "" => ids
                .iter()
                .filter_map(|id| last_text(replaced, id))
                .collect::<Vec<_>>()
                .join("\n\n"),
            text => text.to_owned(),
        };
        if ids.is_empty() || text.is_empty() {
            continue;
        }
        // the last text of a document holds
        carried.retain(|earlier| !earlier.loaded.iter().all(|id| ids.contains(id)));
        carried.push(ContextPart {
            text,
            loaded: ids,
            ..part.clone()
        });
    }
    carried
}

/// Returns a call's result as the model gets it. If the call loads an active document, and the model still reads the document's
/// text, the result does not repeat the text.
pub(crate) fn of_load(
    history: &[Message],
    call: &CallPart,
    result: Result<ToolOutput, ToolError>,
) -> Result<ToolOutput, ToolError> {
    let loaded = result.as_ref().ok().map(|output| output.text());
    match loaded.and_then(|text| again(history, call, &text)) {
        Some(note) => Ok(note.into()),
        None => result,
    }
}

fn again(history: &[Message], call: &CallPart, text: &str) -> Option<String> {
    if call.call.name != SKILL_TOOL {
        return None;
    }
    let active = activations(history);
    let mut active = active.active();
    let id = active.find(|id| is_load(call, id))?;
    let read = last_text(history, id)?;
    (read == text || read == element(id, text)).then(|| already_active(id))
}

fn already_active(id: &str) -> String {
    format!(
        "The skill `{id}` is already active. An earlier message has its text, which has not changed."
    )
}

/// Returns whether a call loads a document.
fn is_load(call: &CallPart, id: &str) -> bool {
    let arguments: Value = serde_json::from_str(&call.call.arguments).unwrap_or_default();
    // the tool accepts ids as it lists them, and plain ones
    let loaded = arguments["skill_name"].as_str();
    let is_id = |loaded: &str| loaded == id || loaded == attribute(id);
    call.call.name == SKILL_TOOL && loaded.is_some_and(is_id)
}

/// Returns the last text of a document that the model has read, from its call or from a part of a message.
fn last_text(messages: &[Message], id: &str) -> Option<String> {
    let (mut last, mut loads) = (None, Vec::new());
    for message in messages {
        loads.extend(
            message
                .calls()
                .filter(|call| is_load(call, id))
                .map(|call| &call.id),
        );
        let results = message
            .results()
            .filter(|part| loads.contains(&&part.id) && !part.is_error());
        let results = results.map(|part| part.text().into_owned());
        let parts = message.contexts().filter(|part| part.loaded == [id]);
        let texts = results.chain(parts.map(|part| part.text.clone()));
        last = texts
            .filter(|text| !text.is_empty() && *text != already_active(id))
            .last()
            .or(last);
    }
    last
}
