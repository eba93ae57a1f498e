//! An agent's tables: its static data, independent of its type.

use super::index::{build_index, find};
use crate::{ActionSpec, AgentSpec, SkillSpec, Tool};
use schemars::Schema;
use std::any::Any;
use std::fmt;
use std::sync::OnceLock;

/// The documents in an agent's `documents: [...]`. This is a trait, because this crate does not know any document format.
#[doc(hidden)]
pub trait DocumentTable: Any + Send + Sync {
    /// Returns whether one of the documents has an id that equals `key`. The document that `skill` was generated from does not
    /// count.
    fn has_key(&self, key: &str, skill: Option<&SkillSpec>) -> bool;

    /// Returns the version of the document called `id`, or `None` if there is no such document.
    fn version_of(&self, id: &str) -> Option<Option<&'static str>>;
}

/// An action's position in an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActionId {
    /// The index of the action's skill; 0 is the agent itself.
    pub skill: u32,
    /// The index of the action in that skill.
    pub action: u32,
}

impl ActionId {
    pub(crate) const fn new(skill: usize, action: usize) -> Self {
        Self {
            skill: skill as u32,
            action: action as u32,
        }
    }
}

/// An agent's tables. `agent!` generates them as one `static`.
pub struct AgentTables {
    /// The agent's name.
    pub(crate) agent: &'static str,
    /// The agent's spec if the agent forbids hints or allows the data flow. Otherwise, a spec with only the name.
    pub(crate) spec: AgentSpec,
    /// The skills' specs under their names in the agent. The agent itself comes first.
    pub(crate) skills: &'static [SkillSpec],
    /// The actions of all skills under their names in the agent.
    pub(crate) actions: &'static [ActionSpec],
    /// The position of each element of `actions`.
    pub(crate) action_ids: &'static [ActionId],
    pub(crate) tools: &'static [Tool<'static>],
    /// The hash table from names to indices in `actions`.
    pub(crate) index: &'static [u32],
    pub(crate) base_keys: &'static [&'static str],
    /// The specs of the skills in `mounted: [...]`.
    pub(crate) mountable: &'static [&'static SkillSpec],
    pub(crate) documents: Option<&'static dyn DocumentTable>,
    /// The schema of the state, generated at first use, once per process.
    pub(crate) schema: &'static OnceLock<Schema>,
}

impl AgentTables {
    /// Creates empty tables for mounted skills without an agent. Messages call the agent `mounted`.
    pub(crate) const fn empty(schema: &'static OnceLock<Schema>) -> Self {
        Self {
            agent: "mounted",
            // without an agent there is no model that could leak data
            spec: AgentSpec::new("mounted").allow_data_flow("no agent"),
            skills: const { &[SkillSpec::new("mounted")] },
            actions: &[],
            action_ids: &[],
            tools: &[],
            index: &[super::index::EMPTY],
            base_keys: &[],
            mountable: &[],
            documents: None,
            schema,
        }
    }

    crate::setters! {
        /// Sets the agent's spec, with the forbidden hints and the allowed data flow.
        pub const fn spec(spec: AgentSpec) { spec = spec }

        /// Adds the skills that the agent may mount at run time.
        pub const fn mountable(specs: &'static [&'static SkillSpec]) { mountable = specs }

        /// Adds the agent's listed documents.
        pub const fn documents(documents: &'static dyn DocumentTable) { documents = Some(documents) }
    }

    /// Returns the agent's listed documents.
    pub fn listed_documents(&self) -> Option<&'static dyn DocumentTable> {
        self.documents
    }

    /// Returns the specs of the listed skills, without the agent itself.
    pub const fn listed_skills(&self) -> &'static [SkillSpec] {
        self.skills.split_at(1).1
    }

    /// Returns the actions of all listed skills.
    pub const fn actions(&self) -> &'static [ActionSpec] {
        self.actions
    }

    /// Returns the tools of all listed skills.
    pub const fn tools(&self) -> &'static [Tool<'static>] {
        self.tools
    }

    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &'static ActionSpec)> {
        find(self.index, self.actions, name)
    }
}

impl fmt::Debug for AgentTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentTables")
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// The arrays behind an agent's tables, computed at compile time.
#[derive(Debug)]
pub struct TableStorage<const ACTIONS: usize, const TOOLS: usize, const INDEX: usize> {
    actions: [ActionSpec; ACTIONS],
    action_ids: [ActionId; ACTIONS],
    tools: [Tool<'static>; TOOLS],
    index: [u32; INDEX],
}

impl<const ACTIONS: usize, const TOOLS: usize, const INDEX: usize>
    TableStorage<ACTIONS, TOOLS, INDEX>
{
    /// Computes the arrays for `skills`. The lengths come from [`action_count`], [`tool_count`] and
    /// [`capacity`](super::capacity).
    #[must_use]
    pub const fn new(skills: &[SkillSpec]) -> Self {
        let (actions, action_ids) = actions(skills);
        Self {
            action_ids,
            tools: tools(&actions),
            index: build_index(&actions),
            actions,
        }
    }

    /// Returns tables over these arrays.
    pub const fn tables(
        &'static self,
        skills: &'static [SkillSpec],
        base_keys: &'static [&'static str],
        schema: &'static OnceLock<Schema>,
    ) -> AgentTables {
        AgentTables {
            agent: skills[0].name,
            spec: AgentSpec::new(skills[0].name),
            skills,
            actions: &self.actions,
            action_ids: &self.action_ids,
            tools: &self.tools,
            index: &self.index,
            base_keys,
            mountable: &[],
            documents: None,
            schema,
        }
    }
}

/// Counts the actions of all skills.
pub const fn action_count(skills: &[SkillSpec]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < skills.len() {
        count += skills[i].actions.len();
        i += 1;
    }
    count
}

/// Counts the tools of all skills.
pub const fn tool_count(skills: &[SkillSpec]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < skills.len() {
        let mut j = 0;
        while j < skills[i].actions.len() {
            if !skills[i].actions[j].internal {
                count += 1;
            }
            j += 1;
        }
        i += 1;
    }
    count
}

/// Returns the actions of all skills under their names in the agent, and the position of each.
const fn actions<const N: usize>(skills: &[SkillSpec]) -> ([ActionSpec; N], [ActionId; N]) {
    let mut list = [ActionSpec::nothing(""); N];
    let mut ids = [ActionId::new(0, 0); N];
    let mut n = 0;
    let mut i = 0;
    while i < skills.len() {
        let mut names = skills[i].prefixed;
        let mut j = 0;
        while j < skills[i].actions.len() {
            list[n] = skills[i].actions[j];
            ids[n] = ActionId::new(i, j);
            if !names.is_empty() {
                let length = skills[i].name.len() + 1 + list[n].name.len();
                let (name, rest) = names.split_at(length);
                list[n].name = name;
                names = rest;
            }
            n += 1;
            j += 1;
        }
        i += 1;
    }
    (list, ids)
}

const fn tools<const N: usize>(actions: &[ActionSpec]) -> [Tool<'static>; N] {
    let mut list = [Tool::of(&ActionSpec::nothing("")); N];
    let mut n = 0;
    let mut i = 0;
    while i < actions.len() {
        if !actions[i].internal {
            list[n] = Tool::of(&actions[i]);
            n += 1;
        }
        i += 1;
    }
    list
}
