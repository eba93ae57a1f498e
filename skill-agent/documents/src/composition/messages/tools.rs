//! Messages about missing tools and toolsets.

use super::missing_names::MissingNames;
use super::{CheckFinding, cut, did_you_mean, mounted_only};
use crate::composition::doc_text::{list, str};
use crate::composition::lookup::Lookup;
use crate::composition::names::NameKind;
use skill_core::__private::{ConstMessage, same, short};
use skill_core::ActionSpec;
use skill_manifest::{DiagnosticCode, DocText, SkillDoc};

pub(super) const fn required_tools(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let tools = list(&doc.requires_tools);
    let mut causes = MissingNames::new(&[
        "the document `",
        cut(str(&doc.id)),
        "` requires the tool",
        if count_missing(lookup, tools) > 1 {
            "s "
        } else {
            " "
        },
    ]);
    let mut t = 0;
    while t < tools.len() {
        let tool = str(&tools[t]);
        if !lookup.has_tool(tool) {
            let help = if causes.is_full() {
                ConstMessage::new()
            } else {
                tool_help(lookup, tool, "`requires_tools`")
            };
            causes = causes.add(tool, &[", which the agent does not have"], help);
        }
        t += 1;
    }
    causes.reported(DiagnosticCode::MissingRequiredTools)
}

/// Counts the missing tools.
const fn count_missing(lookup: &Lookup<'_>, tools: &[DocText]) -> usize {
    let mut missing = 0;
    let mut t = 0;
    while t < tools.len() {
        missing += !lookup.has_tool(str(&tools[t])) as usize;
        t += 1;
    }
    missing
}

pub(super) const fn command_tool(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let tool = match &doc.command_tool {
        Some(tool) => str(tool),
        None => "",
    };
    let what = [
        "the document `",
        cut(str(&doc.id)),
        "` dispatches to the tool `",
        cut(tool),
        "`, which the agent does not have",
    ];
    CheckFinding {
        code: DiagnosticCode::MissingCommandTool,
        what: ConstMessage::new().push(&what),
        help: tool_help(lookup, tool, "`command_tool`"),
    }
}

/// Suggests a remedy for a missing tool.
const fn tool_help(lookup: &Lookup<'_>, tool: &str, key: &str) -> ConstMessage {
    if has_internal(lookup.input.actions, tool) {
        return ConstMessage::new().push(&[
            "`",
            cut(tool),
            "` is an internal action, which only code may call: remove `internal` from its `#[action]`",
        ]);
    }
    let mut m = 0;
    while m < lookup.input.mountable.len() {
        let skill = lookup.input.mountable[m].spec();
        if has_action(skill.actions, tool) {
            return mounted_only(skill);
        }
        m += 1;
    }
    match lookup.suggest(NameKind::Tools, tool) {
        Some(suggestion) => did_you_mean(suggestion),
        None => ConstMessage::new().push(&[
            "give the agent a skill that has it, or remove it from ",
            key,
        ]),
    }
}

const fn has_internal(actions: &[ActionSpec], name: &str) -> bool {
    let mut a = 0;
    while a < actions.len() {
        if actions[a].internal && same(actions[a].name, name) {
            return true;
        }
        a += 1;
    }
    false
}

const fn has_action(actions: &[ActionSpec], name: &str) -> bool {
    let mut a = 0;
    while a < actions.len() {
        if same(actions[a].name, name) {
            return true;
        }
        a += 1;
    }
    false
}

pub(super) const fn toolsets(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let toolsets = list(&doc.toolsets);
    let mut causes =
        MissingNames::new(&["the document `", cut(str(&doc.id)), "` names the toolset "]);
    let mut t = 0;
    while t < toolsets.len() {
        let toolset = str(&toolsets[t]);
        if !lookup.has_skill_of_type(toolset) {
            let ty = short(toolset);
            let cause = [", but the agent has no skill of the type `", cut(ty), "`"];
            let help = if causes.is_full() {
                ConstMessage::new()
            } else {
                toolset_help(lookup, ty)
            };
            causes = causes.add(toolset, &cause, help);
        }
        t += 1;
    }
    causes.reported(DiagnosticCode::UnboundToolset)
}

const fn toolset_help(lookup: &Lookup<'_>, ty: &str) -> ConstMessage {
    match lookup.suggest(NameKind::Types, ty) {
        Some(suggestion) => did_you_mean(suggestion),
        None => ConstMessage::new().push(&["give the agent a skill whose Rust type has that name"]),
    }
}
