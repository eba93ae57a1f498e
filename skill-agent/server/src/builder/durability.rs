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

    /// Drops a stored state, or one of its fields: `ledger`, `ledger.currency`, or for a mounted skill `skills.ledger` and
    /// `skills.ledger.currency`. `skills` stands for all mounted skills. Call this when the agent no longer has the skill or the
    /// field.
    ///
    /// Remove the call after the first start that lists the key in [`Recovery::forgotten`](crate::Recovery::forgotten). If you
    /// keep it, a state or field stored under the same key later is dropped too.
    pub fn forget(mut self, key: impl Into<String>) -> Self {
        self.settings.recovery.forget.push(key.into());
        self
    }

    /// Takes over the stored state of an agent with an earlier name: `adopt_agent("old_name")`. Otherwise, the start fails if the
    /// state under this id belongs to an agent with a different name.
    pub fn adopt_agent(mut self, name: impl Into<String>) -> Self {
        self.settings.recovery.adopt_agents.push(name.into());
        self
    }

    /// Takes over the stored state of a skill with an earlier state key, and its idempotency keys: `adopt_skill("old", "new")`.
    /// Does nothing if a state is already stored under the new key and no other call of `adopt_skill` moves it away. If the agent
    /// has no skill with the new key, [`start`](Self::start) fails.
    pub fn adopt_skill(mut self, old: impl Into<String>, new: impl Into<String>) -> Self {
        let keys = (old.into(), new.into());
        self.settings.recovery.adopt_skills.push(keys);
        self
    }

    /// Sets which records are verified before they are written, by decoding each state and encoding it again. The default is all
    /// of them.
    pub fn verify_records(mut self, verify: VerifyRecords) -> Self {
        self.settings.verify_records = verify;
        self
    }
}
