//! The order of skills by their requirements, and requirements that form a cycle.

use super::flags::{CYCLE, Flags};
use super::members::Members;
use super::tables::AgentTables;
use skill_agent_grammar::split;

impl AgentTables {
    /// Returns the indices of the skills, each after the skills it requires. The agent itself comes first. There are no cycles,
    /// because the composition check refuses them.
    pub(crate) fn requirement_order(&self) -> Vec<usize> {
        let mut order = vec![0];
        let mut is_placed = vec![false; self.skills.len()];
        for skill in 1..self.skills.len() {
            self.visit(skill, &mut is_placed, &mut order);
        }
        order
    }

    fn visit(&self, skill: usize, is_placed: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut is_placed[skill], true) {
            return;
        }
        for requirement in self.skills[skill].requires {
            let (name, _) = split(requirement);
            if let Some(other) = Members::of(self).required(skill, name) {
                self.visit(other, is_placed, order);
            }
        }
        order.push(skill);
    }
}

/// Flags the first skill of each requirement cycle. An iterative depth-first search visits each skill and requirement once.
pub(super) const fn cycles<const N: usize>(all: &Members<'_>, flags: &mut [Flags]) {
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
            let requires = all.skill(at).requires;
            if next[at] == requires.len() {
                colour[at] = DONE;
                depth -= 1;
                continue;
            }
            let (name, _) = split(requires[next[at]]);
            next[at] += 1;
            if let Some(to) = all.required(at, name) {
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
