//! The active documents of a conversation, from the parts of its messages.

use crate::message::escaped;
use crate::{CallPart, ContextOrigin, ContextPart, Message};
use serde_json::Value;
use skill_agent_documents::__private::{SKILL_TOOL, attribute, full_text_element as element};
use skill_agent_documents::selection::{ActivationPeriod, Activations, SelectionPolicy};
use skill_agent_toolbox::{ToolError, ToolOutput};
use skill_core::process::SKILL_NAME;

/// Returns the documents that are active at the end of a history.
pub(crate) fn activations(history: &[Message]) -> Activations {
    let mut activations = Activations::default();
    continue_with(&mut activations, history);
    activations
}

fn continue_with(activations: &mut Activations, history: &[Message]) {
    for message in history {
        if message.is_of_user() && !message.is_steered {
            activations.start_turn();
        }
        for part in message.contexts() {
            apply(part, activations);
        }
    }
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

/// Returns the part for the documents that the calls of the last step have loaded.
pub(crate) fn of_calls(
    history: &[Message],
    now: &Activations,
    policy: &SelectionPolicy,
) -> Option<ContextPart> {
    let [.., calls, results] = history else {
        return None;
    };
    let noted = results.contexts().flat_map(|part| &part.loaded);
    let noted: Vec<_> = noted.collect();
    let is_loaded = |id: &str| {
        let mut results = results.results().filter(|part| !part.is_error());
        let is_of = |call: &CallPart, result: &str| call.id == result && is_load(call, id);
        results.any(|part| calls.calls().any(|call| is_of(call, &part.id)))
    };
    let loaded = now
        .active()
        .filter(|id| noted.iter().all(|noted| noted != id) && is_loaded(id));
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

/// Returns the latest text of each active document in the replaced messages, as parts for the next message. Leaves out documents
/// whose text is in the rest.
pub(crate) fn carried(replaced: &[Message], rest: &[Message]) -> Vec<ContextPart> {
    let mut active = activations(replaced);
    continue_with(&mut active, rest);
    let active = active.active();
    let missing = active.filter(|id| last_text(rest, id).is_none());
    let carried = missing.filter_map(|id| {
        Some(ContextPart {
            text: last_text(replaced, id)?,
            loaded: vec![id.to_owned()],
            turns: None,
            ..ContextPart::new(ContextOrigin::Carried)
        })
    });
    carried.collect()
}

/// Returns a call's result as the model gets it. If the call loads an active document, and the model still reads the document's
/// text, the result does not repeat the text.
pub(crate) fn of_load(
    history: &[Message],
    call: &CallPart,
    result: Result<ToolOutput, ToolError>,
) -> Result<ToolOutput, ToolError> {
    match &result {
        Ok(output) if call.call.name == SKILL_TOOL => {
            let again = again(history, call, &output.text());
            again.map_or(result, |note| Ok(note.into()))
        }
        _ => result,
    }
}

fn again(history: &[Message], call: &CallPart, text: &str) -> Option<String> {
    let active = activations(history);
    let id = active.active().find(|id| is_load(call, id))?;
    (last_text(history, id)? == element_of(id, text)).then(|| already_active(id))
}

fn already_active(id: &str) -> String {
    format!(
        "The skill `{id}` is already active. An earlier message has its text, which has not changed."
    )
}

/// Returns whether a call loads a document.
fn is_load(call: &CallPart, id: &str) -> bool {
    if call.call.name != SKILL_TOOL {
        return false;
    }
    let arguments: Value = serde_json::from_str(&call.call.arguments).unwrap_or_default();
    // the tool accepts ids as it lists them, and plain ones
    let loaded = arguments[SKILL_NAME].as_str();
    loaded.is_some_and(|loaded| loaded == id || loaded == attribute(id))
}

/// Returns the text of a load in the element of a document.
fn element_of(id: &str, text: &str) -> String {
    element(id, &escaped(text, "skill"))
}

/// Returns the last text of a document that the model has read in its element, from a call or from a part of a message.
pub(crate) fn last_text<'a>(
    messages: impl IntoIterator<Item = &'a Message>,
    id: &str,
) -> Option<String> {
    let (mut last, mut loads) = (None, Vec::new());
    for message in messages {
        let calls = message.calls().filter(|call| is_load(call, id));
        loads.extend(calls.map(|call| &call.id));
        if !loads.is_empty() {
            let results = message.results().filter(|part| loads.contains(&&part.id));
            let results = results.filter(|part| !part.is_error());
            let texts = results.map(|part| part.text().into_owned());
            let texts = texts.filter(|text| *text != already_active(id));
            last = texts.last().map(|text| element_of(id, &text)).or(last);
        }
        let parts = message.contexts().filter(|part| part.loaded == [id]);
        let texts = parts.map(|part| &part.text).filter(|text| !text.is_empty());
        last = texts.last().cloned().or(last);
    }
    last
}
