//! The settings of durability.

use super::AgentServerBuilder;
use crate::journal::VerifyRecords;
use skill_agent_store::Store;
use skill_core::{Agent, Resources};

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Keeps the agent in a store, under its id. An acknowledged command is then on disk, and the next start restores it.
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Box::new(store));
        self
    }

    /// Drops a stored state, or one field of it: `ledger`, `ledger.currency`, or `skills.ledger` and `skills.ledger.currency` for a
    /// mounted skill. `skills` means all mounted skills. Needed when the agent no longer has the skill or the field.
    ///
    /// Remove it after the first start that names it in [`Recovery::forgotten`](crate::Recovery::forgotten): it would drop the
    /// state or the field again when there is one later.
    pub fn forget(mut self, key: impl Into<String>) -> Self {
        self.settings.recovery.forget.push(key.into());
        self
    }

    /// Takes over the stored state of an agent that had another name: `adopt_agent("old_name")`. Without it, the state of another
    /// agent under the same id is refused.
    pub fn adopt_agent(mut self, name: impl Into<String>) -> Self {
        self.settings.recovery.adopt_agents.push(name.into());
        self
    }

    /// Takes over the stored state of a skill that had another state key, with its idempotency keys: `adopt_skill("old", "new")`.
    /// It has no effect when there is a stored state under the new key; a new key that the agent does not have makes
    /// [`start`](Self::start) fail.
    pub fn adopt_skill(mut self, old: impl Into<String>, new: impl Into<String>) -> Self {
        let keys = (old.into(), new.into());
        self.settings.recovery.adopt_skills.push(keys);
        self
    }

    /// Sets which records are verified before they are written; the default is all of them. To verify a state, it is
    /// decoded and encoded again.
    pub fn verify_records(mut self, verify: VerifyRecords) -> Self {
        self.settings.verify_records = verify;
        self
    }
}
