//! Finds requirements that are missing or form a cycle.

use super::flags::{CYCLE, Flags, REQUIREMENT};
use super::index::find_skill;
use crate::SkillSpec;
use skill_agent_grammar::{satisfied, split};

/// Flags skills with an unmet requirement. A wrong version counts as unmet.
pub(super) const fn requirements(skills: &[SkillSpec], name_table: &[u32], flags: &mut [Flags]) {
    let mut i = 1;
    while i < skills.len() {
        let mut r = 0;
        while r < skills[i].requires.len() {
            if !is_requirement_met(skills, name_table, skills[i].requires[r]) {
                flags[i] |= REQUIREMENT;
            }
            r += 1;
        }
        i += 1;
    }
}

const fn is_requirement_met(skills: &[SkillSpec], name_table: &[u32], requirement: &str) -> bool {
    let (name, version) = split(requirement);
    match (find_skill(name_table, skills, name), version) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(other), Some(wanted)) => match skills[other].version {
            Some(version) => satisfied(wanted, version),
            None => false,
        },
    }
}

/// Flags the first skill of each requirement cycle. An iterative depth-first search visits each skill and requirement once.
pub(crate) const fn cycles<const N: usize>(
    skills: &[SkillSpec],
    name_table: &[u32],
    flags: &mut [Flags],
) {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut colour = [NEW; N];
    let mut stack = [0; N];
    let mut next = [0; N];
    let mut root = 1;
    while root < N {
        let mut depth = 0;
        if colour[root] == NEW {
            stack[0] = root;
            colour[root] = OPEN;
            depth = 1;
        }
        while depth > 0 {
            let at = stack[depth - 1];
            if next[at] == skills[at].requires.len() {
                colour[at] = DONE;
                depth -= 1;
                continue;
            }
            let (name, _) = split(skills[at].requires[next[at]]);
            next[at] += 1;
            if let Some(to) = find_skill(name_table, skills, name) {
                if colour[to] == OPEN {
                    flags[to] |= CYCLE;
                } else if colour[to] == NEW {
                    colour[to] = OPEN;
                    stack[depth] = to;
                    depth += 1;
                }
            }
        }
        root += 1;
    }
}
