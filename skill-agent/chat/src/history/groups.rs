//! The deferred groups of tools that a conversation has loaded, from the parts of its messages.

use crate::{CallPart, ContextOrigin, ContextPart, Message};
use serde_json::Value;
use skill_agent_toolbox::ToolGroup;
use skill_core::process::{SKILL_NAME, SKILL_TOOL};

/// Returns the names of the groups that are loaded at the end of a history, in the order of their loads.
pub(crate) fn loaded(history: &[Message]) -> Vec<String> {
    let mut loaded: Vec<String> = Vec::new();
    for name in parts(history).flat_map(|part| &part.groups) {
        if !loaded.contains(name) {
            loaded.push(name.clone());
        }
    }
    loaded
}

fn parts(messages: &[Message]) -> impl Iterator<Item = &ContextPart> {
    messages.iter().flat_map(Message::contexts)
}

/// Returns the part for the groups that the calls of the last step have loaded.
pub(crate) fn of_calls(history: &[Message], groups: &[ToolGroup]) -> Option<ContextPart> {
    let [.., calls, results] = history else {
        return None;
    };
    let known = loaded(history);
    let results = results.results().filter(|part| !part.is_error());
    let called = results.filter_map(|part| calls.calls().find(|call| call.id == part.id));
    let mut names: Vec<String> = called.filter_map(skill_of).collect();
    names.retain(|name| {
        let mut groups = groups.iter();
        !known.contains(name) && groups.any(|group| group.name == *name)
    });
    names.dedup();
    (!names.is_empty()).then(|| ContextPart {
        groups: names,
        ..ContextPart::new(ContextOrigin::Model)
    })
}

/// Returns the document or group that a call of the tool `skill` loads.
pub(crate) fn skill_of(call: &CallPart) -> Option<String> {
    if call.call.name != SKILL_TOOL {
        return None;
    }
    let mut arguments: Value = serde_json::from_str(&call.call.arguments).ok()?;
    match arguments.get_mut(SKILL_NAME)?.take() {
        Value::String(name) => Some(name),
        _ => None,
    }
}

/// Returns the answers to the loads in the replaced messages, as parts for the next message. The first answer to a load has the
/// instructions.
pub(crate) fn carried(replaced: &[Message]) -> Vec<ContextPart> {
    let carried = loaded(replaced).into_iter().filter_map(|name| {
        let text = answer(replaced, &name)?;
        Some(ContextPart {
            text,
            groups: vec![name],
            ..ContextPart::new(ContextOrigin::Carried)
        })
    });
    carried.collect()
}

/// Returns whether messages have the answer that a part carries.
pub(crate) fn have_answer(messages: &[Message], part: &ContextPart) -> bool {
    let mut names = part.groups.iter();
    names.any(|name| answer(messages, name).as_ref() == Some(&part.text))
}

fn answer(messages: &[Message], name: &str) -> Option<String> {
    let mut calls = messages.iter().flat_map(Message::calls);
    let call = calls.find(|call| skill_of(call).as_deref() == Some(name))?;
    let mut results = messages.iter().flat_map(Message::results);
    let result = results.find(|part| part.id == call.id && !part.is_error());
    result.map(|part| part.text().into_owned())
}

/// Returns a part that says which loaded groups no longer exist, unless a message says so.
pub(crate) fn gone(history: &[Message], groups: &[ToolGroup]) -> Option<ContextPart> {
    let mut gone = loaded(history);
    gone.retain(|name| groups.iter().all(|group| group.name != *name));
    let names: Vec<_> = gone.iter().map(|name| format!("`{name}`")).collect();
    let text = format!(
        "These skills, and their tools, no longer exist: {}.",
        names.join(", ")
    );
    let is_said = parts(history).any(|part| part.text == text);
    (!gone.is_empty() && !is_said).then(|| {
        tracing::warn!(
            ?gone,
            "skills that the conversation has loaded no longer exist"
        );
        ContextPart {
            text,
            ..ContextPart::new(ContextOrigin::Program)
        }
    })
}
