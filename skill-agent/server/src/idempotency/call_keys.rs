//! The idempotency keys of calls.

use super::row_key::CallKey;
use crate::limits::MAX_KEYS;
use skill_agent_store::ArgumentsHash;
use std::collections::{HashMap, VecDeque};

/// The minimum time for which a key is kept, in milliseconds.
const KEPT_TIME: u64 = 24 * 60 * 60 * 1_000;
/// The number of keys that are kept even if they are older than [`KEPT_TIME`].
const KEPT: usize = 100_000;
/// The maximum number of keys that one command evicts.
const EXPIRED_AT_ONCE: usize = 16;

/// A call that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallRow {
    /// The number of the command's record.
    pub(super) seq: u64,
    /// The time at which the command ran, in milliseconds since the Unix epoch.
    pub(super) at: u64,
    /// Whether the caller is foreign.
    pub(super) is_foreign: bool,
    pub(super) arguments: Option<ArgumentsHash>,
}

/// The limits on the number of keys.
#[derive(Clone, Copy)]
struct Retention {
    kept: usize,
    max: usize,
}

/// The keys of calls that have run. As long as there are more than 100,000 keys, keys that are older than a day are evicted.
pub(super) struct CallKeys {
    rows: HashMap<CallKey, CallRow>,
    /// The keys of the program, oldest first.
    program: VecDeque<CallKey>,
    /// The keys of foreign callers, oldest first.
    foreign: VecDeque<CallKey>,
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
            program: VecDeque::new(),
            foreign: VecDeque::new(),
            retention,
        }
    }

    pub(super) fn get(&self, key: &CallKey) -> Option<&CallRow> {
        self.rows.get(key)
    }

    /// Returns whether there is room for another key at `now`, in milliseconds since the Unix epoch.
    pub(super) fn has_room(&self, now: u64) -> bool {
        self.rows.len() < self.retention.max || self.expired(now).is_some()
    }

    /// Returns whether there is room for another key of a foreign caller. Foreign callers get half of the room, so that they
    /// cannot use up the program's half.
    pub(super) fn has_foreign_room(&self, now: u64) -> bool {
        self.foreign.len() < self.retention.max / 2 || self.is_expired(self.foreign.front(), now)
    }

    /// Returns the oldest key if it may be evicted.
    fn expired(&self, now: u64) -> Option<CallKey> {
        let seq = |key: &&CallKey| self.rows.get(*key).map(|row| row.seq);
        let fronts = [self.program.front(), self.foreign.front()];
        let oldest = fronts.into_iter().flatten().min_by_key(seq);
        oldest.filter(|_| self.is_expired(oldest, now)).copied()
    }

    fn is_expired(&self, key: Option<&CallKey>, now: u64) -> bool {
        let row = key.and_then(|key| self.rows.get(key));
        self.rows.len() > self.retention.kept
            && row.is_some_and(|row| row.at.saturating_add(KEPT_TIME) <= now)
    }

    /// Adds a key from before the start. The caller adds keys in the order of their records. Returns the record number of a
    /// replaced row. Such a row exists if a command evicted the key and the store then refused the command.
    pub(super) fn restore(&mut self, key: CallKey, row: CallRow) -> Option<u64> {
        let replaced = self.remove(&key);
        self.rows.insert(key, row);
        self.queue(row.is_foreign).push_back(key);
        replaced
    }

    fn queue(&mut self, is_foreign: bool) -> &mut VecDeque<CallKey> {
        if is_foreign {
            &mut self.foreign
        } else {
            &mut self.program
        }
    }

    /// Adds a key. Returns the keys that were evicted or replaced, each with its record number.
    pub(super) fn insert(&mut self, key: CallKey, row: CallRow) -> Vec<(CallKey, u64)> {
        self.set_back(row.at);
        let replaced = self.restore(key, row);
        let mut gone: Vec<_> = replaced.map(|seq| (key, seq)).into_iter().collect();
        if self.foreign.len() > self.retention.max / 2
            && let Some(oldest) = self.foreign.front().copied()
            && self.is_expired(Some(&oldest), row.at)
        {
            gone.extend(self.remove(&oldest).map(|seq| (oldest, seq)));
        }
        while gone.len() < EXPIRED_AT_ONCE
            && let Some(expired) = self.expired(row.at)
        {
            gone.extend(self.remove(&expired).map(|seq| (expired, seq)));
        }
        gone
    }

    /// Sets times after `now` to `now`. After the clock was set back, keys with such times would otherwise be kept for too long.
    pub(super) fn set_back(&mut self, now: u64) {
        for queue in [&self.program, &self.foreign] {
            for key in queue.iter().rev() {
                match self.rows.get_mut(key) {
                    Some(row) if row.at > now => row.at = now,
                    _ => break,
                }
            }
        }
    }

    /// Removes a key, which must be among the oldest or the newest keys, and returns its record number.
    pub(super) fn remove(&mut self, key: &CallKey) -> Option<u64> {
        let row = self.rows.remove(key)?;
        let queue = self.queue(row.is_foreign);
        if queue.front() == Some(key) {
            queue.pop_front();
        } else if let Some(at) = queue.iter().rposition(|other| other == key) {
            queue.remove(at);
        }
        Some(row.seq)
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

    /// Inserts a key, and returns the keys that were evicted or replaced.
    fn insert(keys: &mut CallKeys, key: CallKey, row: CallRow) -> Vec<CallKey> {
        let gone = keys.insert(key, row).into_iter();
        gone.map(|(key, _)| key).collect()
    }

    fn row(at: u64) -> CallRow {
        CallRow {
            seq: 1,
            at,
            is_foreign: false,
            arguments: None,
        }
    }

    #[test]
    fn an_evicted_and_a_replaced_key_have_the_numbers_of_their_records() {
        let of = |seq, at| CallRow { seq, ..row(at) };
        let mut keys = CallKeys::with(Retention { kept: 1, max: 3 });
        keys.insert(key(0), of(5, 0));
        assert_eq!(keys.insert(key(0), of(6, 1)), [(key(0), 5)]);
        assert_eq!(keys.restore(key(0), of(7, 1)), Some(6));
        let gone = keys.insert(key(1), of(8, KEPT_TIME + 1));
        assert_eq!(gone, [(key(0), 7)]);
    }

    #[test]
    fn keys_are_kept_for_a_day_and_the_last_ones_for_longer() {
        let mut keys = CallKeys::with(Retention { kept: 3, max: 5 });
        for number in 0..4 {
            assert!(insert(&mut keys, key(number), row(number as u64)).is_empty());
        }
        assert!(insert(&mut keys, key(4), row(KEPT_TIME - 1)).is_empty());
        assert!(!keys.has_room(KEPT_TIME - 1), "five are younger than a day");
        assert!(keys.has_room(KEPT_TIME), "the first is a day old");
        let gone = insert(&mut keys, key(5), row(KEPT_TIME + 1_000));
        assert_eq!(gone, [key(0), key(1), key(2)], "three are kept");
        assert!(keys.get(&key(0)).is_none() && keys.get(&key(3)).is_some());
        keys.remove(&key(5));
        keys.remove(&key(5));
        assert!(keys.get(&key(5)).is_none());
    }

    #[test]
    fn keys_of_a_wrong_later_time_are_not_kept_longer() {
        let mut keys = CallKeys::with(Retention { kept: 1, max: 3 });
        let later = 10 * KEPT_TIME;
        for number in 0..3 {
            keys.restore(key(number), row(later));
        }
        assert!(!keys.has_room(1_000));
        keys.set_back(1_000);
        assert!(!keys.has_room(KEPT_TIME));
        assert!(keys.has_room(KEPT_TIME + 1_000));
        let gone = insert(&mut keys, key(3), row(KEPT_TIME + 1_000));
        assert_eq!(gone, [key(0), key(1), key(2)]);
        assert!(
            insert(&mut keys, key(4), row(0)).is_empty(),
            "set back again"
        );
        assert_eq!(insert(&mut keys, key(5), row(KEPT_TIME)), [key(3), key(4)]);
    }

    #[test]
    fn foreign_callers_have_half_of_the_keys() {
        let mut keys = CallKeys::with(Retention { kept: 1, max: 4 });
        let foreign = CallRow {
            is_foreign: true,
            ..row(0)
        };
        insert(&mut keys, key(0), foreign);
        insert(&mut keys, key(0), foreign);
        assert!(keys.has_foreign_room(0));
        insert(&mut keys, key(1), foreign);
        assert!(!keys.has_foreign_room(0) && keys.has_room(0));
        assert!(keys.has_foreign_room(KEPT_TIME), "the first is a day old");
        keys.remove(&key(1));
        assert!(keys.has_foreign_room(0));
        insert(&mut keys, key(2), row(0));
        insert(&mut keys, key(3), row(0));
        insert(&mut keys, key(4), row(0));
        assert!(!keys.has_room(0) && keys.has_foreign_room(0));
    }

    #[test]
    fn expired_keys_of_the_program_give_foreign_callers_no_more_than_half() {
        let mut keys = CallKeys::with(Retention { kept: 1, max: 4 });
        let foreign = CallRow {
            is_foreign: true,
            ..row(KEPT_TIME - 1)
        };
        insert(&mut keys, key(0), row(0));
        insert(&mut keys, key(1), foreign);
        insert(&mut keys, key(2), foreign);
        assert!(!keys.has_foreign_room(KEPT_TIME) && keys.has_room(KEPT_TIME));
        // one of the program's keys that is still kept does not block the half for foreign callers
        let mut keys = CallKeys::with(Retention { kept: 1, max: 4 });
        insert(&mut keys, key(0), row(KEPT_TIME));
        insert(
            &mut keys,
            key(1),
            CallRow {
                seq: 2,
                at: KEPT_TIME + 1,
                ..foreign
            },
        );
        insert(
            &mut keys,
            key(2),
            CallRow {
                seq: 3,
                at: KEPT_TIME + 2,
                ..foreign
            },
        );
        let late = 2 * KEPT_TIME + 1;
        assert_eq!(
            insert(
                &mut keys,
                key(3),
                CallRow {
                    at: late,
                    seq: 4,
                    ..foreign
                }
            ),
            [key(1), key(0)]
        );
        assert_eq!(keys.foreign, [key(2), key(3)]);
    }

    #[test]
    fn one_command_lets_go_of_a_few_keys() {
        let mut keys = CallKeys::with(Retention { kept: 1, max: 100 });
        for number in 0..50 {
            insert(&mut keys, key(number), row(0));
        }
        let late = row(KEPT_TIME);
        assert_eq!(insert(&mut keys, key(50), late).len(), EXPIRED_AT_ONCE);
        assert_eq!(insert(&mut keys, key(51), late)[0], key(EXPIRED_AT_ONCE));
    }
}
