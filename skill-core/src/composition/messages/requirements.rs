//! Messages about requirements: missing skills, versions and cycles.

use crate::composition::members::Members;
use crate::composition::messages::const_message::ConstMessage;
use skill_agent_grammar::{satisfies, split};

pub(super) const fn requirements(
    mut text: ConstMessage,
    all: &Members<'_>,
    at: usize,
) -> ConstMessage {
    let skill = all.skill(at);
    let mut r = 0;
    while r < skill.requires.len() {
        let (name, wanted) = split(skill.requires[r]);
        if let Some(other) = all.required(at, name) {
            let other = all.skill(other);
            if let Some(version) = wanted
                && !satisfies(wanted, other.version)
            {
                let found = match other.version {
                    Some(found) => found,
                    None => "no version",
                };
                text = text.also(
                    "`{}` requires the skill `{}` in a version that satisfies `{}`, and `{}` has {}",
                    &[skill.type_path, name, version, other.type_path, found],
                );
            }
        } else if all.is_listed(at) {
            text = text.also(
                "`{}` requires the skill `{}`, which this agent does not have; add it to `skills: [...]`",
                &[skill.type_path, name],
            );
        } else {
            text = text.also(
                "`{}` requires the skill `{}`, which this agent neither has nor may mount; add it to `skills: [...]` or `mounted: [...]`",
                &[skill.type_path, name],
            );
        }
        r += 1;
    }
    text
}

/// Appends the shortest cycle through `start`, found by breadth-first search. `N` is the number of members.
pub(super) const fn cycle<const N: usize>(
    text: ConstMessage,
    all: &Members<'_>,
    start: usize,
) -> ConstMessage {
    let mut came_from = [N; N];
    let mut queue = [0; N];
    queue[0] = start;
    let (mut head, mut tail) = (0, 1);
    while head < tail {
        let at = queue[head];
        head += 1;
        let requires = all.skill(at).requires;
        let mut r = 0;
        while r < requires.len() {
            let (name, _) = split(requires[r]);
            if let Some(to) = all.required(at, name) {
                if to == start {
                    return print_cycle::<N>(text, all, &came_from, start, at);
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
    all: &Members<'_>,
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
    let first = all.skill(start).name;
    let mut text = text.also("skills require each other in a cycle: {}", &[first]);
    while length > 0 {
        length -= 1;
        text = text.push(&[" -> ", all.skill(path[length]).name]);
    }
    text.push(&[" -> ", first, "; remove one of the `requires`"])
}
