//! Which skills of `mounted: [...]` could never be mounted beside the others.

use super::examine::{
    ASYNC, BASE_FIELD, CIRCLE, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL, circles, names,
};
use super::index::{EMPTY, find_const};
use super::tables::AgentTables;
use crate::SkillSpec;
use skill_agent_grammar::{fnv1a, same, satisfied, split};

impl AgentTables {
    /// The number of skills: the listed ones come before those that may be mounted.
    pub(super) const fn len(&self) -> usize {
        self.skills.len() - 1 + self.mountable.len()
    }

    pub(super) const fn skill(&self, index: usize) -> &'static SkillSpec {
        let listed = self.skills.len() - 1;
        if index < listed {
            &self.skills[index + 1]
        } else {
            self.mountable[index - listed]
        }
    }

    pub(super) const fn is_listed(&self, index: usize) -> bool {
        index < self.skills.len() - 1
    }

    /// The skills that may be mounted, at `offset` in a list whose other elements are placeholders.
    pub(super) const fn mountable_at<const M: usize>(&self, offset: usize) -> [SkillSpec; M] {
        let mut list = [SkillSpec::new("nobody"); M];
        let mut i = 0;
        while i < self.mountable.len() {
            list[offset + i] = *self.mountable[i];
            i += 1;
        }
        list
    }

    /// The index of the action called `name`.
    pub(super) const fn action(&self, name: &str) -> Option<usize> {
        find_const(self.index, self.actions, name)
    }
}

/// Examines the skills of `mounted`; `TABLE` is the capacity of a table for all names.
pub const fn examine_mountable<const N: usize, const TABLE: usize>(
    all: &AgentTables,
) -> [Flags; N] {
    let mut flags = [0; N];
    let names = entered::<TABLE>(all, By::Name, NAME, &mut flags);
    let declared = entered::<TABLE>(all, By::DeclaredName, 0, &mut flags);
    entered::<TABLE>(all, By::StateKey, STATE_KEY, &mut flags);
    let first = all.len() - N;
    let mut i = 0;
    while i < N {
        let skill = all.skill(first + i);
        flags[i] |= base_field(all, skill) | tools(all, skill) | is_async(skill);
        let mut r = 0;
        while r < skill.requires.len() {
            if !is_met(all, &names, &declared, skill.requires[r]) {
                flags[i] |= REQUIREMENT;
            }
            r += 1;
        }
        i += 1;
    }
    circles_among::<TABLE>(all, &mut flags);
    flags
}

/// Skills of the list require no mounted ones, so that no circle goes through them. The table has room for all skills and
/// the agent, which `circles` leaves out.
const fn circles_among<const TABLE: usize>(all: &AgentTables, flags: &mut [Flags]) {
    let skills = all.mountable_at::<TABLE>(1);
    let mut found = [0; TABLE];
    // the clashes of names are told already
    let by_name = names::<TABLE>(&skills, &mut [0; TABLE]);
    circles::<TABLE>(&skills, &by_name, &mut found);
    let mut i = 0;
    while i < flags.len() {
        flags[i] |= found[i + 1] & CIRCLE;
        i += 1;
    }
}

#[derive(Clone, Copy)]
pub(super) enum By {
    Name,
    DeclaredName,
    StateKey,
}

impl By {
    pub(super) const fn of(self, skill: &'static SkillSpec) -> &'static str {
        match self {
            Self::Name => skill.name,
            Self::DeclaredName => skill.declared_name(),
            Self::StateKey => skill.state_key,
        }
    }
}

/// A table of all skills; one of `mounted` that finds its place taken gets the flag.
const fn entered<const C: usize>(
    all: &AgentTables,
    by: By,
    flag: Flags,
    flags: &mut [Flags],
) -> [u32; C] {
    let mut table = [EMPTY; C];
    let first = all.len() - flags.len();
    let mut i = 0;
    while i < all.len() {
        let key = by.of(all.skill(i));
        let place = place_of(all, &table, by, key);
        if table[place] == EMPTY {
            table[place] = i as u32;
        } else if i >= first {
            flags[i - first] |= flag;
        }
        i += 1;
    }
    table
}

const fn place_of(all: &AgentTables, table: &[u32], by: By, key: &str) -> usize {
    let mask = table.len() - 1;
    let mut place = fnv1a(key) as usize & mask;
    while table[place] != EMPTY && !same(by.of(all.skill(table[place] as usize)), key) {
        place = (place + 1) & mask;
    }
    place
}

const fn base_field(all: &AgentTables, skill: &SkillSpec) -> Flags {
    let mut b = 0;
    while b < all.base_keys.len() {
        if same(all.base_keys[b], skill.state_key) {
            return BASE_FIELD;
        }
        b += 1;
    }
    0
}

/// Two skills of `mounted` may have one tool: one of them is mounted then.
const fn tools(all: &AgentTables, skill: &SkillSpec) -> Flags {
    let mut a = 0;
    while a < skill.actions.len() {
        if all.action(skill.actions[a].name).is_some() {
            return TOOL;
        }
        a += 1;
    }
    0
}

const fn is_async(skill: &SkillSpec) -> Flags {
    let mut a = 0;
    while a < skill.actions.len() {
        if skill.actions[a].is_async {
            return ASYNC;
        }
        a += 1;
    }
    0
}

const fn is_met(all: &AgentTables, names: &[u32], declared: &[u32], requirement: &str) -> bool {
    let (name, wanted) = split(requirement);
    let there = match names[place_of(all, names, By::Name, name)] {
        EMPTY => declared[place_of(all, declared, By::DeclaredName, name)],
        index => index,
    };
    if there == EMPTY {
        return false;
    }
    match (wanted, all.skill(there as usize).version) {
        (None, _) => true,
        (Some(wanted), Some(version)) => satisfied(wanted, version),
        (Some(_), None) => false,
    }
}
