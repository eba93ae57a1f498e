//! The list of tools that a model may call.

pub(crate) mod merged;
pub(crate) mod reserved;

use skill_core::ToolBuf;
use std::sync::Arc;

/// The tools that a session may call.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolList {
    /// Increases exactly when the session's tools change.
    pub generation: u64,
    /// The tools, in source order.
    pub tools: Vec<Arc<ListedTool>>,
    /// The withheld tools and sources, with reasons.
    pub withheld: Vec<Withheld>,
}

/// A tool in a [`ToolList`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListedTool {
    /// The tool's name, description, schemas and hints.
    pub tool: ToolBuf,
    /// The lane. Calls in the same lane depend on each other and stay in order, unless both only read.
    ///
    /// For an agent's action, it consists of the agent's name and the skill's instance, such as `assistant/notes`.
    pub lane: String,
    /// The source's name: the agent's name for a server, and `catalog` for a catalog.
    pub source: String,
    #[doc(hidden)]
    pub kind: ToolKind,
}

/// Where a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// On a server, by its agent.
    PureAction,
    /// On a server, in its own task.
    AsyncAction,
    /// In the toolbox itself or its catalog.
    Builtin,
    /// In a custom source.
    Foreign,
}

impl ToolKind {
    /// Whether a call may report progress.
    pub fn may_report(self) -> bool {
        matches!(self, Self::AsyncAction | Self::Foreign)
    }
}

/// Whether two tool lists are equal. Usually they share their entries, so pointers are compared first.
pub(super) fn are_equal(one: &[Arc<ListedTool>], other: &[Arc<ListedTool>]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| Arc::ptr_eq(one, other) || one == other)
}

/// A tool that no model may call, or a source with unknown tools.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Withheld {
    /// The source's name.
    pub source: String,
    /// The tool's name. `None` for all tools of the source.
    pub tool: Option<String>,
    /// The reason, as text.
    pub reason: String,
}

/// A skill's instructions for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions {
    /// The name of the skill's instance.
    pub origin: String,
    /// The text as the skill defines it.
    pub text: String,
}
