//! The keys of calls.

use super::row_key::CallKey;
use crate::server::limits::MAX_KEYS;
use crate::store::ArgumentsHash;
use std::collections::{HashMap, VecDeque};

/// How long a key is kept, in milliseconds …
const KEPT_TIME: u64 = 24 * 60 * 60 * 1_000;
/// … and that many are kept for longer.
const KEPT: usize = 100_000;
/// The most keys that one command lets go of.
const EXPIRED_AT_ONCE: usize = 16;

/// A call that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallRow {
    /// The number of its record.
    pub(super) seq: u64,
    /// Its time, in milliseconds since the Unix epoch.
    pub(super) at: u64,
    pub(super) arguments: Option<ArgumentsHash>,
}

/// How many keys there may be.
#[derive(Clone, Copy)]
struct Retention {
    kept: usize,
    max: usize,
}

/// The keys of calls that have run. The oldest are let go of after a day, while there are more than 100,000.
pub(super) struct CallKeys {
    rows: HashMap<CallKey, CallRow>,
    /// The oldest comes first.
    order: VecDeque<CallKey>,
    retention: Retention,
}

impl Default for CallKeys {
    fn default() -> Self {
        Self::with(Retention {
            kept: KEPT,
            max: MAX_KEYS,
        })
    }
}

impl CallKeys {
    fn with(retention: Retention) -> Self {
        Self {
            rows: HashMap::new(),
            order: VecDeque::new(),
            retention,
        }
    }

    pub(super) fn get(&self, key: &CallKey) -> Option<&CallRow> {
        self.rows.get(key)
    }

    /// Whether there is room for another key at a time in milliseconds since the Unix epoch.
    pub(super) fn has_room(&self, now: u64) -> bool {
        self.order.len() < self.retention.max || self.expired(now).is_some()
    }

    /// The oldest key, if it need not be kept.
    fn expired(&self, now: u64) -> Option<&CallKey> {
        let oldest = self.order.front()?;
        let is_old = self.rows.get(oldest)?.at.saturating_add(KEPT_TIME) <= now;
        (is_old && self.order.len() > self.retention.kept).then_some(oldest)
    }

    /// Adds a key, and returns those that it lets go of.
    pub(super) fn insert(&mut self, key: CallKey, row: CallRow) -> Vec<CallKey> {
        if self.rows.insert(key, row).is_none() {
            self.order.push_back(key);
        }
        let mut gone = Vec::new();
        while gone.len() < EXPIRED_AT_ONCE
            && let Some(expired) = self.expired(row.at).copied()
        {
            self.order.pop_front();
            self.rows.remove(&expired);
            gone.push(expired);
        }
        gone
    }

    /// Removes the key of a command that was undone, one of the newest.
    pub(super) fn remove(&mut self, key: &CallKey) {
        if self.rows.remove(key).is_some()
            && let Some(at) = self.order.iter().rposition(|other| other == key)
        {
            self.order.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> CallKey {
        let mut key = [0; 36];
        key[..8].copy_from_slice(&number.to_be_bytes());
        key
    }

    fn row(at: u64) -> CallRow {
        CallRow {
            seq: 1,
            at,
            arguments: None,
        }
    }

    #[test]
    fn keys_are_kept_for_a_day_and_the_last_ones_for_longer() {
        let mut keys = CallKeys::with(Retention { kept: 3, max: 5 });
        for number in 0..4 {
            assert!(keys.insert(key(number), row(number as u64)).is_empty());
        }
        assert!(keys.insert(key(4), row(KEPT_TIME - 1)).is_empty());
        assert!(!keys.has_room(KEPT_TIME - 1), "five are younger than a day");
        assert!(keys.has_room(KEPT_TIME), "the first is a day old");
        let gone = keys.insert(key(5), row(KEPT_TIME + 1_000));
        assert_eq!(gone, [key(0), key(1), key(2)], "three are kept");
        assert!(keys.get(&key(0)).is_none() && keys.get(&key(3)).is_some());
        assert!(keys.insert(key(6), row(0)).is_empty(), "the clock jumped");
        keys.remove(&key(6));
        keys.remove(&key(6));
        assert!(keys.get(&key(6)).is_none());
        assert!(keys.insert(key(7), row(0)).is_empty());
    }

    #[test]
    fn one_command_lets_go_of_a_few_keys() {
        let mut keys = CallKeys::with(Retention { kept: 1, max: 100 });
        for number in 0..50 {
            keys.insert(key(number), row(0));
        }
        let late = row(KEPT_TIME);
        assert_eq!(keys.insert(key(50), late).len(), EXPIRED_AT_ONCE);
        assert_eq!(keys.insert(key(51), late)[0], key(EXPIRED_AT_ONCE));
    }
}
