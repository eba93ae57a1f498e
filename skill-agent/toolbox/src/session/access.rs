//! The tools that a session's active documents allow.

use skill_agent_documents::{Catalog, ToolAccess};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A catalog, and the ids of the active documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) catalog: Option<Arc<Catalog>>,
    pub(super) active: BTreeSet<String>,
}

impl Access {
    pub(super) fn of(&self, tool: &str) -> ToolAccess {
        match &self.catalog {
            Some(catalog) => catalog.tool_access(tool, |id| self.active.contains(id)),
            None => ToolAccess::Allowed,
        }
    }

    pub(super) fn allows(&self, tool: &str) -> bool {
        self.catalog.is_none() || self.of(tool).is_allowed()
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_same_catalog = match (&self.catalog, &other.catalog) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        is_same_catalog && self.active == other.active
    }
}
