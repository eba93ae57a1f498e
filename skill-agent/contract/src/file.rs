//! The content of a contract file.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The format that this version writes and reads.
pub(super) const FORMAT: u64 = 1;

/// The key of the format's version. It identifies a contract file.
pub(super) const FORMAT_KEY: &str = "contract_format";

/// The promises of an agent to its callers, to senders of signals and to stores of its state.
///
/// ```
/// use skill_agent::contract::Contract;
/// use skill_agent::prelude::*;
///
/// agent! {
///     pub struct Idle {
///         name: "idle",
///         skills: [],
///     }
/// }
///
/// let contract = Contract::of::<Idle>();
/// assert_eq!(contract.agent_name(), "idle");
/// assert_eq!(Contract::parse(&contract.to_text()), Ok(contract));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    pub(super) contract_format: u64,
    pub(super) agent: AgentEntry,
    pub(super) skills: BTreeMap<String, SkillEntry>,
    /// The skills that may be mounted while the agent runs.
    pub(super) mountable: BTreeMap<String, MountableEntry>,
    pub(super) tools: BTreeMap<String, ToolEntry>,
    /// The schema of the whole state, whose properties are the state keys and the base fields.
    pub(super) state: Value,
    pub(super) routes: Routes,
}

/// By pattern, then by action.
pub(super) type Routes = BTreeMap<String, BTreeMap<String, RouteEntry>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentEntry {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) description: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillEntry {
    pub(super) version: Option<String>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) requires: Vec<String>,
    /// The patterns of the signals that its hooks take.
    pub(super) signals: Vec<String>,
    pub(super) state_key: String,
    /// The schema of the configuration.
    pub(super) config: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MountableEntry {
    pub(super) skill: SkillEntry,
    pub(super) tools: BTreeMap<String, ToolEntry>,
    pub(super) routes: Routes,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolEntry {
    /// The skill that it comes from; without one, the agent itself.
    pub(super) skill: Option<String>,
    pub(super) title: Option<String>,
    pub(super) description: String,
    /// The names of the hints that are set.
    pub(super) hints: Vec<String>,
    pub(super) arguments: Value,
    pub(super) answer: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RouteEntry {
    pub(super) priority: i64,
    pub(super) lenient: bool,
    /// The skill of an internal action, which is not among the tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skill: Option<String>,
}

impl Contract {
    /// The name of the agent.
    #[must_use]
    pub fn agent_name(&self) -> &str {
        &self.agent.name
    }

    /// The names of the tools that the agent lists, in alphabetical order, without mountable skills.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The names of the tools that mounting a skill adds to the list, in the order of the skills.
    pub fn mountable_tool_names(&self) -> impl Iterator<Item = &str> {
        let entries = self.mountable.values();
        entries.flat_map(|entry| entry.tools.keys().map(String::as_str))
    }
}
