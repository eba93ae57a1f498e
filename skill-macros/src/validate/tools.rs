//! The rules for the tool texts that a skill provides itself. Only rustc knows whether an action has an argument.

use super::{compact_text, grammar, listed_once, report};
use crate::errors::Errors;
use crate::messages;
use crate::parse::skill::SkillInput;
use crate::parse::tools::{ArgumentText, ToolInput};
use crate::parse::values::Text;
use std::collections::BTreeMap;
use syn::Path;

/// The texts of a tool. They replace the action's own texts.
pub(crate) struct ToolTexts {
    /// The index of the action in the skill's list.
    pub(crate) action: usize,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) args: Vec<ArgumentText>,
}

/// Checks the tool texts of a skill with these actions, and returns them.
pub(super) fn check(
    tools: Vec<ToolInput>,
    input: &SkillInput,
    actions: &[Path],
    errors: &mut Errors,
) -> Vec<ToolTexts> {
    let paths: Vec<Path> = tools.iter().map(|tool| tool.action.clone()).collect();
    listed_once(&paths, "the tool", errors);
    let listed: Vec<String> = actions.iter().map(compact_text).collect();
    let listed = listed.iter().map(String::as_str);
    let listed: BTreeMap<&str, usize> = listed.zip(0..).collect();
    let are_known = !input.options.attempts("actions") && !input.is_broken;
    let tools = tools
        .into_iter()
        .filter_map(|tool| check_tool(tool, &listed, are_known, errors));
    tools.collect()
}

fn check_tool(
    tool: ToolInput,
    listed: &BTreeMap<&str, usize>,
    are_known: bool,
    errors: &mut Errors,
) -> Option<ToolTexts> {
    let ToolInput {
        action,
        is_empty,
        options,
    } = tool;
    let args = options.args.as_ref().map_or(&[][..], |texts| &texts.0);
    texts(&options.title, &options.description, args, errors);
    let name = compact_text(&action);
    if is_empty {
        report(messages::tool_without_texts(&name), &action, errors);
    }
    let index = listed.get(&*name).copied();
    if index.is_none() && are_known {
        let listed: Vec<&str> = listed.keys().copied().collect();
        report(messages::tool_of_no_action(&name, &listed), &action, errors);
    }
    let value = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
    Some(ToolTexts {
        action: index?,
        title: value(&options.title),
        description: value(&options.description),
        args: args.to_vec(),
    })
}

/// Texts must not be empty, and each argument must be described once.
fn texts(
    title: &Option<Text>,
    description: &Option<Text>,
    args: &[ArgumentText],
    errors: &mut Errors,
) {
    grammar::not_empty(title, "the title", errors);
    grammar::not_empty(description, "the description", errors);
    for arg in args {
        grammar::not_empty(&Some(arg.text.clone()), "the description", errors);
    }
    let names: Vec<Text> = args.iter().map(|arg| arg.name.clone()).collect();
    grammar::texts_once(&names, "the argument", errors);
}
