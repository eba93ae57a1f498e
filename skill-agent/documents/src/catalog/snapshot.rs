//! The immutable result of one load: every load creates a new one.

use super::CatalogEntry;
use super::settings::TrustKey;
use crate::catalog::tools::toolset_index::ToolsetIndex;
use crate::selection::Selector;
use crate::tool::skill_list::SkillTools;
use crate::{ContentHash, Diagnostic, DocText};
use skill_core::ToolBuf;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct CatalogSnapshot {
    /// The entries, sorted by id, with the trusted one first among entries with the same id.
    pub(crate) entries: Vec<CatalogEntry>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) hash: ContentHash,
    /// The trusted ids and hashes found in discovered sources.
    pub(crate) trusted: BTreeSet<TrustKey>,
    /// The ids of all documents found, offered or not.
    pub(crate) ids: BTreeSet<DocText>,
    /// The disabled documents, with their commands.
    pub(crate) disabled: BTreeMap<DocText, Option<DocText>>,
    pub(crate) generation: u64,
    /// The tools that offer documents, created on first use. The inner `None` means that there are no documents to offer.
    pub(crate) tools: OnceLock<Option<SkillTools>>,
    /// The selector, created on first use.
    pub(crate) selector: OnceLock<Selector>,
    /// The tool `read_skill_file`, created on first use. The inner `None` means that no offered document has files.
    pub(crate) file_tool: OnceLock<Option<ToolBuf>>,
    /// The index of the documents for each tool, created on first use.
    pub(crate) toolsets: OnceLock<ToolsetIndex>,
}

impl CatalogSnapshot {
    pub(crate) fn new(
        mut entries: Vec<CatalogEntry>,
        diagnostics: Vec<Diagnostic>,
        trusted: BTreeSet<TrustKey>,
    ) -> Self {
        entries.sort_by(|a, b| (&a.id, !a.trusted).cmp(&(&b.id, !b.trusted)));
        let offered = entries.iter().filter(|entry| entry.trusted);
        let hash = ContentHash::of_parts(offered.flat_map(CatalogEntry::identity));
        Self {
            entries,
            diagnostics,
            hash,
            trusted,
            ids: BTreeSet::new(),
            disabled: BTreeMap::new(),
            generation: 0,
            tools: OnceLock::new(),
            selector: OnceLock::new(),
            file_tool: OnceLock::new(),
            toolsets: OnceLock::new(),
        }
    }

    pub(crate) fn offered(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.entries.iter().filter(|entry| entry.trusted)
    }

    /// Returns the entries with the given id.
    pub(crate) fn of_id(&self, id: &str) -> &[CatalogEntry] {
        let begin = self.entries.partition_point(|entry| &*entry.id < id);
        let list = &self.entries[begin..];
        &list[..list.partition_point(|entry| entry.id == id)]
    }
}

/// How a reload changed the offered documents. The ids in each list are sorted.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogChanges {
    /// The newly offered documents.
    pub added: Vec<DocText>,
    /// The documents that are no longer offered.
    pub removed: Vec<DocText>,
    /// The documents that are still offered, but with different contents, at a different path or from a different source.
    pub changed: Vec<DocText>,
}

impl CatalogChanges {
    /// Returns whether the reload changed no offered document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    pub(super) fn between(old: &CatalogSnapshot, new: &CatalogSnapshot) -> Self {
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
