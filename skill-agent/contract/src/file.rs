//! The contents of a contract file.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of the only format that this version reads and writes.
pub(super) const FORMAT: u64 = 1;

/// The key for the format number, which identifies a contract file.
pub(super) const FORMAT_KEY: &str = "contract_format";

/// An agent's promises to its callers, to senders of signals and to stores of its state.
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
    /// The skills that can be mounted at run time.
    pub(super) mountable: BTreeMap<String, MountableEntry>,
    pub(super) tools: BTreeMap<String, ToolEntry>,
    /// The schema of the whole state, whose properties are the state keys and the base fields.
    pub(super) state: Value,
    pub(super) routes: Routes,
}

/// Routes, by pattern and then by action.
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
    /// Whether the model of a chat loads the skill on demand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) deferred: bool,
    /// The patterns of the signals that the skill's hooks handle.
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
    /// The tool's skill, or `None` if the tool belongs to the agent itself.
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
    /// The skill of an internal action, which is not listed among the tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skill: Option<String>,
}

impl Contract {
    /// Returns the name of the agent.
    #[must_use]
    pub fn agent_name(&self) -> &str {
        &self.agent.name
    }

    /// Returns the names of the listed tools in alphabetical order, without the tools of mountable skills.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// Returns the names of the tools that mountable skills add, in the order of the skills.
    pub fn mountable_tool_names(&self) -> impl Iterator<Item = &str> {
        let entries = self.mountable.values();
        entries.flat_map(|entry| entry.tools.keys().map(String::as_str))
    }
}
