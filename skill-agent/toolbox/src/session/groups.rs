//! The tool `skill` of a chat's session, which loads groups of tools.

use crate::list::reserved::TOOLBOX;
use crate::list::{ListedTool, ToolGroup, ToolList};
use crate::output::ToolOutput;
use serde_json::Value;
use skill_core::process::{SKILL_NAME, SKILL_TOOL, add_skills, skill_line, skill_tool};
use std::sync::Arc;

/// Returns the group that a call of the tool `skill` names.
pub(super) fn named<'a>(list: &'a ToolList, arguments: &Value) -> Option<&'a ToolGroup> {
    let name = arguments[SKILL_NAME].as_str()?;
    list.groups.iter().find(|group| group.name == name)
}

/// Returns the answer for a load of a group, with the text of its instructions or of the document with the same name.
pub(super) fn answer(list: &ToolList, group: &str, text: &str) -> ToolOutput {
    let tools = list.tools.iter();
    let tools = tools.filter(|listed| listed.group.as_deref() == Some(group));
    let names: Vec<_> = tools
        .map(|listed| format!("`{}`", listed.tool.name))
        .collect();
    let tools = if names.is_empty() {
        format!("`{group}` has no tools at the moment.")
    } else {
        let names = names.join(", ");
        format!("You can call the tools of `{group}` now: {names}.")
    };
    let text = match text.trim_end() {
        "" => tools,
        text => format!("{text}\n\n{tools}"),
    };
    ToolOutput::from(text).with_loaded(Some(group.to_owned()))
}

/// Returns the tool `skill` with the groups of a list, or `None` without groups. `documents` is the tool `skill` of the catalog.
pub(super) fn tool(
    list: &ToolList,
    documents: Option<&Arc<ListedTool>>,
) -> Option<Arc<ListedTool>> {
    if list.groups.is_empty() {
        return None;
    }
    let mut listed = match documents {
        Some(documents) => ListedTool::clone(documents),
        None => ListedTool::builtin(skill_tool("", "", Some(&[])), TOOLBOX),
    };
    let groups = list.groups.iter();
    let lines = groups.map(|group| {
        let words: Vec<_> = group.description.split_whitespace().collect();
        let description = words.join(" ").replace('&', "&amp;").replace('<', "&lt;");
        (&*group.name, skill_line(&group.name, &description))
    });
    add_skills(&mut listed.tool, lines);
    Some(Arc::new(listed))
}

/// Puts the tool `skill` into the list, in place of the catalog's tool. Without a catalog it comes first, so that new tools come after
/// it.
pub(super) fn place(list: &mut ToolList, skill: Arc<ListedTool>) {
    let mut tools = list.tools.iter_mut();
    match tools.find(|listed| listed.tool.name == SKILL_TOOL) {
        Some(documents) => *documents = skill,
        None => list.tools.insert(0, skill),
    }
}
