//! The message about an action that has the same name as a document tool.

use super::CheckFinding;
use crate::composition::input::CheckInput;
use crate::tool::names::CATALOG_TOOLS;
use skill_core::__private::same;
use skill_core::{ActionSpec, SkillSpec};
use skill_manifest::DiagnosticCode;

/// Returns an error if an action has a reserved name, because a model could not tell the two tools apart.
pub(in crate::composition) const fn reserved_tool(input: &CheckInput<'_>) -> Option<CheckFinding> {
    let mut of_skills = 0;
    let mut s = 0;
    while s < input.skills.len() {
        of_skills += input.skills[s].actions.len();
        s += 1;
    }
    // the agent's own actions come first, then the actions of each skill
    let mut a = 0;
    let (mut skill, mut end) = (None, input.actions.len() - of_skills);
    let mut next = 0;
    while a < input.actions.len() {
        while a == end {
            skill = Some(&input.skills[next]);
            end += input.skills[next].actions.len();
            next += 1;
        }
        if let Some(tool) = reserved_name(&input.actions[a]) {
            return Some(finding(tool, &input.actions[a], skill));
        }
        a += 1;
    }
    let mut m = 0;
    while m < input.mountable.len() {
        let skill = input.mountable[m].spec();
        let mut a = 0;
        while a < skill.actions.len() {
            if let Some(tool) = reserved_name(&skill.actions[a]) {
                return Some(finding(tool, &skill.actions[a], Some(skill)));
            }
            a += 1;
        }
        m += 1;
    }
    None
}

const fn reserved_name(action: &ActionSpec) -> Option<&'static str> {
    let mut r = 0;
    while r < CATALOG_TOOLS.len() && !action.internal {
        if same(action.name, CATALOG_TOOLS[r]) {
            return Some(CATALOG_TOOLS[r]);
        }
        r += 1;
    }
    None
}

const fn finding(tool: &str, action: &ActionSpec, skill: Option<&SkillSpec>) -> CheckFinding {
    let (of, owner) = match skill {
        Some(skill) => ("` of the skill `", skill.type_path),
        None => ("` of the agent itself", ""),
    };
    let what = [
        "`allow_skills` gives the agent the tool `",
        tool,
        "`, and `",
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
