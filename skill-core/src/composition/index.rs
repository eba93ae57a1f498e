//! Open-addressed hash tables, built in const evaluation.

use super::const_message::same;
use crate::{ActionSpec, SkillSpec};

/// The value of an empty slot.
pub const EMPTY: u32 = u32::MAX;

/// The number of slots of a table for `entries`: a power of two, so that at most half of them are used.
pub const fn capacity(entries: usize) -> usize {
    (entries * 2 + 2).next_power_of_two()
}

/// The FNV-1a hash, which is cheap in const evaluation and good enough for names.
pub(crate) const fn hash(text: &str) -> u32 {
    hash_on(0x811c_9dc5, text)
}

/// Continues a hash with more text.
pub(crate) const fn hash_on(mut state: u32, text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        state = (state ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    state
}

/// The hash for names of actions, which are looked up at every call. It multiplies once for each end of a name (the ends may
/// overlap) and once for every eight bytes between them, while FNV-1a multiplies for every byte.
#[inline]
const fn name_hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let (first, last) = match (ends(bytes), ends(bytes)) {
        (Some((first, last)), _) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        (None, Some((first, last))) => (
            u32::from_le_bytes(*first) as u64,
            u32::from_le_bytes(*last) as u64,
        ),
        (None, None) => (0, up_to_three(bytes)),
    };
    let mut state = mix(bytes.len() as u64, first);
    let mut rest = bytes;
    while let Some((_, after)) = rest.split_first_chunk::<8>()
        && let Some((word, _)) = after.split_first_chunk()
        && after.len() > 8
    {
        state = mix(state, u64::from_le_bytes(*word));
        rest = after;
    }
    (mix(state, last) >> 32) as u32
}

/// The first and the last `N` bytes; `None` if there are fewer.
#[inline]
const fn ends<const N: usize>(bytes: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => Some((first, last)),
        _ => None,
    }
}

/// A text of at most three bytes as a number.
#[inline]
const fn up_to_three(bytes: &[u8]) -> u64 {
    let [a, b, c] = match *bytes {
        [] => [0; 3],
        [a] => [a, 0, 0],
        [a, b] => [a, b, 0],
        [a, b, c, ..] => [a, b, c],
    };
    u32::from_le_bytes([a, b, c, 0]) as u64
}

const fn mix(state: u64, word: u64) -> u64 {
    (state.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Builds the table from names to indices of actions. Of two actions with one name it has the first; `examine` reports the
/// clash.
pub(super) const fn build_index<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let _ = insert(&mut table, actions, i);
        i += 1;
    }
    table
}

/// Inserts the action at `index`. Returns the index of an earlier action with the same name instead, if there is one.
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

/// Finds the action with that name, and its index.
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
        if is_same(spec.name, name) {
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

/// Compares names without a call to `memcmp` for up to sixteen bytes, which nearly all names have.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        0..4 => up_to_three(one) == up_to_three(other),
        4..8 => ends::<4>(one) == ends::<4>(other),
        8..=16 => ends::<8>(one) == ends::<8>(other),
        _ => one == other,
    }
}

/// Builds the table from type paths to indices of actions. Each action of a skill is looked up once, so a linear search would
/// be quadratic.
pub const fn listed<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
    let mut table = [EMPTY; CAPACITY];
    let mut i = 0;
    while i < actions.len() {
        let mut slot = hash(actions[i].type_path) as usize & (CAPACITY - 1);
        while table[slot] != EMPTY {
            slot = (slot + 1) & (CAPACITY - 1);
        }
        table[slot] = i as u32;
        i += 1;
    }
    table
}

/// Whether a skill lists the action with that type path.
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
    let mut slot = hash(type_path) as usize & mask;
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

/// The number of routes of all skills.
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

    /// Names of few distinct letters, so that many are similar, and of up to 40 bytes.
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
        fn names_that_differ_in_one_place_are_not_the_same(name in "[ab_]{1,40}", at: usize) {
            prop_assert!(is_same(&name, &name.clone()));
            let at = at % name.len();
            let mut other = name.clone();
            other.replace_range(at..=at, "c");
            prop_assert!(!is_same(&name, &other));
            prop_assert!(name_hash(&name) != name_hash(&other));
            prop_assert!(!is_same(&name, &name[..at]));
        }
    }
}
