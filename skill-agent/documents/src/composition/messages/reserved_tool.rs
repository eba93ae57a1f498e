//! The message about an action that has the same name as a document tool.

use super::CheckFinding;
use crate::composition::input::CheckInput;
use crate::tool::names::CATALOG_TOOLS;
use skill_core::__private::{ConstMessage, contains};
use skill_core::{ActionSpec, SkillSpec};
use skill_manifest::DiagnosticCode;

/// Returns an error if an action has a reserved name, because a model could not tell the two tools apart.
pub(in crate::composition) const fn reserved_tool(input: &CheckInput<'_>) -> Option<CheckFinding> {
    if let Some(at) = reserved(input.actions) {
        return Some(finding(&input.actions[at], owner(input, at)));
    }
    let mut m = 0;
    while m < input.mountable.len() {
        let skill = input.mountable[m].spec();
        if let Some(at) = reserved(skill.actions) {
            return Some(finding(&skill.actions[at], Some(skill)));
        }
        m += 1;
    }
    None
}

/// Returns the index of the first action with a reserved name.
const fn reserved(actions: &[ActionSpec]) -> Option<usize> {
    let mut a = 0;
    while a < actions.len() {
        if !actions[a].internal && contains(&CATALOG_TOOLS, actions[a].name) {
            return Some(a);
        }
        a += 1;
    }
    None
}

/// Returns the skill that owns the action with this index, or `None` for one of the agent's own actions. Those are first in the
/// list.
const fn owner<'a>(input: &CheckInput<'a>, action: usize) -> Option<&'a SkillSpec> {
    let (mut s, mut first) = (input.skills.len(), input.actions.len());
    while s > 0 {
        s -= 1;
        first -= input.skills[s].actions.len();
        if action >= first {
            return Some(&input.skills[s]);
        }
    }
    None
}

const fn finding(action: &ActionSpec, skill: Option<&SkillSpec>) -> CheckFinding {
    let (of, owner) = match skill {
        Some(skill) => ("the skill `{}`", skill.type_path),
        None => ("the agent itself", ""),
    };
    let what = ConstMessage::new()
        .fill(
            "`allow_skills` gives the agent the tool `{}`, and `{}` of ",
            &[action.name, action.type_path],
        )
        .fill(of, &[owner])
        .push(&[" has that name"]);
    CheckFinding {
        code: DiagnosticCode::ReservedTool,
        what,
        help: ConstMessage::new().push(&["give the action another `name` in `#[action]`"]),
    }
}
