//! The deferred groups of tools that a conversation has loaded, from the parts of its messages.

use crate::{CallPart, ContextOrigin, ContextPart, Message};
use serde_json::Value;
use skill_agent_toolbox::__private::is_answer_for_load;
use skill_agent_toolbox::{ListedTool, ToolError, ToolList, ToolOutput, Toolbox, Withheld};
use skill_core::process::{SKILL_NAME, SKILL_TOOL};

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

/// Returns the part for the loads of the last step. `answered` are the groups whose loads the session has answered.
pub(crate) fn of_step(history: &[Message], mut answered: Vec<String>) -> Option<ContextPart> {
    // a layer may have turned the result into an error
    history.last().and_then(Message::load)?;
    let known = loaded(history);
    answered.retain(|name| !known.contains(name));
    (!answered.is_empty()).then(|| ContextPart {
        groups: answered,
        ..ContextPart::new(ContextOrigin::Model)
    })
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

/// Returns the document or group that a call of the tool `skill` loads, if its arguments are well-formed.
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

/// Returns a call's result as the model gets it. If the call loads a loaded group, and the model still reads the same answer, the
/// result does not repeat it.
pub(crate) fn of_load(
    history: &[Message],
    call: &CallPart,
    result: Result<ToolOutput, ToolError>,
) -> Result<ToolOutput, ToolError> {
    let (Ok(output), Some(name)) = (&result, skill_of(call)) else {
        return result;
    };
    let is_known = loaded(history).contains(&name)
        && answer(history, &name) == Some(output.text().into_owned());
    if is_known {
        Ok(already_loaded(&name).into())
    } else {
        result
    }
}

fn already_loaded(name: &str) -> String {
    format!("The tools of `{name}` are already loaded.")
}

/// Returns the answers to the loads in the replaced messages, as parts for the next message. Leaves out groups that are loaded again in
/// the rest, or no longer exist.
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
    let results = messages.iter().rev().flat_map(Message::results);
    let mut loads = results.filter(|part| part.name == SKILL_TOOL && !part.is_error());
    let answers = loads.find(|part| is_answer_for_load(&part.text(), name));
    answers.map(|part| part.text().into_owned())
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
