//! Messages about missing tools and toolsets.

use super::causes::Causes;
use super::{Told, cut, did_you_mean, mounted_only};
use crate::manifest::compose::look::Look;
use crate::manifest::compose::names::{Names, list, str};
use skill_core::__private::{ConstMessage, same, short};
use skill_core::ActionSpec;
use skill_manifest::{DiagnosticCode, DocText, SkillDoc};

pub(super) const fn required_tools(look: &Look<'_>, doc: &SkillDoc) -> Told {
    let tools = list(&doc.requires_tools);
    let mut causes = Causes::new(&[
        "the document `",
        cut(str(&doc.id)),
        "` requires the tool",
        if missing(look, tools) > 1 { "s " } else { " " },
    ]);
    let mut t = 0;
    while t < tools.len() {
        let tool = str(&tools[t]);
        if !look.has_tool(tool) {
            let help = if causes.is_full() {
                ConstMessage::new()
            } else {
                tool_help(look, tool, "`requires_tools`")
            };
            causes = causes.add(tool, &[", which the agent does not have"], help);
        }
        t += 1;
    }
    causes.told(DiagnosticCode::MissingRequiredTools)
}

/// Returns how many of the tools are missing.
const fn missing(look: &Look<'_>, tools: &[DocText]) -> usize {
    let mut missing = 0;
    let mut t = 0;
    while t < tools.len() {
        missing += !look.has_tool(str(&tools[t])) as usize;
        t += 1;
    }
    missing
}

pub(super) const fn command_tool(look: &Look<'_>, doc: &SkillDoc) -> Told {
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
    Told {
        code: DiagnosticCode::MissingCommandTool,
        what: ConstMessage::new().push(&what),
        help: tool_help(look, tool, "`command_tool`"),
    }
}

/// Returns what to do about a missing tool.
const fn tool_help(look: &Look<'_>, tool: &str, key: &str) -> ConstMessage {
    if has_internal(look.scene.actions, tool) {
        return ConstMessage::new().push(&[
            "`",
            cut(tool),
            "` is an internal action, which only code may call: take `internal` out of its `#[action]`",
        ]);
    }
    let mut m = 0;
    while m < look.scene.mountable.len() {
        let skill = look.scene.mountable[m].spec();
        if has_action(skill.actions, tool) {
            return mounted_only(skill);
        }
        m += 1;
    }
    match look.near(Names::Tools, tool) {
        Some(near) => did_you_mean(near),
        None => ConstMessage::new().push(&[
            "give the agent a skill that has it, or take it out of ",
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

pub(super) const fn toolsets(look: &Look<'_>, doc: &SkillDoc) -> Told {
    let toolsets = list(&doc.toolsets);
    let mut causes = Causes::new(&["the document `", cut(str(&doc.id)), "` names the toolset "]);
    let mut t = 0;
    while t < toolsets.len() {
        let toolset = str(&toolsets[t]);
        if !look.binds(toolset) {
            let ty = short(toolset);
            let cause = [", and the agent has no skill of the type `", cut(ty), "`"];
            let help = if causes.is_full() {
                ConstMessage::new()
            } else {
                toolset_help(look, ty)
            };
            causes = causes.add(toolset, &cause, help);
        }
        t += 1;
    }
    causes.told(DiagnosticCode::UnboundToolset)
}

const fn toolset_help(look: &Look<'_>, ty: &str) -> ConstMessage {
    match look.near(Names::Types, ty) {
        Some(near) => did_you_mean(near),
        None => ConstMessage::new().push(&["give the agent a skill whose Rust type has that name"]),
    }
}
