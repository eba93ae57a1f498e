//! Open-addressed hash tables of names.

use super::doc_text::str;
use super::input::{BUILT_IN, CheckInput, SEED};
use skill_core::__private::{EMPTY, same, short};
use skill_core::SkillSpec;
use std::hash::{BuildHasher, RandomState};

/// A kind of name. If several items share a name, the first one is found.
#[derive(Clone, Copy)]
pub(super) enum NameKind {
    /// The ids of documents, ignoring case.
    Ids,
    /// The commands of documents.
    Commands,
    /// The commands that are built in or reserved.
    Reserved,
    /// The tools that a model may call.
    Tools,
    /// The names of skills: listed skills, mountable skills, and the original names of aliased skills.
    Skills,
    /// The Rust types of the skills, by the last segment of their path.
    Types,
}

impl NameKind {
    /// The number of kinds of names.
    pub(super) const COUNT: usize = 6;
}

/// Inserts the name at `index` into its table, and returns the index of an earlier item with the same name. `tables` contains one
/// table for each of the [`NameKind::COUNT`] kinds, with [`CheckInput::room`] slots each, initially `EMPTY`.
pub(super) const fn insert(
    input: &CheckInput<'_>,
    tables: &mut [u32],
    names: NameKind,
    index: usize,
) -> Option<usize> {
    let Some(key) = input.key(names, index) else {
        return None;
    };
    let slot = slot(input, tables, names, names.any_case(), key);
    if tables[slot] != EMPTY {
        return Some(tables[slot] as usize);
    }
    tables[slot] = index as u32;
    None
}

/// Inserts every name of the given kind.
pub(super) const fn fill(input: &CheckInput<'_>, tables: &mut [u32], names: NameKind) {
    let mut i = 0;
    while i < input.len(names) {
        let _ = insert(input, tables, names, i);
        i += 1;
    }
}

/// Returns the index of the item with the given name.
pub(super) const fn find(
    input: &CheckInput<'_>,
    tables: &[u32],
    names: NameKind,
    key: &str,
) -> Option<usize> {
    index_at(tables, slot(input, tables, names, names.any_case(), key))
}

/// Like [`find`], but ignores case.
pub(super) const fn find_in_any_case(
    input: &CheckInput<'_>,
    tables: &[u32],
    names: NameKind,
    key: &str,
) -> Option<usize> {
    index_at(tables, slot(input, tables, names, true, key))
}

const fn index_at(tables: &[u32], slot: usize) -> Option<usize> {
    match tables[slot] {
        EMPTY => None,
        index => Some(index as usize),
    }
}

/// Returns a name's slot, or the free slot for it.
const fn slot(
    input: &CheckInput<'_>,
    tables: &[u32],
    names: NameKind,
    any_case: bool,
    key: &str,
) -> usize {
    let room = tables.len() / NameKind::COUNT;
    let first = names as usize * room;
    let mut probe = hash(input.seed, key) as usize & (room - 1);
    while tables[first + probe] != EMPTY {
        let stored = input.key(names, tables[first + probe] as usize);
        if let Some(stored) = stored
            && (same(stored, key) || any_case && stored.eq_ignore_ascii_case(key))
        {
            break;
        }
        probe = (probe + 1) & (room - 1);
    }
    first + probe
}

impl NameKind {
    const fn any_case(self) -> bool {
        matches!(self, Self::Ids)
    }
}

impl<'a> CheckInput<'a> {
    /// Returns an upper bound for the number of names of this kind.
    pub(super) const fn len(&self, names: NameKind) -> usize {
        match names {
            NameKind::Ids | NameKind::Commands => self.docs.len(),
            NameKind::Reserved => BUILT_IN.len() + self.reserved.len(),
            NameKind::Tools => match self.tools {
                Some(tools) => tools.len(),
                None => 0,
            },
            NameKind::Skills => 2 * self.skills.len() + self.mountable.len(),
            NameKind::Types => self.skills.len(),
        }
    }

    /// Returns the name of the item at `index`.
    pub(super) const fn key(&self, names: NameKind, index: usize) -> Option<&'a str> {
        match names {
            NameKind::Ids => Some(str(&self.docs[index].doc.id)),
            NameKind::Commands => match &self.docs[index].doc.command {
                Some(command) => Some(str(command)),
                None => None,
            },
            NameKind::Reserved if index < BUILT_IN.len() => Some(BUILT_IN[index]),
            NameKind::Reserved => Some(self.reserved[index - BUILT_IN.len()]),
            NameKind::Tools => match self.tools {
                Some(tools) => Some(tools[index]),
                None => None,
            },
            NameKind::Skills => self.skill_name(index),
            NameKind::Types => Some(short(self.skills[index].type_path)),
        }
    }

    const fn skill_name(&self, index: usize) -> Option<&'a str> {
        match self.skill_of_name(index) {
            Some(skill) => Some(skill.name),
            None => self.skills[index - self.skills.len() - self.mountable.len()].alias_of,
        }
    }

    /// Returns the agent's skill with the name at `index`, or `None` for the original name of an aliased skill.
    pub(super) const fn skill_of_name(&self, index: usize) -> Option<&'a SkillSpec> {
        let listed = self.skills.len();
        if index < listed {
            Some(&self.skills[index])
        } else if index < listed + self.mountable.len() {
            Some(self.mountable[index - listed].spec())
        } else {
            None
        }
    }

    /// Returns the skill that the name at `index` refers to in a requirement, or `None` for a skill that is only mounted at run
    /// time.
    pub(super) const fn required_skill(&self, index: usize) -> Option<&'a SkillSpec> {
        let (listed, mountable) = (self.skills.len(), self.mountable.len());
        if index < listed {
            Some(&self.skills[index])
        } else if index < listed + mountable {
            None
        } else {
            Some(&self.skills[index - listed - mountable])
        }
    }
}

/// The largest prime below 2^31, so that the product of two residues fits in 64 bits.
const PRIME: u64 = 0x7fff_ffff;

/// Returns a random hash seed for run time. If attackers knew the seed, they could choose document names that all collide.
pub(super) fn seed() -> u64 {
    2 + RandomState::new().hash_one(SEED) % (PRIME - 3)
}

/// Hashes the bytes as a polynomial, evaluated at `seed`. Two strings collide for at most as many seeds as they have bytes, even
/// if an attacker chooses the strings. ASCII letters are hashed in lower case, so that the same hash works for all kinds of
/// names. The loop calls no functions, because calls take most of the time in const evaluation.
pub(super) const fn hash(seed: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    // otherwise leading NULs would not change the hash
    let mut state = 1;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        let is_upper = b'A' <= byte && byte <= b'Z';
        state = (state * seed + (byte as u64 | (is_upper as u64) << 5)) % PRIME;
        i += 1;
    }
    state
}
