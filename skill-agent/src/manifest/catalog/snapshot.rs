//! What one load gave. It never changes: another load gives another one.

use super::Entry;
use super::settings::Seen;
use crate::core::ToolBuf;
use crate::manifest::{ContentHash, Diagnostic, Text};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct Snapshot {
    /// By id; of one id the trusted one first.
    pub(crate) entries: Vec<Entry>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) hash: ContentHash,
    /// What was found of that which people trust: ids and contents.
    pub(crate) trusted: BTreeSet<Seen>,
    pub(crate) generation: u64,
    /// The tool `skill`, made when it is asked for; `None` in it where there is nothing to offer.
    pub(crate) tool: OnceLock<Option<ToolBuf>>,
}

impl Snapshot {
    pub(crate) fn new(
        mut entries: Vec<Entry>,
        diagnostics: Vec<Diagnostic>,
        trusted: BTreeSet<Seen>,
    ) -> Self {
        entries.sort_by(|a, b| (&a.id, !a.trusted).cmp(&(&b.id, !b.trusted)));
        let offered = entries.iter().filter(|it| it.trusted);
        let hash = ContentHash::of_parts(offered.flat_map(Entry::identity));
        Self {
            entries,
            diagnostics,
            hash,
            trusted,
            generation: 0,
            tool: OnceLock::new(),
        }
    }

    pub(crate) fn offered(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| it.trusted)
    }

    /// What has an id.
    pub(crate) fn of_id(&self, id: &str) -> &[Entry] {
        let begin = self.entries.partition_point(|it| &*it.id < id);
        let list = &self.entries[begin..];
        &list[..list.partition_point(|it| it.id == id)]
    }
}

/// What a reload changed of what is offered: ids, in order.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Those that were not offered before.
    pub added: Vec<Text>,
    /// Those that are no longer offered.
    pub removed: Vec<Text>,
    /// Those that hold something else, or stand elsewhere.
    pub changed: Vec<Text>,
}

impl Changes {
    /// Whether what is offered is what it was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    pub(super) fn between(old: &Snapshot, new: &Snapshot) -> Self {
        let mut changes = Self::default();
        let (mut before, mut after) = (old.offered().peekable(), new.offered().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return changes,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.id.cmp(&new.id),
            };
            let gone = before.next_if(|_| order.is_le());
            let here = after.next_if(|_| order.is_ge());
            match (gone, here) {
                (Some(old), Some(new)) if old.identity() != new.identity() => {
                    changes.changed.push(new.id.clone());
                }
                (Some(old), None) => changes.removed.push(old.id.clone()),
                (None, Some(new)) => changes.added.push(new.id.clone()),
                _ => {}
            }
        }
    }
}
