//! A session's view of its toolbox's list.

#[cfg(feature = "documents")]
use super::access::Access;
use super::results;
use crate::list::{ListedTool, ToolList, are_equal};
use std::sync::Arc;

/// A session's last list, and what it was made from.
#[derive(Debug)]
pub(super) struct View {
    base: Arc<ToolList>,
    scope: Scope,
    list: Arc<ToolList>,
}

/// What makes a session's list different from its toolbox's list.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Whether the session has ever kept a result.
    pub(super) reads_results: bool,
    #[cfg(feature = "documents")]
    pub(super) access: Access,
}

impl Scope {
    /// Returns whether the active documents allow a tool.
    #[cfg(feature = "documents")]
    pub(super) fn allows(&self, tool: &ListedTool) -> bool {
        self.access.allows(&tool.tool.name)
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self)]
    pub(super) fn allows(&self, _: &ListedTool) -> bool {
        true
    }

    fn is_same(&self, other: &Self) -> bool {
        #[cfg(feature = "documents")]
        if !self.access.is_same(&other.access) {
            return false;
        }
        self.reads_results == other.reads_results
    }
}

impl View {
    /// Creates the next view for a scope. As long as the session sees all tools, it shares the toolbox's list.
    pub(super) fn next(before: Option<&Self>, base: &Arc<ToolList>, scope: Scope) -> Self {
        let list = match before {
            Some(view) if Arc::ptr_eq(&view.base, base) && view.scope.is_same(&scope) => {
                Arc::clone(&view.list)
            }
            _ => Self::listed(before, base, &scope),
        };
        Self {
            base: Arc::clone(base),
            scope,
            list,
        }
    }

    fn listed(before: Option<&Self>, base: &Arc<ToolList>, scope: &Scope) -> Arc<ToolList> {
        let tools = base.tools.iter().filter(|tool| scope.allows(tool)).cloned();
        let mut tools: Vec<_> = tools.collect();
        if scope.reads_results {
            tools.push(Arc::clone(results::tool()));
        }
        let has_diverged = before.is_some_and(|view| !Arc::ptr_eq(&view.base, &view.list));
        if !has_diverged && are_equal(&tools, &base.tools) {
            return Arc::clone(base);
        }
        let generation = match before {
            Some(view) if are_equal(&tools, &view.list.tools) => view.list.generation,
            Some(view) => base.generation.max(view.list.generation) + 1,
            None => base.generation,
        };
        Arc::new(ToolList {
            generation,
            tools,
            withheld: base.withheld.clone(),
        })
    }

    pub(super) fn list(&self) -> &Arc<ToolList> {
        &self.list
    }
}
