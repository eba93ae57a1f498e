//! The deferred groups of tools that a conversation has loaded, from the parts of its messages.

use crate::{CallPart, ContextOrigin, ContextPart, Message};
use skill_agent_toolbox::{ListedTool, ToolError, ToolList, ToolOutput, Toolbox, Withheld};

/// Returns the names of the groups that are loaded at the end of a history, in the order of their loads.
pub(crate) fn loaded(history: &[Message]) -> Vec<String> {
    let mut loaded = Vec::new();
    for part in history.iter().flat_map(Message::contexts) {
        loaded.retain(|name| !part.gone.contains(name));
        add(&mut loaded, &part.groups);
    }
    loaded
}

/// Adds the names that a list does not have yet.
fn add(list: &mut Vec<String>, names: &[String]) {
    for name in names {
        if !list.contains(name) {
            list.push(name.clone());
        }
    }
}

/// Returns the part for a call that has loaded a group.
pub(crate) fn of_call(call: &CallPart, group: String) -> ContextPart {
    ContextPart {
        groups: vec![group],
        call: Some(call.id.clone()),
        ..ContextPart::new(ContextOrigin::Model)
    }
}

/// Returns the ids that are names of groups.
#[cfg(feature = "documents")]
pub(crate) fn among(list: &ToolList, ids: &[String]) -> Vec<String> {
    let ids = ids.iter().filter(|id| has_group(list, id));
    ids.cloned().collect()
}

pub(crate) fn has_group(list: &ToolList, name: &str) -> bool {
    list.groups.iter().any(|group| group.name == name)
}

/// Returns a call's result as the model gets it. If the call loads a loaded group, and the model still reads the same answer, the
/// result does not repeat it.
pub(crate) fn of_load(
    history: &[Message],
    result: Result<ToolOutput, ToolError>,
) -> Result<ToolOutput, ToolError> {
    let mut output = result?;
    let Some(group) = output.take_loaded() else {
        return Ok(output);
    };
    let is_loaded = loaded(history).contains(&group);
    if is_loaded && answer(history, &group).as_deref() == Some(&*output.text()) {
        return Ok(already_loaded(&group).into());
    }
    Ok(output.with_loaded(Some(group)))
}

fn already_loaded(name: &str) -> String {
    format!("The tools of `{name}` are already loaded.")
}

/// Returns the answers to the loads in the replaced messages, as parts for the next message. Leaves out groups that the rest loads again,
/// and groups that no longer exist.
pub(crate) fn carried(history: &[Message], replaced: usize) -> Vec<ContextPart> {
    let (replaced, rest) = history.split_at(replaced);
    let loaded = loaded(history).into_iter();
    let missing = loaded.filter(|name| answer(rest, name).is_none());
    let carried = missing.filter_map(|name| {
        Some(ContextPart {
            text: answer(replaced, &name)?,
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

/// Returns the last answer to a load of a group.
fn answer(messages: &[Message], name: &str) -> Option<String> {
    messages.iter().rev().find_map(|message| {
        let parts = message.contexts();
        let mut parts = parts.filter(|part| part.groups.iter().any(|group| group == name));
        let call = parts.find_map(|part| part.call.as_ref())?;
        let mut results = message.results();
        let result = results.find(|part| part.id == *call && !part.is_error());
        result.map(|part| part.text().into_owned())
    })
}

/// Returns a part that says which loaded groups no longer exist.
pub(crate) fn gone(history: &[Message], toolbox: &Toolbox) -> Option<ContextPart> {
    let list = toolbox.known_list();
    let sources = list.withheld.iter();
    let silent: Vec<_> = sources.filter(|withheld| withheld.tool.is_none()).collect();
    // the skills of a server that does not respond are unknown
    let is_of_server = |silent: &Withheld| {
        let mut agents = toolbox.agents().into_iter();
        agents.any(|agent| agent.name == silent.source)
    };
    if silent.iter().any(|silent| is_of_server(silent)) {
        return None;
    }
    let is_of = |listed: &ListedTool, name: &str| {
        let skill = listed.lane.rsplit('/').next();
        listed.source == name || skill == Some(name)
    };
    let mut gone = loaded(history);
    gone.retain(|name| {
        let (mut tools, mut silent) = (list.tools.iter(), silent.iter());
        !has_group(&list, name)
            && !silent.any(|silent| silent.source == *name)
            && !tools.any(|listed| is_of(listed, name))
    });
    if gone.is_empty() {
        return None;
    }
    tracing::warn!(
        ?gone,
        "skills that the conversation has loaded no longer exist"
    );
    let names: Vec<_> = gone.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    Some(ContextPart {
        text: format!("These skills, and their tools, no longer exist: {names}."),
        gone,
        ..ContextPart::new(ContextOrigin::Program)
    })
}
