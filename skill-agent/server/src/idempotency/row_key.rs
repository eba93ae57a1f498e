//! The stored form of keys, and the instance numbers that they contain.

use super::held_keys::HeldKey;
use super::key::{held_given, held_key, joined, joined_len, split};
use hmac_sha256::Hash;
use std::collections::HashMap;

/// A call's key: the instance number, and a hash of the scope, the action and the given key.
pub(super) type CallKey = [u8; 36];

/// A signal's key: a hash of its scope, source and id.
pub(super) type SignalKey = [u8; 32];

/// Returns whether a key belongs to a foreign caller.
pub(super) fn is_foreign(key: &str) -> bool {
    matches!(split(key), Some(["call", scope, _, _, _]) if !scope.is_empty())
}

/// Returns the row key of a held key: a hash of the key that the caller gave.
pub(super) fn hash_of_held(given: &str) -> HeldKey {
    Hash::hash(held_key(given).as_bytes())
}

/// Returns whether a key is held by its caller.
pub(super) fn is_held(key: &str) -> bool {
    held_given(key).is_some()
}

/// The key of a row, by the kind of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RowKey {
    Call(CallKey),
    Held(HeldKey),
    /// A signal's key, and a hash of its source for the limit per source.
    Signal(SignalKey, u64),
    /// The id of an approval request.
    Decision(String),
    ApprovalSecret,
}

/// The key of a row whose output may be evicted before the row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum OutputKey {
    Call(CallKey),
    Signal(SignalKey),
    /// The id of an approved request.
    Decision(String),
}

/// The numbers of instances, by state key. An instance keeps its number when its state key changes, so its calls keep their
/// idempotency keys.
#[derive(Debug, Default)]
pub(super) struct Instances {
    numbers: HashMap<String, u32>,
}

impl Instances {
    pub(super) fn new(numbers: HashMap<String, u32>) -> Self {
        Self { numbers }
    }

    /// Moves numbers from old to new state keys, and returns the state keys whose numbers changed.
    pub(super) fn adopt(&mut self, adopted: &[(String, String)]) -> Vec<String> {
        let taken = adopted.iter().filter_map(|(old, new)| {
            let number = self.numbers.remove(old)?;
            Some((new.clone(), number))
        });
        let taken: Vec<_> = taken.collect();
        self.numbers.extend(taken.iter().cloned());
        taken.into_iter().map(|(new, _)| new).collect()
    }

    /// Assigns a number to an instance. Returns `None` if it already has one.
    pub(super) fn add(&mut self, state_key: &str) -> Option<u32> {
        if self.numbers.contains_key(state_key) {
            return None;
        }
        let last = self.numbers.values().max();
        let number = last.map_or(1, |last| last + 1);
        self.numbers.insert(state_key.to_owned(), number);
        Some(number)
    }

    pub(super) fn number(&self, state_key: &str) -> Option<u32> {
        self.numbers.get(state_key).copied()
    }

    /// Converts a key to its stored form. If an instance has no number, such as a mounted skill, its state key is part of the
    /// hash.
    pub(super) fn row_key(&self, key: &str) -> RowKey {
        if let Some(["call", scope, state_key, action, given]) = split(key)
            && let Some(number) = self.number(state_key)
        {
            let before = &key[..joined_len(&["call", scope])];
            let behind = &key[key.len() - joined_len(&[action, given])..];
            call_key(number, &[before, behind])
        } else if let Some(["signal", scope, source, _]) = split(key) {
            // a foreign caller may give any source, so count by its scope instead
            let group = if scope.is_empty() { source } else { scope };
            let group = Hash::hash(joined(&[scope, group]).as_bytes());
            let group = group.first_chunk().copied().unwrap_or_default();
            RowKey::Signal(Hash::hash(key.as_bytes()), u64::from_be_bytes(group))
        } else if let Some(["decision", request]) = split(key) {
            RowKey::Decision(request.to_owned())
        } else if let Some(["held", _]) = split(key) {
            RowKey::Held(Hash::hash(key.as_bytes()))
        } else if let Some(["approval secret"]) = split(key) {
            RowKey::ApprovalSecret
        } else {
            call_key(0, &[key])
        }
    }
}

fn call_key(instance: u32, hashed: &[&str]) -> RowKey {
    let mut hash = Hash::new();
    for part in hashed {
        hash.update(part);
    }
    let mut key = [0; 36];
    key[..4].copy_from_slice(&instance.to_be_bytes());
    key[4..].copy_from_slice(&hash.finalize());
    RowKey::Call(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idempotency::decision::{APPROVAL_SECRET_KEY, decision_key};

    fn call(state_key: &str) -> String {
        joined(&["call", "", state_key, "pay", "k"])
    }

    #[test]
    fn the_keys_of_calls_follow_their_instance() {
        let mut instances = Instances::default();
        assert_eq!(instances.add("ledger"), Some(1));
        assert_eq!(instances.add("costs"), Some(2));
        assert_eq!(instances.add("costs"), None);
        let ledger = instances.row_key(&call("ledger"));
        assert_ne!(ledger, instances.row_key(&call("costs")));
        let costs = instances.row_key(&call("costs"));
        let pairs = [("ledger", "costs"), ("costs", "sales"), ("gone", "none")];
        let pairs = pairs.map(|(old, new)| (old.to_owned(), new.to_owned()));
        assert_eq!(instances.adopt(&pairs), ["costs", "sales"]);
        assert_eq!(ledger, instances.row_key(&call("costs")));
        assert_eq!(costs, instances.row_key(&call("sales")));
        assert_ne!(ledger, instances.row_key(&call("ledger")));
        assert_eq!(instances.add("ledger"), Some(3));
    }

    #[test]
    fn keys_of_other_kinds_scopes_and_parts_have_other_rows() {
        let mut instances = Instances::default();
        instances.add("");
        let keys = [
            joined(&["call", "", "", "pay", "k"]),
            joined(&["call", "", "", "pa", "yk"]),
            joined(&["call", "model", "", "pay", "k"]),
            joined(&["call", "", "skills.a", "pay", "k"]),
            joined(&["call", "", "skills.b", "pay", "k"]),
            joined(&["signal", "", "a", "b"]),
            joined(&["signal", "", "ab", ""]),
            joined(&["signal", "model", "a", "b"]),
            joined(&["approval", "1"]),
            joined(&["held", "1"]),
            decision_key("1"),
            APPROVAL_SECRET_KEY.to_owned(),
        ];
        let rows: Vec<_> = keys.iter().map(|key| instances.row_key(key)).collect();
        for (at, row) in rows.iter().enumerate() {
            assert!(!rows[..at].contains(row), "{}", keys[at]);
        }
    }
}
