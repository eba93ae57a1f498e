//! Messages about requirements: missing skills, versions and cycles.

use crate::SkillSpec;
use crate::composition::messages::const_message::ConstMessage;
use skill_agent_grammar::{same, satisfied, split};

/// Returns the index of the first skill called `name`, by its alias or in its spec, starting at `first`.
const fn find(skills: &[SkillSpec], first: usize, name: &str) -> Option<usize> {
    let mut i = first;
    while i < skills.len() {
        if same(skills[i].name, name) || same(skills[i].declared_name(), name) {
            return Some(i);
        }
        i += 1;
    }
    None
}

pub(crate) const fn requirements(
    mut text: ConstMessage,
    skills: &[SkillSpec],
    index: usize,
) -> ConstMessage {
    let skill = &skills[index];
    let mut r = 0;
    while r < skill.requires.len() {
        let (name, wanted) = split(skill.requires[r]);
        match (find(skills, 1, name), wanted) {
            (None, _) => {
                text = text.separate().push(&[
                    "`",
                    skill.type_path,
                    "` requires the skill `",
                    name,
                    "`, which this agent does not have; add it to `skills: [...]`",
                ]);
            }
            (Some(other), Some(wanted)) => {
                text = version(text, skill, name, wanted, &skills[other]);
            }
            (Some(_), None) => {}
        }
        r += 1;
    }
    text
}

/// Appends a message if a required skill's version does not satisfy the requirement.
pub(crate) const fn version(
    text: ConstMessage,
    skill: &SkillSpec,
    name: &str,
    wanted: &str,
    other: &SkillSpec,
) -> ConstMessage {
    let version = match other.version {
        Some(version) => version,
        None => "no version",
    };
    if satisfied(wanted, version) {
        return text;
    }
    text.separate().push(&[
        "`",
        skill.type_path,
        "` requires the skill `",
        name,
        "` in a version that satisfies `",
        wanted,
        "`, and `",
        other.type_path,
        "` has ",
        version,
    ])
}

/// Appends the shortest cycle through `start` among the `N` skills from index `first`, found by breadth-first search.
pub(crate) const fn cycle<const N: usize>(
    text: ConstMessage,
    skills: &[SkillSpec],
    first: usize,
    start: usize,
) -> ConstMessage {
    let mut came_from = [N; N];
    let mut queue = [0; N];
    queue[0] = start;
    let (mut head, mut tail) = (0, 1);
    while head < tail {
        let at = queue[head];
        head += 1;
        let mut r = 0;
        while r < skills[at].requires.len() {
            let (name, _) = split(skills[at].requires[r]);
            if let Some(to) = find(skills, first, name) {
                if to == start {
                    return print_cycle::<N>(text, skills, &came_from, start, at);
                }
                if came_from[to] == N {
                    came_from[to] = at;
                    queue[tail] = to;
                    tail += 1;
                }
            }
            r += 1;
        }
    }
    text
}

const fn print_cycle<const N: usize>(
    text: ConstMessage,
    skills: &[SkillSpec],
    came_from: &[usize; N],
    start: usize,
    last: usize,
) -> ConstMessage {
    let mut path = [0; N];
    let mut length = 0;
    let mut at = last;
    while at != start {
        path[length] = at;
        length += 1;
        at = came_from[at];
    }
    let mut text = text
        .separate()
        .push(&["skills require each other in a cycle: ", skills[start].name]);
    while length > 0 {
        length -= 1;
        text = text.push(&[" -> ", skills[path[length]].name]);
    }
    text.push(&[" -> ", skills[start].name, "; remove one of the `requires`"])
}
