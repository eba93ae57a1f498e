//! The documents that an agent brings with it.

use super::compose::{Listed, is_made_of};
use super::key::key;
use crate::Agent;
use skill_core::__private::DocumentTable;
use skill_core::SkillSpec;
use skill_manifest::SkillDoc;
use std::any::Any;

/// The documents that `agent!` lists in `documents: [...]`, and whether the agent offers documents to its model. Every agent
/// has it; one without these keys has no documents and does not offer any.
///
/// A [`Catalog`](super) takes them from the agent, so a program rarely asks for them itself.
///
/// ```
/// use skill_agent::manifest::Documents;
/// use skill_agent::prelude::*;
///
/// agent! {
///     pub struct Clerk {
///         name: "clerk",
///         allow_skills: true,
///     }
/// }
///
/// assert!(Clerk::allow_skills());
/// assert_eq!(Clerk::documents().count(), 0);
/// ```
// One impl for all: a catalog then asks for no more than `A: Agent`, which agents of `skill-core` have too. What the keys say
// lies in a `static` of the agent that `skill-core` hands through without its type, since it knows no documents.
pub trait Documents: Agent {
    /// Its documents, in the order of the list.
    fn documents() -> impl Iterator<Item = &'static SkillDoc> + Clone {
        table::<Self>().into_iter().flat_map(Table::docs)
    }

    /// Whether the agent has the tool `skill`, which offers documents to its model (seed 003).
    #[must_use]
    fn allow_skills() -> bool {
        table::<Self>().is_some_and(|table| table.allow_skills)
    }
}

impl<A: Agent> Documents for A {}

fn table<A: Agent>() -> Option<&'static Table> {
    let table: &dyn Any = A::__tables().listed_documents()?;
    table.downcast_ref()
}

/// What `agent!` writes of the two keys.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    listed: &'static [Listed<'static>],
    allow_skills: bool,
}

impl Table {
    /// All of it.
    pub const fn new(listed: &'static [Listed<'static>], allow_skills: bool) -> Self {
        Self {
            listed,
            allow_skills,
        }
    }

    fn docs(&self) -> impl Iterator<Item = &'static SkillDoc> + Clone {
        self.listed.iter().flat_map(|entry| entry.docs)
    }
}

impl DocumentTable for Table {
    fn has_key(&self, wanted: &str, skill: Option<&SkillSpec>) -> bool {
        let is_of_skill = |doc| skill.is_some_and(|skill| is_made_of(skill, doc));
        self.docs()
            .any(|doc| key(&doc.id) == wanted && !is_of_skill(doc))
    }

    fn version_of(&self, id: &str) -> Option<Option<&'static str>> {
        let doc = self.docs().find(|doc| doc.id == id)?;
        Some(doc.version.as_deref())
    }
}
