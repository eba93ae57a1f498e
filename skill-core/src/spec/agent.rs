//! [`AgentSpec`]: the description of an agent.

use super::{Hint, ScheduleSpec};
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
    /// The schedules that every server of the agent has.
    pub schedules: &'static [ScheduleSpec],
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
            schedules: &[],
        }
    }

    crate::setters! {
        /// Sets the path of the Rust type, as shown in messages.
        pub const fn type_path(path: &'static str) { type_path = path }

        /// Sets the description.
        pub const fn description(text: &'static str) { description = Some(text) }

        /// Sets the semantic version.
        pub const fn version(version: &'static str) { version = Some(version) }

        /// Sets the category for catalogs.
        pub const fn category(category: &'static str) { category = Some(category) }

        /// Sets the tags for searching.
        pub const fn tags(tags: &'static [&'static str]) { tags = tags }

        /// Sets the hints that no action may have.
        pub const fn forbid(hints: &'static [Hint]) { forbid = hints }

        /// Allows the data flow, with a reason for readers.
        pub const fn allow_data_flow(reason: &'static str) { allow_data_flow = Some(reason) }

        /// Sets the schedules that every server has.
        pub const fn schedules(schedules: &'static [ScheduleSpec]) { schedules = schedules }
    }
}
