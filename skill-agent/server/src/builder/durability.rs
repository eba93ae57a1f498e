//! Builder methods for durability.

use super::AgentServerBuilder;
use crate::journal::VerifyRecords;
use skill_agent_store::Store;
use skill_core::{Agent, Resources};

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Keeps the agent in `store`, under the agent's id. Acknowledged commands are on disk, and the next start restores their
    /// changes.
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Box::new(store));
        self
    }

    /// Drops a stored state or one of its fields. For a listed skill, the key is `ledger` or `ledger.currency`; for a mounted
    /// skill, it is `skills.ledger` or `skills.ledger.currency`. The key `skills` stands for all mounted skills. Call this method
    /// when the agent no longer has the skill or the field.
    ///
    /// Remove the call after the first start that lists the key in [`Recovery::forgotten`](crate::Recovery::forgotten). Otherwise,
    /// the call also drops a state or field that is stored under the same key later.
    pub fn forget(mut self, key: impl Into<String>) -> Self {
        self.settings.recovery.forget.push(key.into());
        self
    }

    /// Takes over the state that the agent stored under an earlier name: `adopt_agent("old_name")`. Without this call, the start
    /// fails if the state under the agent's id belongs to an agent with a different name.
    pub fn adopt_agent(mut self, name: impl Into<String>) -> Self {
        self.settings.recovery.adopt_agents.push(name.into());
        self
    }

    /// Takes over a skill's state and idempotency keys from an earlier state key: `adopt_skill("old", "new")`. Does nothing if a
    /// state is already stored under the new key, unless another call of `adopt_skill` moves that state away. If the agent has no
    /// skill with the new key, [`start`](Self::start) fails.
    pub fn adopt_skill(mut self, old: impl Into<String>, new: impl Into<String>) -> Self {
        let keys = (old.into(), new.into());
        self.settings.recovery.adopt_skills.push(keys);
        self
    }

    /// Sets which records the server verifies before it writes them, by decoding each state and encoding it again. The default is
    /// all records.
    pub fn verify_records(mut self, verify: VerifyRecords) -> Self {
        self.settings.verify_records = verify;
        self
    }
}
