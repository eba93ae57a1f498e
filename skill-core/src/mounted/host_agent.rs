//! The skills and documents that an agent has without mounting them.

use super::entry_meta::{EntryMeta, Requirement, has_tool};
use crate::SkillSpec;
use crate::composition::AgentTables;
use schemars::Schema;
use std::sync::OnceLock;

/// The agent that skills and documents are mounted in: their names, keys and tools must differ from its own.
#[derive(Clone, Copy)]
pub(super) struct HostAgent(pub(super) &'static AgentTables);

impl Default for HostAgent {
    fn default() -> Self {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        static NO_AGENT: AgentTables = AgentTables::empty("mounted", &SCHEMA);
        Self(&NO_AGENT)
    }
}

impl HostAgent {
    /// The skills, without the agent itself.
    pub(super) fn skills(self) -> impl Iterator<Item = &'static SkillSpec> {
        self.0.skills.iter().skip(1)
    }

    /// Whether the agent lists a document of that name, other than the one that the skill was made from.
    pub(super) fn lists_document(self, meta: EntryMeta<'_>) -> bool {
        let skill = match meta {
            EntryMeta::Skill(spec) => Some(spec),
            EntryMeta::Document(_) => None,
        };
        self.0
            .documents
            .is_some_and(|documents| documents.has_key(&meta.key(), skill))
    }

    /// Whether what is needed is there, in a version that will do.
    pub(super) fn satisfies(self, requirement: Requirement<'_>) -> bool {
        self.versions_of(requirement)
            .any(|version| requirement.accepts(version))
    }

    /// The versions in which what is needed is there. A skill goes by the name that its author gave it too, wherever the agent
    /// mounts it.
    pub(super) fn versions_of<'a>(
        self,
        requirement: Requirement<'a>,
    ) -> impl Iterator<Item = Option<&'a str>> {
        let skills = self.skills().filter(move |spec| match requirement {
            Requirement::Name(name, _) => name == spec.name || name == spec.declared_name(),
            // found below, with those of the agent itself
            Requirement::Tool(_) => false,
            Requirement::Toolset(_) => requirement.is_met_by(EntryMeta::Skill(spec)),
        });
        let other: Option<Option<&'a str>> = match requirement {
            Requirement::Name(name, _) => self
                .0
                .documents
                .and_then(|documents| documents.version_of(name)),
            Requirement::Tool(tool) => has_tool(self.0.actions, tool).then_some(None),
            Requirement::Toolset(_) => None,
        };
        skills
            .map(|spec| -> Option<&'a str> { spec.version })
            .chain(other)
    }

    /// The skill, or the agent itself, that has an action of that name.
    pub(super) fn owner_of_action(self, action: &str) -> Option<&'static SkillSpec> {
        let (index, _) = self.0.find(action)?;
        Some(&self.0.skills[self.0.action_ids[index].skill as usize])
    }
}
