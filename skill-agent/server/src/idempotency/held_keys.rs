//! The idempotency keys that a caller holds until it has stored the output itself.

use super::by_age::ByAge;
use crate::limits::{HELD_TIME, MAX_HELD_BYTES, MAX_HELD_KEYS};
use skill_agent_store::ArgumentsHash;

/// The hash of a key that its caller holds.
pub(super) type HeldKey = [u8; 32];

/// [`HELD_TIME`] in milliseconds.
const KEPT_TIME: u64 = HELD_TIME.as_millis() as u64;

/// A call under a held key, with its encoded output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldRow {
    /// The number of the command's record.
    pub(super) seq: u64,
    /// The time at which the command ran, in milliseconds since the Unix epoch.
    pub(super) at: u64,
    pub(super) arguments: Option<ArgumentsHash>,
    pub(super) answer: Vec<u8>,
}

/// The held keys, oldest first. Unlike other keys, they take no room from foreign callers, and are kept for [`HELD_TIME`] unless
/// they are released.
#[derive(Default)]
pub(super) struct HeldKeys {
    rows: ByAge<HeldKey, HeldRow>,
    bytes: usize,
}

impl HeldKeys {
    pub(super) fn get(&self, key: &HeldKey) -> Option<&HeldRow> {
        self.rows.get(key)
    }

    /// Returns whether there is room for another key at `now`, in milliseconds since the Unix epoch.
    pub(super) fn has_room(&self, now: u64) -> bool {
        let has_room = self.rows.len() < MAX_HELD_KEYS && self.bytes < MAX_HELD_BYTES;
        has_room || self.expired(now).is_some()
    }

    /// Adds a key. Returns the keys that it replaced or that have expired, each with its record number.
    pub(super) fn insert(&mut self, key: HeldKey, row: HeldRow) -> Vec<(HeldKey, u64)> {
        let now = row.at;
        let replaced = self.remove(&key);
        let mut gone: Vec<_> = replaced.map(|seq| (key, seq)).into_iter().collect();
        self.bytes += row.answer.len();
        self.rows.insert(key, row);
        while let Some(expired) = self.expired(now) {
            gone.extend(self.remove(&expired).map(|seq| (expired, seq)));
        }
        gone
    }

    /// Removes a key, and returns its record number.
    pub(super) fn remove(&mut self, key: &HeldKey) -> Option<u64> {
        let (_, row) = self.rows.remove(key)?;
        self.bytes -= row.answer.len();
        Some(row.seq)
    }

    /// Returns the oldest key if its time is over.
    fn expired(&self, now: u64) -> Option<HeldKey> {
        let oldest = self.rows.oldest()?;
        let row = self.rows.get(oldest)?;
        (row.at.saturating_add(KEPT_TIME) <= now).then_some(*oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_not_released_expires_after_thirty_days() {
        let row = |seq, at| HeldRow {
            seq,
            at,
            arguments: None,
            answer: vec![0; 4],
        };
        let mut keys = HeldKeys::default();
        assert!(keys.insert([1; 32], row(1, 0)).is_empty());
        assert!(keys.insert([2; 32], row(2, KEPT_TIME - 1)).is_empty());
        assert_eq!(keys.insert([3; 32], row(3, KEPT_TIME)), [([1; 32], 1)]);
        assert_eq!(
            (keys.remove(&[1; 32]), keys.remove(&[2; 32])),
            (None, Some(2))
        );
        assert_eq!(keys.bytes, 4);
    }
}
