//! Messages about documents that break a rule: what is wrong, where the conflict is, and the remedy.

mod missing_names;
mod names;
mod requirements;
mod reserved_tool;
mod tools;

pub(super) use reserved_tool::reserved_tool;

use super::lookup::Lookup;
use super::rules::{
    BUILT_IN_COMMAND, BrokenRules, COMMAND_TOOL, DUPLICATE_ID, REQUIRED_TOOLS, RESERVED_ID,
    SHARED_COMMAND, TOOLSETS,
};
use names::{built_in_command, duplicate_id, reserved_id, shared_command};
use requirements::requirements;
use skill_core::__private::ConstMessage;
use skill_core::SkillSpec;
use skill_manifest::DiagnosticCode;
use tools::{command_tool, required_tools, toolsets};

/// The message for one broken rule.
pub(super) struct CheckFinding {
    pub(super) code: DiagnosticCode,
    /// One sentence that names the document and the broken rule.
    pub(super) what: ConstMessage,
    /// How to fix the problem.
    pub(super) help: ConstMessage,
}

impl CheckFinding {
    /// Creates a finding from a template for the problem, its arguments, and the help.
    pub(super) const fn new(code: DiagnosticCode, what: &str, args: &[&str], help: &str) -> Self {
        Self {
            code,
            what: ConstMessage::new().fill(what, args),
            help: ConstMessage::new().push(&[help]),
        }
    }
}

/// Creates the message for a rule broken by the document at `index`.
pub(super) const fn finding(
    lookup: &Lookup<'_>,
    broken: &BrokenRules,
    index: usize,
    rule: u16,
) -> CheckFinding {
    let doc = lookup.input.docs[index].doc;
    match rule {
        DUPLICATE_ID => duplicate_id(lookup, broken.duplicate_of, index),
        RESERVED_ID => reserved_id(lookup, index),
        BUILT_IN_COMMAND => built_in_command(doc),
        SHARED_COMMAND => shared_command(lookup, broken.same_command, index),
        REQUIRED_TOOLS => required_tools(lookup, doc),
        COMMAND_TOOL => command_tool(lookup, doc),
        TOOLSETS => toolsets(lookup, doc),
        _ => requirements(lookup, doc),
    }
}

const fn did_you_mean(suggestion: &str) -> ConstMessage {
    ConstMessage::new().fill("did you mean `{}`?", &[cut(suggestion)])
}

const fn mounted_only(skill: &SkillSpec) -> ConstMessage {
    ConstMessage::new().fill(
        "the skill `{}` is mounted at run time only; list it in `skills: [...]`",
        &[skill.type_path],
    )
}

/// Truncates a name to 64 bytes, the maximum length of a valid name.
pub(super) const fn cut(name: &str) -> &str {
    let mut end = 64;
    if name.len() <= end {
        return name;
    }
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.split_at(end).0
}
