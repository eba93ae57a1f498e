//! Maps each tool to the documents of a snapshot that affect it.

use crate::audience::{is_for_models, is_for_people};
use crate::catalog::CatalogEntry;
use crate::composition::dispatches;
use skill_core::__private::short;
use std::collections::HashMap;

/// The documents that affect each tool, as indices into a snapshot's entries.
#[derive(Debug, Default)]
pub(crate) struct ToolsetIndex {
    /// The documents that name the toolset of each tool, by tool name.
    owners: HashMap<&'static str, Vec<usize>>,
    /// The documents with `allowed-tools`.
    restricting: Vec<usize>,
}

impl ToolsetIndex {
    /// Creates the index from `tools`, the agent's skill types, each with the names of the skill's tools.
    pub(crate) fn new(
        entries: &[CatalogEntry],
        tools: impl Iterator<Item = (&'static str, Vec<&'static str>)>,
    ) -> Self {
        let mut of_type: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut index = Self::default();
        for (at, entry) in entries.iter().enumerate() {
            let doc = entry.doc();
            if !entry.trusted {
                continue;
            }
            if doc.allowed_tools.is_some() {
                index.restricting.push(at);
            }
            // if a document cannot be activated, its tools would stay forbidden forever
            if dispatches(doc) || !(is_for_models(doc) || is_for_people(doc)) {
                continue;
            }
            for toolset in &*doc.toolsets {
                of_type.entry(short(toolset)).or_default().push(at);
            }
        }
        for (ty, names) in tools {
            let Some(owners) = of_type.get(ty) else {
                continue;
            };
            for name in names {
                index.owners.entry(name).or_default().extend(owners);
            }
        }
        for owners in index.owners.values_mut() {
            owners.sort_unstable();
            owners.dedup();
        }
        index
    }

    pub(crate) fn owners(&self, tool: &str) -> impl Iterator<Item = usize> {
        self.owners.get(tool).into_iter().flatten().copied()
    }

    pub(crate) fn restricting(&self) -> &[usize] {
        &self.restricting
    }
}
