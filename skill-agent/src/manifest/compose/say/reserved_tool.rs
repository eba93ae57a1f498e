//! The message about an action that has the name of the tool that offers documents.

use super::Told;
use crate::manifest::compose::scene::Scene;
use skill_core::__private::same;
use skill_core::{ActionSpec, SkillSpec};
use skill_manifest::DiagnosticCode;

/// The tool `skill` offers documents to the model, so no action may have that name.
pub(in crate::manifest::compose) const fn reserved_tool(scene: &Scene<'_>) -> Option<Told> {
    let mut of_skills = 0;
    let mut s = 0;
    while s < scene.skills.len() {
        of_skills += scene.skills[s].actions.len();
        s += 1;
    }
    // the agent's own actions come first
    let mut a = 0;
    let (mut skill, mut end) = (None, scene.actions.len() - of_skills);
    let mut next = 0;
    while a < scene.actions.len() {
        while a == end {
            skill = Some(&scene.skills[next]);
            end += scene.skills[next].actions.len();
            next += 1;
        }
        if takes_it(&scene.actions[a]) {
            return Some(taken(&scene.actions[a], skill));
        }
        a += 1;
    }
    let mut m = 0;
    while m < scene.mountable.len() {
        let skill = scene.mountable[m].spec();
        let mut a = 0;
        while a < skill.actions.len() {
            if takes_it(&skill.actions[a]) {
                return Some(taken(&skill.actions[a], Some(skill)));
            }
            a += 1;
        }
        m += 1;
    }
    None
}

const fn takes_it(action: &ActionSpec) -> bool {
    !action.internal && same(action.name, "skill")
}

const fn taken(action: &ActionSpec, skill: Option<&SkillSpec>) -> Told {
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
    Told::new(
        DiagnosticCode::ReservedTool,
        &what,
        &["give the action another `name` in `#[action]`"],
    )
}
