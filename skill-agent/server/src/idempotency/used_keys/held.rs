//! The held keys among the used ones.

use super::{UsedKeys, delete};
use crate::idempotency::held_keys::HeldKey;
use crate::idempotency::row_key::hash_of_held;
use crate::idempotency::tables::HELD;
use skill_agent_store::TableChange;

impl UsedKeys {
    pub(super) fn forget_held(&self, gone: Vec<(HeldKey, u64)>, changes: &mut Vec<TableChange>) {
        changes.extend(gone.iter().map(|(key, seq)| delete(HELD, *seq, key)));
    }

    /// Returns the output of the call that ran under a held key.
    pub(crate) fn held(&self, given: &str) -> Option<&[u8]> {
        let key = hash_of_held(given);
        self.held.get(&key).map(|row| row.answer.as_slice())
    }

    /// Returns the change that deletes the row of a held key.
    pub(crate) fn release_row(&self, given: &str) -> Option<TableChange> {
        let key = hash_of_held(given);
        let row = self.held.get(&key)?;
        Some(delete(HELD, row.seq, &key))
    }

    /// Forgets a held key.
    pub(crate) fn release(&mut self, given: &str) {
        self.held.remove(&hash_of_held(given));
    }
}
