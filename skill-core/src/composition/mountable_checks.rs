//! Which skills of `mounted: [...]` could never be mounted beside the others.

use super::examine::{
    ASYNC, BASE_FIELD, CIRCLE, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL, circles, names,
};
use super::table::{EMPTY, find_const};
use crate::mounted::Mountable;
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{fnv1a, same, satisfied, split};

/// Everything a skill of `mounted` is held against: the skills of the agent, which stands first itself, their actions and
/// the table of them, and the base fields.
#[derive(Clone, Copy, Debug)]
pub struct Existing {
    skills: &'static [SkillSpec],
    pub(super) actions: &'static [ActionSpec],
    table: &'static [u32],
    base: &'static [&'static str],
    mountable: &'static [Mountable],
}

impl Existing {
    /// All of it.
    pub const fn new(
        skills: &'static [SkillSpec],
        actions: &'static [ActionSpec],
        table: &'static [u32],
        base: &'static [&'static str],
        mountable: &'static [Mountable],
    ) -> Self {
        Self {
            skills,
            actions,
            table,
            base,
            mountable,
        }
    }

    /// How many skills there are: those of the agent, without itself, come before those that may be mounted.
    pub(super) const fn len(&self) -> usize {
        self.skills.len() - 1 + self.mountable.len()
    }

    pub(super) const fn skill(&self, index: usize) -> &'static SkillSpec {
        let listed = self.skills.len() - 1;
        if index < listed {
            &self.skills[index + 1]
        } else {
            self.mountable[index - listed].spec()
        }
    }

    pub(super) const fn is_listed(&self, index: usize) -> bool {
        index < self.skills.len() - 1
    }

    /// The skills that may be mounted, behind so many empty places; what is left is empty too.
    pub(super) const fn mountable<const M: usize>(&self, before: usize) -> [SkillSpec; M] {
        let mut list = [SkillSpec::new("nobody"); M];
        let mut i = 0;
        while i < self.mountable.len() {
            list[before + i] = *self.mountable[i].spec();
            i += 1;
        }
        list
    }

    /// The place of the action called `name` among those of the agent.
    pub(super) const fn action(&self, name: &str) -> Option<usize> {
        find_const(self.table, self.actions, name)
    }
}

/// Examines the skills of `mounted`; `TABLE` is the capacity of a table for all names.
pub const fn examine_mountable<const N: usize, const TABLE: usize>(all: &Existing) -> [Flags; N] {
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
const fn circles_among<const TABLE: usize>(all: &Existing, flags: &mut [Flags]) {
    let skills = all.mountable::<TABLE>(1);
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
    all: &Existing,
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

const fn place_of(all: &Existing, table: &[u32], by: By, key: &str) -> usize {
    let mask = table.len() - 1;
    let mut place = fnv1a(key) as usize & mask;
    while table[place] != EMPTY && !same(by.of(all.skill(table[place] as usize)), key) {
        place = (place + 1) & mask;
    }
    place
}

const fn base_field(all: &Existing, skill: &SkillSpec) -> Flags {
    let mut b = 0;
    while b < all.base.len() {
        if same(all.base[b], skill.state_key) {
            return BASE_FIELD;
        }
        b += 1;
    }
    0
}

/// Two skills of `mounted` may have one tool: one of them is mounted then.
const fn tools(all: &Existing, skill: &SkillSpec) -> Flags {
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

const fn is_met(all: &Existing, names: &[u32], declared: &[u32], requirement: &str) -> bool {
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
