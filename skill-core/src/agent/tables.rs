//! Everything about an agent that is known while compiling, in one `static` that `agent!` makes.

use super::slot::SlotVtable;
use crate::composition::find;
use crate::{ActionSpec, Agent, SkillSpec, Tool};
use schemars::Schema;
use std::sync::OnceLock;

/// The tables of the agent `G`.
pub struct AgentTables<G: Agent> {
    /// The agent itself first, then its skills.
    pub(crate) skills: &'static [SkillSpec],
    pub(crate) actions: &'static [ActionSpec],
    pub(crate) addresses: &'static [(u32, u32)],
    pub(crate) tools: &'static [Tool<'static>],
    pub(crate) table: &'static [u32],
    pub(crate) slots: &'static [SlotVtable<G>],
    pub(crate) base_keys: &'static [&'static str],
    pub(crate) schema: OnceLock<Schema>,
}

impl<G: Agent> AgentTables<G> {
    /// All tables of an agent.
    pub const fn new(
        skills: &'static [SkillSpec],
        actions: &'static [ActionSpec],
        addresses: &'static [(u32, u32)],
        tools: &'static [Tool<'static>],
        table: &'static [u32],
        slots: &'static [SlotVtable<G>],
        base_keys: &'static [&'static str],
    ) -> Self {
        Self {
            skills,
            actions,
            addresses,
            tools,
            table,
            slots,
            base_keys,
            schema: OnceLock::new(),
        }
    }

    /// The action called `name`, with its place.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &'static ActionSpec)> {
        find(self.table, self.actions, name)
    }
}
