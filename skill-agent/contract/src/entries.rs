//! Compares the entries of two maps.

use std::collections::BTreeMap;

/// The entries of an old and a new map: removed, added and kept.
pub(super) struct Entries<'m, V> {
    pub(super) gone: Vec<(&'m String, &'m V)>,
    pub(super) added: Vec<(&'m String, &'m V)>,
    pub(super) kept: Vec<(&'m String, &'m V, &'m V)>,
}

impl<'m, V> Entries<'m, V> {
    pub(super) fn of(old: &'m BTreeMap<String, V>, new: &'m BTreeMap<String, V>) -> Self {
        let kept = old
            .iter()
            .filter_map(|(name, value)| Some((name, value, new.get(name)?)));
        Self {
            gone: old
                .iter()
                .filter(|(name, _)| !new.contains_key(*name))
                .collect(),
            added: new
                .iter()
                .filter(|(name, _)| !old.contains_key(*name))
                .collect(),
            kept: kept.collect(),
        }
    }
}
