//! Open-addressed hash tables of names.

use super::doc_text::str;
use super::input::{BUILT_IN, CheckInput};
use skill_core::__private::names::{self, PRIME, SEED, Slot};
use skill_core::__private::short;
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
/// table for each of the [`NameKind::COUNT`] kinds, with [`CheckInput::room`] slots each.
pub(super) const fn insert<'a>(
    input: &CheckInput<'a>,
    tables: &mut [Slot<'a>],
    kind: NameKind,
    index: usize,
) -> Option<usize> {
    let Some(key) = input.key(kind, index) else {
        return None;
    };
    let room = tables.len() / NameKind::COUNT;
    let (table, _) = tables
        .split_at_mut(kind as usize * room)
        .1
        .split_at_mut(room);
    names::insert(table, input.seed, kind.any_case(), key, index)
}

/// Inserts every name of the given kind.
pub(super) const fn fill<'a>(input: &CheckInput<'a>, tables: &mut [Slot<'a>], kind: NameKind) {
    let mut i = 0;
    while i < input.len(kind) {
        let _ = insert(input, tables, kind, i);
        i += 1;
    }
}

/// Returns the index of the item with the given name, ignoring case if `any_case` is set.
pub(super) const fn find(
    input: &CheckInput<'_>,
    tables: &[Slot<'_>],
    kind: NameKind,
    any_case: bool,
    key: &str,
) -> Option<usize> {
    let room = tables.len() / NameKind::COUNT;
    let (table, _) = tables.split_at(kind as usize * room).1.split_at(room);
    names::find(table, input.seed, any_case || kind.any_case(), key)
}

impl NameKind {
    const fn any_case(self) -> bool {
        matches!(self, Self::Ids)
    }
}

impl<'a> CheckInput<'a> {
    /// Returns an upper bound for the number of names of this kind.
    pub(super) const fn len(&self, kind: NameKind) -> usize {
        match kind {
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
    pub(super) const fn key(&self, kind: NameKind, index: usize) -> Option<&'a str> {
        match kind {
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

/// Returns a random hash seed for run time. If attackers knew the seed, they could choose document names that all collide.
pub(super) fn seed() -> u64 {
    2 + RandomState::new().hash_one(SEED) % (PRIME - 3)
}
