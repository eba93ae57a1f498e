//! The idempotency keys of signals.

use super::by_age::ByAge;
use super::row_key::SignalKey;
use super::tables::SignalRow;
use std::collections::{BTreeSet, HashMap};

/// The maximum number of signal keys.
const KEPT: usize = 100_000;

/// The keys of the last 100,000 handled signals, with at most half of them from one source.
pub(super) struct SignalKeys {
    keys: ByAge<SignalKey, SignalRow>,
    /// The numbers of each source's keys.
    sources: HashMap<u64, BTreeSet<u64>>,
    kept: usize,
}

impl Default for SignalKeys {
    fn default() -> Self {
        Self::keeping(KEPT)
    }
}

impl SignalKeys {
    fn keeping(kept: usize) -> Self {
        Self {
            keys: ByAge::default(),
            sources: HashMap::new(),
            kept,
        }
    }

    pub(super) fn get(&self, key: &SignalKey) -> Option<&SignalRow> {
        self.keys.get(key)
    }

    /// Adds a key. Returns the evicted and the replaced keys, each with its record number. A key is replaced if the store refused
    /// the command that evicted the key: its row is then still in the store.
    pub(super) fn insert(&mut self, key: SignalKey, row: SignalRow) -> Vec<(SignalKey, u64)> {
        let replaced = self.remove(&key);
        let mut gone: Vec<_> = replaced.map(|seq| (key, seq)).into_iter().collect();
        if let Some(evicted) = self.add(key, row) {
            gone.extend(self.remove(&evicted).map(|seq| (evicted, seq)));
        }
        gone
    }

    /// Adds a new key. Returns the key to evict for the new one, if any.
    fn add(&mut self, key: SignalKey, row: SignalRow) -> Option<SignalKey> {
        let number = self.keys.insert(key, row);
        let of_source = self.sources.entry(row.source).or_default();
        of_source.insert(number);
        let evicted = if of_source.len() > self.kept / 2 {
            self.keys.key(*of_source.first()?)
        } else if self.keys.len() > self.kept {
            self.keys.oldest()
        } else {
            None
        };
        evicted.copied()
    }

    /// Removes a key, and returns its record number.
    pub(super) fn remove(&mut self, key: &SignalKey) -> Option<u64> {
        let (number, row) = self.keys.remove(key)?;
        if let Some(of_source) = self.sources.get_mut(&row.source) {
            of_source.remove(&number);
            if of_source.is_empty() {
                self.sources.remove(&row.source);
            }
        }
        Some(row.seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> SignalKey {
        [number; 32]
    }

    /// Inserts a key from a source. Returns the key that was evicted, if any.
    fn insert(keys: &mut SignalKeys, key: SignalKey, source: u64) -> Option<SignalKey> {
        let gone = keys.insert(key, SignalRow { seq: 1, source }).into_iter();
        gone.map(|(key, _)| key).find(|gone| *gone != key)
    }

    #[test]
    fn an_evicted_and_a_replaced_key_have_the_numbers_of_their_records() {
        let mut keys = SignalKeys::keeping(2);
        let row = |seq, source| SignalRow { seq, source };
        assert_eq!(keys.insert(key(0), row(5, 1)), []);
        assert_eq!(keys.insert(key(0), row(6, 1)), [(key(0), 5)]);
        assert_eq!(keys.insert(key(1), row(7, 1)), [(key(0), 6)]);
    }

    #[test]
    fn a_source_has_at_most_half_of_the_keys() {
        let mut keys = SignalKeys::keeping(6);
        assert_eq!(insert(&mut keys, key(0), 1), None);
        for number in 1..=3 {
            assert_eq!(insert(&mut keys, key(number), 2), None);
        }
        assert_eq!(insert(&mut keys, key(4), 2), Some(key(1)));
        assert_eq!(insert(&mut keys, key(5), 2), Some(key(2)));
        assert!(keys.get(&key(0)).is_some());
        for number in 6..=7 {
            assert_eq!(insert(&mut keys, key(number), 3), None);
        }
        assert_eq!(
            insert(&mut keys, key(8), 4),
            Some(key(0)),
            "the oldest of all"
        );
        assert_eq!(insert(&mut keys, key(3), 2), None, "the same key again");
        keys.remove(&key(3));
        assert!(keys.get(&key(3)).is_none());
        assert_eq!(insert(&mut keys, key(9), 4), None, "there is room now");
    }
}
