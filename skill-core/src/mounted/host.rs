//! The skills and documents that an agent has without mounting them.

use super::document::DocumentTable;
use super::entry_meta::{EntryMeta, Requirement, is_offered};
use crate::{ActionSpec, Agent, SkillSpec};

/// What is taken already, in the words of the agent's tables; empty where there is no agent.
#[derive(Clone, Copy)]
pub(super) struct HostAgent {
    pub(super) agent: &'static str,
    /// The agent itself first, then its skills.
    pub(super) skills: &'static [SkillSpec],
    pub(super) actions: &'static [ActionSpec],
    /// For each action the place of its skill.
    addresses: &'static [(u32, u32)],
    pub(super) base_keys: &'static [&'static str],
    documents: Option<&'static dyn DocumentTable>,
}

impl Default for HostAgent {
    fn default() -> Self {
        Self {
            agent: "mounted",
            skills: &[],
            actions: &[],
            addresses: &[],
            base_keys: &[],
            documents: None,
        }
    }
}

impl HostAgent {
    pub(super) fn of<G: Agent>() -> Self {
        let tables = G::__tables();
        Self {
            agent: G::SPEC.name,
            skills: tables.skills,
            actions: tables.actions,
            addresses: tables.addresses,
            base_keys: tables.base_keys,
            documents: G::__documents(),
        }
    }

    /// The skills, without the agent itself.
    pub(super) fn skills(self) -> impl Iterator<Item = &'static SkillSpec> {
        self.skills.iter().skip(1)
    }

    /// Whether the agent lists a document of that name, other than the one that the skill was made from.
    pub(super) fn lists(self, about: EntryMeta<'_>) -> bool {
        let skill = match about {
            EntryMeta::Skill(spec) => Some(spec),
            EntryMeta::Document(_) => None,
        };
        self.documents
            .is_some_and(|it| it.has_key(&about.key(), skill))
    }

    /// Whether what is needed is there, in a version that will do.
    pub(super) fn meets(self, need: Requirement<'_>) -> bool {
        self.versions_of(need).any(|version| need.takes(version))
    }

    /// The versions in which what is needed is there. A skill goes by the name that its author gave it too, wherever the agent
    /// mounts it.
    pub(super) fn versions_of<'a>(
        self,
        need: Requirement<'a>,
    ) -> impl Iterator<Item = Option<&'a str>> {
        let skills = self.skills().filter(move |spec| match need {
            Requirement::Name(name, _) => name == spec.name || name == spec.declared_name(),
            // found below, with those of the agent itself
            Requirement::Tool(_) => false,
            Requirement::Toolset(_) => need.is_served_by(EntryMeta::Skill(spec)),
        });
        let other: Option<Option<&'a str>> = match need {
            Requirement::Name(name, _) => self.documents.and_then(|it| it.version_of(name)),
            Requirement::Tool(tool) => is_offered(self.actions, tool).then_some(None),
            Requirement::Toolset(_) => None,
        };
        skills
            .map(|spec| -> Option<&'a str> { spec.version })
            .chain(other)
    }

    /// The skill, or the agent itself, that has an action of that name.
    pub(super) fn owner(self, action: &str) -> Option<&'static SkillSpec> {
        let at = self.actions.iter().position(|spec| spec.name == action)?;
        Some(&self.skills[self.addresses[at].0 as usize])
    }
}
