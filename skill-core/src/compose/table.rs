//! Open-addressed hash tables, made in const evaluation.

use super::sentence::same;
use crate::{ActionSpec, SkillSpec};

/// An empty place.
pub const EMPTY: u32 = u32::MAX;

/// How many places a table for `entries` has: a power of two, at most half full.
pub const fn capacity(entries: usize) -> usize {
    (entries * 2 + 2).next_power_of_two()
}

/// FNV-1a, which is short in const evaluation and good enough for names.
pub(crate) const fn hash(text: &str) -> u32 {
    hash_on(0x811c_9dc5, text)
}

/// Goes on hashing.
pub(crate) const fn hash_on(mut state: u32, text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        state = (state ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    state
}

/// For the names of actions, which are looked up at every call: eight bytes at a time, where FNV-1a multiplies for each.
const fn name_hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let mut state = bytes.len() as u64;
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        state = mix(state, u64::from_le_bytes(*word));
        rest = after;
    }
    // some of them for a second time
    let last = match (bytes.last_chunk(), rest.first_chunk(), rest.last_chunk()) {
        (Some(word), _, _) => u64::from_le_bytes(*word),
        (None, Some(first), Some(last)) => {
            (u32::from_le_bytes(*first) as u64) << 32 | u32::from_le_bytes(*last) as u64
        }
        (None, ..) => match rest {
            [] => 0,
            [first, ..] => {
                let (middle, last) = (rest[rest.len() / 2], rest[rest.len() - 1]);
                (*first as u64) << 16 | (middle as u64) << 8 | last as u64
            }
        },
    };
    (mix(state, last) >> 32) as u32
}

const fn mix(state: u64, word: u64) -> u64 {
    (state.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The table from the name of an action to its place. Of two with one name the first stays; `examine` tells.
pub const fn table<const CAPACITY: usize>(actions: &[ActionSpec]) -> [u32; CAPACITY] {
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

/// The place of the action called `name`.
#[inline]
pub(crate) fn find(table: &[u32], actions: &[ActionSpec], name: &str) -> Option<usize> {
    let mask = table.len() - 1;
    let mut place = name_hash(name) as usize & mask;
    loop {
        let entry = table[place];
        if entry == EMPTY {
            return None;
        }
        if actions[entry as usize].name == name {
            return Some(entry as usize);
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
        let mut place = hash(actions[i].type_path) as usize & (CAPACITY - 1);
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
    let mut place = hash(type_path) as usize & mask;
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
