//! A session's view of its toolbox's list.

use super::results;
use crate::list::{ToolList, are_equal};
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
    /// Creates the next view. Until the session has a list of its own, it shares the toolbox's list. `own` returns the list as the
    /// session changes it, which depends only on `base`.
    pub(super) fn next(
        before: Option<&Self>,
        base: &Arc<ToolList>,
        reads_results: bool,
        own: impl FnOnce() -> Option<ToolList>,
    ) -> Self {
        let list = match before {
            Some(view) if Arc::ptr_eq(&view.base, base) && view.reads_results == reads_results => {
                Arc::clone(&view.list)
            }
            _ => match (own(), reads_results) {
                (None, false) => Arc::clone(base),
                (own, _) => {
                    let own = own.unwrap_or_else(|| ToolList::clone(base));
                    Self::with_own(before, base, own, reads_results)
                }
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
        mut list: ToolList,
        reads_results: bool,
    ) -> Arc<ToolList> {
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
