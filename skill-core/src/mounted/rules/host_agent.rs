//! The agent that mounted skills belong to.

use crate::SkillSpec;
use crate::composition::AgentTables;
use crate::mounted::rules::entry_meta::{EntryMeta, Requirement, has_tool};
use schemars::Schema;
use std::sync::OnceLock;

/// The agent in which skills and documents are mounted. Their names, keys and tools must differ from its own.
#[derive(Clone, Copy)]
pub(crate) struct HostAgent(pub(crate) &'static AgentTables);

impl Default for HostAgent {
    fn default() -> Self {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        static NO_AGENT: AgentTables = AgentTables::empty(&SCHEMA);
        Self(&NO_AGENT)
    }
}

impl HostAgent {
    /// Returns the listed skills, without the agent itself.
    pub(crate) fn skills(self) -> impl Iterator<Item = &'static SkillSpec> {
        self.0.listed_skills().iter()
    }

    /// Returns whether the agent lists a document with the same name. The document that a skill was generated from does not
    /// count.
    pub(crate) fn lists_document(self, meta: EntryMeta<'_>) -> bool {
        let skill = match meta {
            EntryMeta::Skill(spec) => Some(spec),
            EntryMeta::Document(_) => None,
        };
        self.0
            .documents
            .is_some_and(|documents| documents.has_key(&meta.key(), skill))
    }

    /// Returns the agent's list that has a skill or document with that name.
    pub(crate) fn list_of(self, name: &str) -> Option<&'static str> {
        if self.skills().any(|spec| spec.name == name) {
            return Some("skills");
        }
        let documents = self.0.documents?;
        documents.version_of(name).map(|_| "documents")
    }

    /// Returns whether the agent satisfies a requirement, including the version.
    pub(crate) fn satisfies(self, requirement: Requirement<'_>) -> bool {
        self.versions_of(requirement)
            .any(|version| requirement.accepts(version))
    }

    /// Returns the versions of the agent's skills and documents with the required name, tool or type. A skill listed under an
    /// alias is also found by the name in its own spec.
    pub(crate) fn versions_of<'a>(
        self,
        requirement: Requirement<'a>,
    ) -> impl Iterator<Item = Option<&'a str>> {
        let skills = self.skills().filter(move |spec| match requirement {
            Requirement::Name(name, _) => name == spec.name || name == spec.declared_name(),
            // found below, together with the agent's own tools
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
}
