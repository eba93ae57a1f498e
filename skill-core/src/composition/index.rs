//! Open-addressed hash tables, built in const evaluation.

use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::names::capacity;
use skill_agent_grammar::{fnv1a, name_hash, same, same_name};

/// Marks an empty slot.
pub(crate) const EMPTY: u32 = u32::MAX;

/// Builds the table from names to action indices. If two actions share a name, the table contains the first. `examine` reports
/// the clash.
pub(super) const fn build_index<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let _ = insert(&mut table, actions, i);
        i += 1;
    }
    table
}

/// Inserts the action at `index`. If an earlier action has the same name, returns its index instead.
pub(crate) const fn insert(
    table: &mut [u32],
    actions: &[ActionSpec],
    index: usize,
) -> Option<usize> {
    let mask = table.len() - 1;
    let mut slot = name_hash(actions[index].name) as usize & mask;
    while table[slot] != EMPTY {
        let other = table[slot] as usize;
        if same(actions[other].name, actions[index].name) {
            return Some(other);
        }
        slot = (slot + 1) & mask;
    }
    table[slot] = index as u32;
    None
}

/// Finds the action called `name`, and its index.
pub(crate) fn find<'a>(
    table: &[u32],
    actions: &'a [ActionSpec],
    name: &str,
) -> Option<(usize, &'a ActionSpec)> {
    let mask = table.len() - 1;
    let mut slot = name_hash(name) as usize & mask;
    loop {
        let index = match table[slot] {
            EMPTY => return None,
            entry => entry as usize,
        };
        let spec = &actions[index];
        if same_name(spec.name, name) {
            return Some((index, spec));
        }
        slot = (slot + 1) & mask;
    }
}

/// Like [`find`], but for const evaluation. Returns only the index.
pub(super) const fn find_const(table: &[u32], actions: &[ActionSpec], name: &str) -> Option<usize> {
    let mask = table.len() - 1;
    let mut slot = name_hash(name) as usize & mask;
    while table[slot] != EMPTY {
        let index = table[slot] as usize;
        if same(actions[index].name, name) {
            return Some(index);
        }
        slot = (slot + 1) & mask;
    }
    None
}

/// Builds the table from type paths to action indices. Each of a skill's actions is looked up once, so linear searches would take
/// quadratic time.
pub const fn listed<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let mut slot = fnv1a(actions[i].type_path) as usize & (CAPACITY - 1);
        while table[slot] != EMPTY {
            slot = (slot + 1) & (CAPACITY - 1);
        }
        table[slot] = i as u32;
        i += 1;
    }
    table
}

/// Returns whether a skill lists the action with the type path `type_path`.
pub(crate) const fn lists_action(skill: &SkillSpec, type_path: &str) -> bool {
    if skill.listed.is_empty() {
        let mut i = 0;
        while i < skill.actions.len() {
            if same(skill.actions[i].type_path, type_path) {
                return true;
            }
            i += 1;
        }
        return false;
    }
    let mask = skill.listed.len() - 1;
    let mut slot = fnv1a(type_path) as usize & mask;
    while skill.listed[slot] != EMPTY {
        if same(
            skill.actions[skill.listed[slot] as usize].type_path,
            type_path,
        ) {
            return true;
        }
        slot = (slot + 1) & mask;
    }
    false
}

/// Counts the routes of all skills.
const fn route_count(skills: &[SkillSpec]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < skills.len() {
        let mut j = 0;
        while j < skills[i].actions.len() {
            count += skills[i].actions[j].routes.len();
            j += 1;
        }
        i += 1;
    }
    count
}

/// Returns the capacity of a table for all routes of the skills.
pub const fn route_capacity(skills: &[SkillSpec]) -> usize {
    capacity(route_count(skills))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Generates names of up to 40 bytes with few distinct letters, so that many are similar.
    fn names() -> impl Strategy<Value = BTreeSet<String>> {
        prop::collection::btree_set("[ab_]{0,40}|[a-z_]{1,4}", 0..30)
    }

    proptest! {
        #[test]
        fn each_name_is_found_and_no_other(names in names(), others in names()) {
            let specs: Vec<_> = names
                .iter()
                .map(|name| ActionSpec::nothing(name.clone().leak()))
                .collect();
            let table = build_index::<64>(&specs);
            for name in names.union(&others) {
                let found = find(&table, &specs, name).map(|(index, spec)| (index, spec.name));
                let index = names.iter().position(|other| other == name);
                prop_assert_eq!(found, index.map(|index| (index, &**name)));
            }
        }

        #[test]
        fn a_skill_lists_its_actions_and_no_others(names in names(), others in names()) {
            let actions: Vec<_> = names
                .iter()
                .map(|name| ActionSpec::nothing(name.clone().leak()))
                .collect();
            let mut skill = SkillSpec::new("skill");
            skill.actions = actions.leak();
            let table = listed::<32>(skill.actions);
            for listed in [&[][..], &*Vec::from(table).leak()] {
                skill.listed = listed;
                for name in names.union(&others) {
                    prop_assert_eq!(lists_action(&skill, name), names.contains(name), "{}", name);
                }
            }
        }
    }
}
