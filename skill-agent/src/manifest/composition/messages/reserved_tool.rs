//! The message about an action that has the name of the tool that offers documents.

use super::CheckFinding;
use crate::manifest::composition::input::CheckInput;
use skill_core::__private::same;
use skill_core::{ActionSpec, SkillSpec};
use skill_manifest::DiagnosticCode;

/// The tool `skill` offers documents to the model, so no action may have that name.
pub(in crate::manifest::composition) const fn reserved_tool(
    input: &CheckInput<'_>,
) -> Option<CheckFinding> {
    let mut of_skills = 0;
    let mut s = 0;
    while s < input.skills.len() {
        of_skills += input.skills[s].actions.len();
        s += 1;
    }
    // the agent's own actions come first
    let mut a = 0;
    let (mut skill, mut end) = (None, input.actions.len() - of_skills);
    let mut next = 0;
    while a < input.actions.len() {
        while a == end {
            skill = Some(&input.skills[next]);
            end += input.skills[next].actions.len();
            next += 1;
        }
        if is_named_skill(&input.actions[a]) {
            return Some(finding(&input.actions[a], skill));
        }
        a += 1;
    }
    let mut m = 0;
    while m < input.mountable.len() {
        let skill = input.mountable[m].spec();
        let mut a = 0;
        while a < skill.actions.len() {
            if is_named_skill(&skill.actions[a]) {
                return Some(finding(&skill.actions[a], Some(skill)));
            }
            a += 1;
        }
        m += 1;
    }
    None
}

const fn is_named_skill(action: &ActionSpec) -> bool {
    !action.internal && same(action.name, "skill")
}

const fn finding(action: &ActionSpec, skill: Option<&SkillSpec>) -> CheckFinding {
    let (of, owner) = match skill {
        Some(skill) => ("` of the skill `", skill.type_path),
        None => ("` of the agent itself", ""),
    };
    let what = [
        "`allow_skills` gives the agent the tool `skill`, and `",
        action.type_path,
        of,
        owner,
        if skill.is_some() {
            "` has that name"
        } else {
            " has that name"
        },
    ];
    CheckFinding::new(
        DiagnosticCode::ReservedTool,
        &what,
        &["give the action another `name` in `#[action]`"],
    )
}
