//! Open-addressed hash tables, made in const evaluation.

use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{fnv1a, name_hash, same, same_name};

/// An empty place.
pub const EMPTY: u32 = u32::MAX;

/// How many places a table for `entries` has: a power of two, at most half full.
pub const fn capacity(entries: usize) -> usize {
    (entries * 2 + 2).next_power_of_two()
}

/// The table from the name of an action to its place. Of two with one name the first stays; `examine` tells.
pub(super) const fn index<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let _ = enter(&mut table, actions, i);
        i += 1;
    }
    table
}

/// Enters the action at `index`; gives the place of the one that has its name already.
pub(crate) const fn enter(
    table: &mut [u32],
    actions: &[ActionSpec],
    index: usize,
) -> Option<usize> {
    let mask = table.len() - 1;
    let mut place = name_hash(actions[index].name) as usize & mask;
    while table[place] != EMPTY {
        let other = table[place] as usize;
        if same(actions[other].name, actions[index].name) {
            return Some(other);
        }
        place = (place + 1) & mask;
    }
    table[place] = index as u32;
    None
}

/// The action called `name`, with its place.
pub(crate) fn find<'a>(
    table: &[u32],
    actions: &'a [ActionSpec],
    name: &str,
) -> Option<(usize, &'a ActionSpec)> {
    let mask = table.len() - 1;
    let mut place = name_hash(name) as usize & mask;
    loop {
        let index = match table[place] {
            EMPTY => return None,
            entry => entry as usize,
        };
        let spec = &actions[index];
        if same_name(spec.name, name) {
            return Some((index, spec));
        }
        place = (place + 1) & mask;
    }
}

/// The same, while compiling.
pub(super) const fn find_const(table: &[u32], actions: &[ActionSpec], name: &str) -> Option<usize> {
    let mask = table.len() - 1;
    let mut place = name_hash(name) as usize & mask;
    while table[place] != EMPTY {
        let index = table[place] as usize;
        if same(actions[index].name, name) {
            return Some(index);
        }
        place = (place + 1) & mask;
    }
    None
}

/// The table from the type path of an action to its place: a skill of 500 actions is asked 500 times for one of them.
pub const fn listed<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let mut place = fnv1a(actions[i].type_path) as usize & (CAPACITY - 1);
        while table[place] != EMPTY {
            place = (place + 1) & (CAPACITY - 1);
        }
        table[place] = i as u32;
        i += 1;
    }
    table
}

/// Whether a skill lists the action of that type path.
pub(crate) const fn lists(skill: &SkillSpec, type_path: &str) -> bool {
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
    let mut place = fnv1a(type_path) as usize & mask;
    while skill.listed[place] != EMPTY {
        if same(
            skill.actions[skill.listed[place] as usize].type_path,
            type_path,
        ) {
            return true;
        }
        place = (place + 1) & mask;
    }
    false
}

/// How many routes the skills have.
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

/// The capacity of a table for the routes of the skills.
pub const fn route_capacity(skills: &[SkillSpec]) -> usize {
    capacity(route_count(skills))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Of few letters, so that names are alike; as long as a name can be and longer.
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
            let table = index::<64>(&specs);
            for name in names.union(&others) {
                let found = find(&table, &specs, name).map(|(index, spec)| (index, spec.name));
                let place = names.iter().position(|it| it == name);
                prop_assert_eq!(found, place.map(|index| (index, &**name)));
            }
        }
    }
}
