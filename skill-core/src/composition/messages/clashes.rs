//! The messages about clashes. Each one describes the mistake, the place of the other skill, and a fix.

use crate::composition::examine::{pattern_of, same_route};
use crate::composition::messages::const_message::ConstMessage;
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{LONGEST_NAME, same};

/// Returns whether the skill has the same type as the earlier skill with its state key. In that case, their tools and routes
/// clash too, and are not reported again.
pub(crate) const fn is_same_type_twice(
    skills: &[SkillSpec],
    flags: crate::composition::flags::Flags,
    index: usize,
) -> bool {
    if flags & crate::composition::flags::STATE_KEY == 0 {
        return false;
    }
    let other = earlier_key(skills, index);
    same(skills[other].type_path, skills[index].type_path)
}

const fn earlier_key(skills: &[SkillSpec], index: usize) -> usize {
    let mut other = 1;
    while !same(skills[other].state_key, skills[index].state_key) {
        other += 1;
    }
    other
}

/// Returns the last segment of a type's path, as written in the list.
pub const fn short(path: &str) -> &str {
    let bytes = path.as_bytes();
    let mut i = bytes.len();
    while i > 0 && bytes[i - 1] != b':' {
        i -= 1;
    }
    path.split_at(i).1
}

pub(crate) const fn state_key(
    text: ConstMessage,
    skills: &[SkillSpec],
    index: usize,
) -> ConstMessage {
    let (one, two) = (&skills[earlier_key(skills, index)], &skills[index]);
    text.separate().push(&[
        "two skills keep their state under `",
        two.state_key,
        "`: `",
        one.type_path,
        "` and `",
        two.type_path,
        "`; list one of them under another name: `",
        short(two.type_path),
        " as ...`",
    ])
}

pub(crate) const fn name(text: ConstMessage, skills: &[SkillSpec], index: usize) -> ConstMessage {
    let mut other = 1;
    while !same(skills[other].name, skills[index].name) {
        other += 1;
    }
    text.separate().push(&[
        "two skills have the name `",
        skills[index].name,
        "`: `",
        skills[other].type_path,
        "` and `",
        skills[index].type_path,
        "`; list one of them under another name: `",
        short(skills[index].type_path),
        " as ...`",
    ])
}

pub(crate) const fn base_field(
    text: ConstMessage,
    skills: &[SkillSpec],
    base: &[&str],
    index: usize,
) -> ConstMessage {
    let skill = &skills[index];
    let mut b = 0;
    while !same(base[b], skill.state_key) {
        b += 1;
    }
    text.separate().push(&[
        "the state key `",
        skill.state_key,
        "` of `",
        skill.type_path,
        "` is also the base field `",
        base[b],
        "` in `state: { ... }`; rename the field, or list the skill under another name: `",
        short(skill.type_path),
        " as ...`",
    ])
}

pub(crate) const fn tools(
    mut text: ConstMessage,
    skills: &[SkillSpec],
    actions: &[ActionSpec],
    index: usize,
) -> ConstMessage {
    let mut first = 0;
    let mut i = 0;
    while i < index {
        first += skills[i].actions.len();
        i += 1;
    }
    let mut n = first;
    while n < first + skills[index].actions.len() {
        let mut owner = 0;
        let mut seen = 0;
        let mut other = 0;
        while other < n {
            while other >= seen + skills[owner].actions.len() {
                seen += skills[owner].actions.len();
                owner += 1;
            }
            if same(actions[other].name, actions[n].name) {
                text = text.separate().push(&[
                    "two actions have the tool name `",
                    actions[n].name,
                    "`: `",
                    actions[other].type_path,
                    "` of ",
                    if owner == 0 { "the agent itself" } else { "the skill" },
                    " `",
                    skills[owner].type_path,
                    "` and `",
                    actions[n].type_path,
                    "` of the skill `",
                    skills[index].type_path,
                    "`; give one of them another `name` in `#[action]`, or list its skill under another name: `",
                    short(skills[index].type_path),
                    " as ...`",
                ]);
                break;
            }
            other += 1;
        }
        n += 1;
    }
    text
}

pub(crate) const fn too_long(
    mut text: ConstMessage,
    skills: &[SkillSpec],
    actions: &[ActionSpec],
    index: usize,
) -> ConstMessage {
    let mut first = 0;
    let mut i = 0;
    while i < index {
        first += skills[i].actions.len();
        i += 1;
    }
    let mut n = first;
    while n < first + skills[index].actions.len() {
        if actions[n].name.len() > LONGEST_NAME {
            text = text.separate().push(&[
                "the tool name `",
                actions[n].name,
                "` has more than 64 characters, which model providers refuse; take a shorter name than `",
                skills[index].name,
                "` for `",
                skills[index].type_path,
                "`",
            ]);
        }
        n += 1;
    }
    text
}

pub(crate) const fn routes(
    mut text: ConstMessage,
    skills: &[SkillSpec],
    index: usize,
) -> ConstMessage {
    let skill = &skills[index];
    let mut a = 0;
    while a < skill.actions.len() {
        let mut r = 0;
        while r < skill.actions[a].routes.len() {
            let route = &skill.actions[a].routes[r];
            if let Some((other, action)) = earlier_route(skills, index, a, r) {
                let (first, rest) = pattern_of(skill, route);
                text = text.separate().push(&[
                    "two actions are routed from `",
                    first,
                    rest,
                    "` with one priority: `",
                    skills[other].actions[action].type_path,
                    "` of `",
                    skills[other].type_path,
                    "` and `",
                    skill.actions[a].type_path,
                    "` of `",
                    skill.type_path,
                    "`; give one of them another signal type or `priority` in `on(...)`",
                ]);
            }
            r += 1;
        }
        a += 1;
    }
    text
}

/// Returns the skill and action of the first earlier route with the same pattern and priority.
const fn earlier_route(
    skills: &[SkillSpec],
    skill: usize,
    action: usize,
    route: usize,
) -> Option<(usize, usize)> {
    let own = &skills[skill].actions[action].routes[route];
    let mut s = 0;
    while s <= skill {
        let mut a = 0;
        while a < skills[s].actions.len() {
            let mut r = 0;
            while r < skills[s].actions[a].routes.len() {
                if s == skill && a == action && r == route {
                    return None;
                }
                if same_route(
                    &skills[s],
                    &skills[s].actions[a].routes[r],
                    &skills[skill],
                    own,
                ) {
                    return Some((s, a));
                }
                r += 1;
            }
            a += 1;
        }
        s += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_too_long_is_that_of_its_own_skill() {
        let long = "a".repeat(LONGEST_NAME + 1).leak();
        let names = [&["own"][..], &["one", "two"], &["three", long]];
        let actions: Vec<_> = names
            .concat()
            .into_iter()
            .map(ActionSpec::nothing)
            .collect();
        let skills = names.map(|names| {
            let actions: Vec<_> = names.iter().map(|name| ActionSpec::nothing(name)).collect();
            let mut skill = SkillSpec::new("skill");
            skill.actions = actions.leak();
            skill
        });
        let text = |index| too_long(ConstMessage::new(), &skills, &actions, index);
        assert_eq!(text(1).as_str(), "");
        let expected = format!("the tool name `{long}` has more than 64 characters");
        assert!(
            text(2).as_str().starts_with(&expected),
            "{}",
            text(2).as_str()
        );
    }
}
