//! A map that can find its oldest entry.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A map whose entries are numbered in the order of their insertion.
pub(super) struct ByAge<K, V> {
    /// Each value, with the number of its insertion.
    entries: HashMap<K, (u64, V)>,
    /// The keys by number, oldest first.
    order: BTreeMap<u64, K>,
    next: u64,
}

impl<K, V> Default for ByAge<K, V> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            order: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<K: Clone + Eq + Hash, V> ByAge<K, V> {
    pub(super) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|(_, value)| value)
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Adds an entry, and returns its number. The key must be new.
    pub(super) fn insert(&mut self, key: K, value: V) -> u64 {
        let number = self.next;
        self.next += 1;
        self.order.insert(number, key.clone());
        self.entries.insert(key, (number, value));
        number
    }

    /// Removes an entry, and returns its number and value.
    pub(super) fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<(u64, V)>
    where
        K: Borrow<Q>,
    {
        let (number, value) = self.entries.remove(key)?;
        self.order.remove(&number);
        Some((number, value))
    }

    /// Returns the oldest entry's key.
    pub(super) fn oldest(&self) -> Option<&K> {
        self.order.values().next()
    }

    /// Returns the key of the entry with this number.
    pub(super) fn key(&self, number: u64) -> Option<&K> {
        self.order.get(&number)
    }
}
