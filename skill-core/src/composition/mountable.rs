//! Finds clashes of the skills in `mounted: [...]` that would prevent them from ever being mounted.

use super::effects::{data_flow, is_forbidden, with_skill};
use super::flags::{
    ASYNC, BASE_FIELD, CYCLE, DATA_FLOW, FORBIDDEN, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL,
};
use super::index::name_table;
use super::index::{EMPTY, find_const};
use super::requirements::cycles;
use super::tables::AgentTables;
use crate::SkillSpec;
use skill_agent_grammar::{fnv1a, same, satisfied, split};

impl AgentTables {
    /// Returns the number of listed and mountable skills. The listed ones come first.
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

    /// Returns a list of `M` specs: the mountable skills starting at `offset`, and placeholders elsewhere.
    pub(super) const fn mountable_at<const M: usize>(&self, offset: usize) -> [SkillSpec; M] {
        let mut list = [SkillSpec::new("placeholder"); M];
        let mut i = 0;
        while i < self.mountable.len() {
            list[offset + i] = *self.mountable[i];
            i += 1;
        }
        list
    }

    /// Returns the index of the action called `name`.
    pub(super) const fn action(&self, name: &str) -> Option<usize> {
        find_const(self.index, self.actions, name)
    }
}

/// Checks the skills in `mounted`. `TABLE` is the capacity of a hash table for all names.
pub const fn examine_mountable<const N: usize, const TABLE: usize>(
    all: &AgentTables,
) -> [Flags; N] {
    let mut flags = [0; N];
    let name_table = build_table::<TABLE>(all, NameKind::Name, NAME, &mut flags);
    let declared = build_table::<TABLE>(all, NameKind::DeclaredName, 0, &mut flags);
    build_table::<TABLE>(all, NameKind::StateKey, STATE_KEY, &mut flags);
    let first = all.len() - N;
    let flow = data_flow(all);
    let mut i = 0;
    while i < N {
        let skill = all.skill(first + i);
        if is_forbidden(&all.spec, skill) {
            flags[i] |= FORBIDDEN;
        }
        // a data flow of the listed skills alone is reported at the agent
        if !flow.is_complete() && with_skill(flow, skill).is_refused_by(&all.spec) {
            flags[i] |= DATA_FLOW;
        }
        flags[i] |= base_field(all, skill) | tools(all, skill) | is_async(skill);
        let mut r = 0;
        while r < skill.requires.len() {
            if !is_requirement_met(all, &name_table, &declared, skill.requires[r]) {
                flags[i] |= REQUIREMENT;
            }
            r += 1;
        }
        i += 1;
    }
    mountable_cycles::<TABLE>(all, &mut flags);
    flags
}

/// Finds cycles among the mountable skills. Listed skills cannot require mounted ones, so no cycle contains a listed skill. The
/// table has room for all skills and a placeholder for the agent at index 0, which `cycles` skips.
const fn mountable_cycles<const TABLE: usize>(all: &AgentTables, flags: &mut [Flags]) {
    let skills = all.mountable_at::<TABLE>(1);
    let mut found = [0; TABLE];
    // name clashes are already flagged
    let by_name = name_table::<TABLE>(&skills, &mut [0; TABLE]);
    cycles::<TABLE>(&skills, &by_name, &mut found);
    let mut i = 0;
    while i < flags.len() {
        flags[i] |= found[i + 1] & CYCLE;
        i += 1;
    }
}

/// A kind of name that must be unique among skills.
#[derive(Clone, Copy)]
pub(super) enum NameKind {
    Name,
    DeclaredName,
    StateKey,
}

impl NameKind {
    pub(super) const fn of(self, skill: &'static SkillSpec) -> &'static str {
        match self {
            Self::Name => skill.name,
            Self::DeclaredName => skill.declared_name(),
            Self::StateKey => skill.state_key,
        }
    }
}

/// Builds a hash table of all skills by one kind of name. Flags each mountable skill whose name is already in the table.
const fn build_table<const C: usize>(
    all: &AgentTables,
    kind: NameKind,
    flag: Flags,
    flags: &mut [Flags],
) -> [u32; C] {
    let mut table = [EMPTY; C];
    let first = all.len() - flags.len();
    let mut i = 0;
    while i < all.len() {
        let key = kind.of(all.skill(i));
        let slot = find_slot(all, &table, kind, key);
        if table[slot] == EMPTY {
            table[slot] = i as u32;
        } else if i >= first {
            flags[i - first] |= flag;
        }
        i += 1;
    }
    table
}

const fn find_slot(all: &AgentTables, table: &[u32], kind: NameKind, key: &str) -> usize {
    let mask = table.len() - 1;
    let mut slot = fnv1a(key) as usize & mask;
    while table[slot] != EMPTY && !same(kind.of(all.skill(table[slot] as usize)), key) {
        slot = (slot + 1) & mask;
    }
    slot
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

/// Flags a skill if one of its tools has the name of one of the agent's actions. Two skills in `mounted` may share a tool name,
/// but then only one of them can be mounted at a time.
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

const fn is_requirement_met(
    all: &AgentTables,
    name_table: &[u32],
    declared: &[u32],
    requirement: &str,
) -> bool {
    let (name, wanted) = split(requirement);
    let index = match name_table[find_slot(all, name_table, NameKind::Name, name)] {
        EMPTY => declared[find_slot(all, declared, NameKind::DeclaredName, name)],
        found => found,
    };
    if index == EMPTY {
        return false;
    }
    match (wanted, all.skill(index as usize).version) {
        (None, _) => true,
        (Some(wanted), Some(version)) => satisfied(wanted, version),
        (Some(_), None) => false,
    }
}
