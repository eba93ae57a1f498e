//! [`AgentSpec`]: the description of an agent.

use super::Hint;
use serde::Serialize;

/// The description of an agent, from `agent!`.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct AgentSpec {
    /// The name of the agent: `[a-z][a-z0-9_-]*`, at most 64 bytes.
    pub name: &'static str,
    /// The path of the Rust type.
    pub type_path: &'static str,
    /// The doc comment of the agent's struct.
    pub description: Option<&'static str>,
    /// The semantic version.
    pub version: Option<&'static str>,
    /// The category for catalogs.
    pub category: Option<&'static str>,
    /// The tags for searching.
    pub tags: &'static [&'static str],
    /// The hints that no action of the agent may have, including actions of skills mounted at run time.
    pub forbid: &'static [Hint],
    /// Why the agent may have actions of all three kinds in a [`DataFlow`](crate::policy::DataFlow).
    pub allow_data_flow: Option<&'static str>,
}

impl AgentSpec {
    /// Creates a spec with only a name.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            type_path: name,
            description: None,
            version: None,
            category: None,
            tags: &[],
            forbid: &[],
            allow_data_flow: None,
        }
    }

    /// Sets the path of the Rust type, as shown in messages.
    #[must_use]
    pub const fn type_path(mut self, path: &'static str) -> Self {
        self.type_path = path;
        self
    }

    /// Sets the description.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }

    /// Sets the semantic version.
    #[must_use]
    pub const fn version(mut self, version: &'static str) -> Self {
        self.version = Some(version);
        self
    }

    /// Sets the category for catalogs.
    #[must_use]
    pub const fn category(mut self, category: &'static str) -> Self {
        self.category = Some(category);
        self
    }

    /// Sets the tags for searching.
    #[must_use]
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }

    /// Sets the hints that no action may have.
    #[must_use]
    pub const fn forbid(mut self, hints: &'static [Hint]) -> Self {
        self.forbid = hints;
        self
    }

    /// Allows the data flow, with a reason for readers.
    #[must_use]
    pub const fn allow_data_flow(mut self, reason: &'static str) -> Self {
        self.allow_data_flow = Some(reason);
        self
    }
}
