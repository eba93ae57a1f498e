//! A session's view of its toolbox's list.

use super::{groups, results};
use crate::list::{ListedTool, ToolList, are_equal};
use std::sync::Arc;

/// A session's last list, and what it was made from.
#[derive(Debug)]
pub(super) struct View {
    base: Arc<ToolList>,
    /// Whether the session has ever kept a result.
    reads_results: bool,
    list: Arc<ToolList>,
}

impl View {
    /// Creates the next view. Until the session has a tool of its own, it shares the toolbox's list. `skill` returns the session's tool
    /// `skill`, which depends only on `base`.
    pub(super) fn next(
        before: Option<&Self>,
        base: &Arc<ToolList>,
        reads_results: bool,
        skill: impl FnOnce() -> Option<Arc<ListedTool>>,
    ) -> Self {
        let list = match before {
            Some(view) if Arc::ptr_eq(&view.base, base) && view.reads_results == reads_results => {
                Arc::clone(&view.list)
            }
            _ => match (skill(), reads_results) {
                (None, false) => Arc::clone(base),
                (skill, _) => Self::with_own(before, base, skill, reads_results),
            },
        };
        Self {
            base: Arc::clone(base),
            reads_results,
            list,
        }
    }

    fn with_own(
        before: Option<&Self>,
        base: &ToolList,
        skill: Option<Arc<ListedTool>>,
        reads_results: bool,
    ) -> Arc<ToolList> {
        let mut list = base.clone();
        if let Some(skill) = skill {
            groups::place(&mut list, skill);
        }
        if reads_results {
            list.tools.push(Arc::clone(results::tool()));
        }
        if let Some(view) = before {
            list.generation = if are_equal(&list.tools, &view.list.tools) {
                view.list.generation
            } else {
                base.generation.max(view.list.generation) + 1
            };
        }
        Arc::new(list)
    }

    pub(super) fn list(&self) -> &Arc<ToolList> {
        &self.list
    }
}
