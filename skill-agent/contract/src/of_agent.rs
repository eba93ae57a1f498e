//! Creates the contract of an agent.

use super::file::{
    AgentEntry, Contract, FORMAT, MountableEntry, RouteEntry, Routes, SkillEntry, ToolEntry,
};
use serde_json::Value;
use skill_core::process;
use skill_core::{ActionSpec, Agent, Hints, SkillSpec, Tool, ToolBuf};
use std::collections::BTreeMap;

impl Contract {
    /// Returns the contract of the agent `G`.
    #[must_use]
    pub fn of<G: Agent>() -> Self {
        let described = G::describe();
        let tool = |tool: &Tool<'_>| {
            let owner = process::skill_of::<G>(tool.name);
            (tool.name.to_owned(), tool_entry(tool, owner))
        };
        let tools: BTreeMap<_, _> = G::tools().iter().map(tool).collect();
        let mut routes = Routes::new();
        for (route, action) in G::routes() {
            let skill = process::skill_of::<G>(action);
            let skill = skill.filter(|_| !tools.contains_key(action));
            let entry = RouteEntry {
                priority: route.priority.into(),
                lenient: route.lenient,
                skill: skill.map(|skill| skill.name.to_owned()),
            };
            let actions = routes.entry(route.pattern.into_owned()).or_default();
            actions.insert(action.to_owned(), entry);
        }
        let mountable = G::__mountable().unwrap_or_default().iter();
        let mountable = mountable.map(|entry| entry.spec());
        Self {
            contract_format: FORMAT,
            agent: AgentEntry {
                name: G::SPEC.name.to_owned(),
                version: G::SPEC.version.map(str::to_owned),
                description: G::SPEC.description.map(str::to_owned),
            },
            skills: G::skills()
                .iter()
                .zip(list(&described, "skills"))
                .map(|(spec, shown)| (spec.name.to_owned(), skill_entry(spec, shown)))
                .collect(),
            mountable: mountable
                .zip(list(&described, "mounted"))
                .map(|(spec, shown)| (spec.name.to_owned(), mountable_entry(spec, shown)))
                .collect(),
            tools,
            state: G::schema().as_value().clone(),
            routes,
        }
    }
}

impl Contract {
    /// Returns the contract with other tools, such as those that an MCP server lists. Hints, texts and a missing schema of an answer
    /// are taken from the tool of this contract with the same name.
    ///
    /// ```
    /// use serde_json::json;
    /// use skill_agent::ToolBuf;
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
    /// let wait = ToolBuf::new("wait", "Waits.", json!({ "type": "object" }));
    /// let contract = Contract::of::<Idle>();
    /// let changes = contract.changes_to(&contract.with_tools([wait]));
    /// assert_eq!(changes.list[0].to_string(), "tools.wait: new");
    /// ```
    #[must_use]
    pub fn with_tools(&self, tools: impl IntoIterator<Item = ToolBuf>) -> Self {
        let entry = |tool: ToolBuf| {
            let mut entry = match self.tools.get(&tool.name) {
                Some(known) => known.clone(),
                None => tool_entry(&tool.as_tool(), None),
            };
            entry.arguments = tool.input_schema;
            entry.answer = tool.output_schema.or(entry.answer);
            (tool.name, entry)
        };
        Self {
            tools: tools.into_iter().map(entry).collect(),
            ..self.clone()
        }
    }
}

fn list<'a>(described: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = described[key].as_array();
    list.into_iter().flatten()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Returns the entry of a skill. `shown` is the skill as in the agent's description: secrets are masked, and references are
/// replaced with tool names.
fn skill_entry(spec: &SkillSpec, shown: &Value) -> SkillEntry {
    SkillEntry {
        version: spec.version.map(str::to_owned),
        title: spec.title.map(str::to_owned),
        description: spec.description.map(str::to_owned),
        instructions: shown["instructions"].as_str().map(str::to_owned),
        requires: owned(spec.requires),
        deferred: spec.deferred,
        signals: owned(spec.signals),
        state_key: spec.state_key.to_owned(),
        config: shown
            .get("config_schema")
            .filter(|schema| !schema.is_null())
            .cloned(),
    }
}

fn mountable_entry(spec: &SkillSpec, shown: &Value) -> MountableEntry {
    let tools = spec.actions.iter().filter(|action| !action.internal);
    let tool = |action: &ActionSpec| {
        let tool = Tool::of(action);
        (action.name.to_owned(), tool_entry(&tool, Some(spec)))
    };
    let mut routes = Routes::new();
    for action in spec.actions {
        for route in action.routes {
            let entry = RouteEntry {
                priority: route.priority.into(),
                lenient: route.lenient,
                skill: None,
            };
            let actions = routes.entry(spec.spell(&route.pattern)).or_default();
            actions.insert(action.name.to_owned(), entry);
        }
    }
    MountableEntry {
        skill: skill_entry(spec, shown),
        tools: tools.map(tool).collect(),
        routes,
    }
}

fn tool_entry(tool: &Tool<'_>, owner: Option<&SkillSpec>) -> ToolEntry {
    ToolEntry {
        skill: owner.map(|skill| skill.name.to_owned()),
        title: tool.title.map(str::to_owned),
        description: tool.description.to_owned(),
        hints: hints(tool.hints),
        arguments: tool.input_schema().clone(),
        answer: tool.output_schema().cloned(),
    }
}

/// Returns the names of the hints that are set, in alphabetical order.
fn hints(hints: Hints) -> Vec<String> {
    let hints: BTreeMap<String, Value> = match serde_json::to_value(hints) {
        Ok(Value::Object(hints)) => hints.into_iter().collect(),
        _ => BTreeMap::new(),
    };
    let set = hints.into_iter().filter(|(_, is_set)| *is_set == true);
    set.map(|(name, _)| name).collect()
}
