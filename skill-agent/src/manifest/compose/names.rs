//! The names that documents are looked up by, in open-addressed tables.

use super::scene::{BUILT_IN, Scene};
use skill_core::__private::{EMPTY, same, short};
use skill_core::SkillSpec;
use skill_manifest::{List, Text};
use std::hash::{BuildHasher, RandomState};

/// A kind of names. Of two with one name the first is found.
#[derive(Clone, Copy)]
pub(super) enum Names {
    /// Of documents; case does not tell them apart.
    Ids,
    /// Of documents.
    Commands,
    /// Built in, and kept by the program.
    Reserved,
    /// That a model may call.
    Tools,
    /// Of skills: those of the agent, those it may mount, and the names their authors gave to those with another one.
    Skills,
    /// Of the Rust types of the skills, the last segment of their path.
    Types,
}

impl Names {
    /// How many kinds there are.
    pub(super) const KINDS: usize = 6;
}

/// Enters the name at `index` into its table, when there is one; gives the place of an earlier one that is the same. The tables
/// are of equal size, [`Scene::room`], in one piece of memory, one for each of [`Names::KINDS`], `EMPTY` at first.
pub(super) const fn enter(
    scene: &Scene<'_>,
    tables: &mut [u32],
    names: Names,
    index: usize,
) -> Option<usize> {
    let Some(key) = scene.key(names, index) else {
        return None;
    };
    let slot = slot(scene, tables, names, names.any_case(), key);
    if tables[slot] != EMPTY {
        return Some(tables[slot] as usize);
    }
    tables[slot] = index as u32;
    None
}

/// Enters every name of a kind.
pub(super) const fn fill(scene: &Scene<'_>, tables: &mut [u32], names: Names) {
    let mut i = 0;
    while i < scene.len(names) {
        let _ = enter(scene, tables, names, i);
        i += 1;
    }
}

/// The place of a name among its kind.
pub(super) const fn find(
    scene: &Scene<'_>,
    tables: &[u32],
    names: Names,
    key: &str,
) -> Option<usize> {
    taken(tables, slot(scene, tables, names, names.any_case(), key))
}

/// The same for a name in whatever case.
pub(super) const fn find_in_any_case(
    scene: &Scene<'_>,
    tables: &[u32],
    names: Names,
    key: &str,
) -> Option<usize> {
    taken(tables, slot(scene, tables, names, true, key))
}

const fn taken(tables: &[u32], slot: usize) -> Option<usize> {
    match tables[slot] {
        EMPTY => None,
        index => Some(index as usize),
    }
}

/// Where a name stands, or would.
const fn slot(scene: &Scene<'_>, tables: &[u32], names: Names, any_case: bool, key: &str) -> usize {
    let room = tables.len() / Names::KINDS;
    let first = names as usize * room;
    let mut place = hash(scene.seed, key) as usize & (room - 1);
    while tables[first + place] != EMPTY {
        let there = scene.key(names, tables[first + place] as usize);
        if let Some(there) = there
            && (same(there, key) || any_case && there.eq_ignore_ascii_case(key))
        {
            break;
        }
        place = (place + 1) & (room - 1);
    }
    first + place
}

impl Names {
    const fn any_case(self) -> bool {
        matches!(self, Self::Ids)
    }
}

impl<'a> Scene<'a> {
    /// How many names of a kind there may be.
    pub(super) const fn len(&self, names: Names) -> usize {
        match names {
            Names::Ids | Names::Commands => self.docs.len(),
            Names::Reserved => BUILT_IN.len() + self.reserved.len(),
            Names::Tools => match self.tools {
                Some(tools) => tools.len(),
                None => 0,
            },
            Names::Skills => 2 * self.skills.len() + self.mountable.len(),
            Names::Types => self.skills.len(),
        }
    }

    /// The name at `index`.
    pub(super) const fn key(&self, names: Names, index: usize) -> Option<&'a str> {
        match names {
            Names::Ids => Some(str(&self.docs[index].doc.id)),
            Names::Commands => match &self.docs[index].doc.command {
                Some(command) => Some(str(command)),
                None => None,
            },
            Names::Reserved if index < BUILT_IN.len() => Some(BUILT_IN[index]),
            Names::Reserved => Some(self.reserved[index - BUILT_IN.len()]),
            Names::Tools => match self.tools {
                Some(tools) => Some(tools[index]),
                None => None,
            },
            Names::Skills => self.skill_name(index),
            Names::Types => Some(short(self.skills[index].type_path)),
        }
    }

    const fn skill_name(&self, index: usize) -> Option<&'a str> {
        match self.skill_of_name(index) {
            Some(skill) => Some(skill.name),
            None => self.skills[index - self.skills.len() - self.mountable.len()].alias_of,
        }
    }

    /// The skill that has the name at `index` in the agent; `None` for the name that its author gave it.
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

    /// The skill that a requirement means by the name at `index`; `None` for one that is mounted at run time only.
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

/// The largest prime of 31 bits: products of what is smaller fit 64.
const PRIME: u64 = 0x7fff_ffff;

/// What a hash is made with while compiling: every build gives the same tables.
pub(super) const SEED: u64 = 0x0100_0193;

/// What a hash is made with at run time: strangers name their documents so that they stand together in a table only where they
/// know it.
pub(super) fn seed() -> u64 {
    2 + RandomState::new().hash_one(SEED) % (PRIME - 3)
}

/// The bytes as a polynomial, at the seed: of two texts it is the same at no more points than they are long, whoever chose them.
/// Letters of ASCII count in lower case, so that one hash serves all kinds. No calls: they are what const evaluation takes its
/// time for.
pub(super) const fn hash(seed: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    // else a NUL in front would be as none
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

/// The text of a document, in const evaluation.
pub(super) const fn str(text: &Text) -> &str {
    match text {
        Text::Borrowed(text) => text,
        Text::Owned(text) => text.as_str(),
    }
}

/// The list of a document, in const evaluation.
pub(super) const fn list(list: &List) -> &[Text] {
    match list {
        List::Borrowed(list) => list,
        List::Owned(list) => list.as_slice(),
    }
}
