//! Messages about missing tools and toolsets.

use super::missing_names::MissingNames;
use super::{CheckFinding, cut, did_you_mean, mounted_only};
use crate::composition::doc_text::str;
use crate::composition::lookup::{Lookup, needed};
use crate::composition::names::NameKind;
use skill_core::__private::{ConstMessage, same, short};
use skill_core::ActionSpec;
use skill_manifest::{DiagnosticCode, SkillDoc};

pub(super) const fn required_tools(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let mut next = lookup.missing(doc, NameKind::Tools, 0);
    let is_one = match next {
        Some(first) => lookup.missing(doc, NameKind::Tools, first + 1).is_none(),
        None => true,
    };
    let id = cut(str(&doc.id));
    let end = if is_one { " " } else { "s " };
    let begin = ["the document `", id, "` requires the tool", end];
    let mut causes = MissingNames::new(&begin);
    while let Some(at) = next {
        let tool = str(&needed(doc, NameKind::Tools)[at]);
        let help = if causes.is_full() {
            ConstMessage::new()
        } else {
            tool_help(lookup, tool, "`requires_tools`")
        };
        causes = causes.add(tool, &[", which the agent does not have"], help);
        next = lookup.missing(doc, NameKind::Tools, at + 1);
    }
    causes.reported(DiagnosticCode::MissingRequiredTools)
}

pub(super) const fn command_tool(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let tool = match &doc.command_tool {
        Some(tool) => str(tool),
        None => "",
    };
    CheckFinding {
        code: DiagnosticCode::MissingCommandTool,
        what: ConstMessage::new().fill(
            "the document `{}` dispatches to the tool `{}`, which the agent does not have",
            &[cut(str(&doc.id)), cut(tool)],
        ),
        help: tool_help(lookup, tool, "`command_tool`"),
    }
}

/// Suggests a remedy for a missing tool.
const fn tool_help(lookup: &Lookup<'_>, tool: &str, key: &str) -> ConstMessage {
    if let Some(action) = find(lookup.input.actions, tool)
        && action.internal
    {
        return ConstMessage::new().fill(
            "`{}` is an internal action, which only code may call: remove `internal` from its `#[action]`",
            &[cut(tool)],
        );
    }
    let mut m = 0;
    while m < lookup.input.mountable.len() {
        let skill = lookup.input.mountable[m].spec();
        if find(skill.actions, tool).is_some() {
            return mounted_only(skill);
        }
        m += 1;
    }
    match lookup.suggest(NameKind::Tools, tool) {
        Some(suggestion) => did_you_mean(suggestion),
        None => ConstMessage::new().fill(
            "give the agent a skill that has it, or remove it from {}",
            &[key],
        ),
    }
}

/// Returns the action called `name`.
const fn find<'a>(actions: &'a [ActionSpec], name: &str) -> Option<&'a ActionSpec> {
    let mut a = 0;
    while a < actions.len() {
        if same(actions[a].name, name) {
            return Some(&actions[a]);
        }
        a += 1;
    }
    None
}

pub(super) const fn toolsets(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let mut causes =
        MissingNames::new(&["the document `", cut(str(&doc.id)), "` names the toolset "]);
    let mut next = lookup.missing(doc, NameKind::Types, 0);
    while let Some(at) = next {
        let toolset = str(&needed(doc, NameKind::Types)[at]);
        let ty = short(toolset);
        let cause = [", but the agent has no skill of the type `", cut(ty), "`"];
        let help = if causes.is_full() {
            ConstMessage::new()
        } else {
            toolset_help(lookup, ty)
        };
        causes = causes.add(toolset, &cause, help);
        next = lookup.missing(doc, NameKind::Types, at + 1);
    }
    causes.reported(DiagnosticCode::UnboundToolset)
}

const fn toolset_help(lookup: &Lookup<'_>, ty: &str) -> ConstMessage {
    match lookup.suggest(NameKind::Types, ty) {
        Some(suggestion) => did_you_mean(suggestion),
        None => ConstMessage::new().push(&["give the agent a skill whose Rust type has that name"]),
    }
}
