//! The documents listed by an agent.

use super::composition::{ListedDocs, is_generated_from};
use super::key::key;
use skill_core::__private::DocumentTable;
use skill_core::Agent;
use skill_core::SkillSpec;
use skill_manifest::SkillDoc;
use std::any::Any;

/// The documents in an agent's `documents: [...]`, and whether the agent offers documents to its model. Every agent implements this
/// trait, but an agent without the keys `documents` and `allow_skills` has no documents and offers none.
///
/// A [`Catalog`](super::Catalog) reads the documents from the agent, so programs rarely need this trait.
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
// One implementation covers all agents, so a catalog requires only `A: Agent`, which agents of `skill-core` implement too. The
// two keys are stored in one of the agent's `static`s. `skill-core` does not know documents, so it passes the `static` on without
// its type.
pub trait Documents: Agent {
    /// Returns the documents in list order.
    fn documents() -> impl Iterator<Item = &'static SkillDoc> + Clone {
        table::<Self>().into_iter().flat_map(AgentDocuments::docs)
    }

    /// Returns whether the agent has the tool `skill`, which offers documents to its model.
    #[must_use]
    fn allow_skills() -> bool {
        table::<Self>().is_some_and(|table| table.allow_skills)
    }
}

impl<A: Agent> Documents for A {}

fn table<A: Agent>() -> Option<&'static AgentDocuments> {
    let table: &dyn Any = A::__tables().listed_documents()?;
    table.downcast_ref()
}

/// The values of an agent's keys `documents` and `allow_skills`, as expanded by `agent!`.
#[derive(Clone, Copy, Debug)]
pub struct AgentDocuments {
    listed: &'static [ListedDocs<'static>],
    allow_skills: bool,
}

impl AgentDocuments {
    /// Creates the table.
    pub const fn new(listed: &'static [ListedDocs<'static>], allow_skills: bool) -> Self {
        Self {
            listed,
            allow_skills,
        }
    }

    fn docs(&self) -> impl Iterator<Item = &'static SkillDoc> + Clone {
        self.listed.iter().flat_map(|entry| entry.docs)
    }
}

impl DocumentTable for AgentDocuments {
    fn has_key(&self, wanted: &str, skill: Option<&SkillSpec>) -> bool {
        let is_of_skill = |doc| skill.is_some_and(|skill| is_generated_from(skill, doc));
        self.docs()
            .any(|doc| key(&doc.id) == wanted && !is_of_skill(doc))
    }

    fn version_of(&self, id: &str) -> Option<Option<&'static str>> {
        let doc = self.docs().find(|doc| doc.id == id)?;
        Some(doc.version.as_deref())
    }
}
