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
    /// The groups of tools that the model of a chat loads on demand.
    pub groups: Arc<[ToolGroup]>,
}

/// Tools that the model of a chat loads on demand. They belong to a skill in an agent's list `deferred`, or to a
/// [deferred](super::ToolboxBuilder::deferred) source. For all other callers, these tools are like others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolGroup {
    /// The name of the skill's instance or of the source. The model loads the group by this name.
    pub name: String,
    /// The name of the source that has the tools.
    pub source: String,
    /// The description that the model reads before it loads the group.
    pub description: String,
}

/// A tool in a [`ToolList`], with its source and lane.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListedTool {
    /// The tool's name, description, schemas and hints.
    pub tool: ToolBuf,
    /// The lane of the tool. Calls in the same lane depend on each other and stay in order, unless both of them only read.
    ///
    /// For an agent's action, the lane consists of the agent's name and the skill's instance, such as `assistant/notes`.
    pub lane: String,
    /// The source's name: the agent's name for a server, and `catalog` for a catalog.
    pub source: String,
    /// The name of the [`ToolGroup`] that the tool belongs to.
    pub group: Option<String>,
    #[doc(hidden)]
    pub kind: ToolKind,
    /// Whether each call needs approval, even if the guard allows it; see [`SourceTool::asks`](super::SourceTool::asks).
    #[doc(hidden)]
    pub asks: bool,
}

impl ListedTool {
    /// Creates an entry for a tool of the toolbox or its catalog.
    pub(crate) fn builtin(tool: ToolBuf, source: &str) -> Self {
        Self {
            tool,
            lane: source.to_owned(),
            source: source.to_owned(),
            group: None,
            kind: ToolKind::Builtin,
            asks: false,
        }
    }
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
    /// Returns whether a call may report progress.
    pub fn may_report(self) -> bool {
        matches!(self, Self::AsyncAction | Self::Foreign)
    }
}

/// Returns whether two tool lists are equal, comparing pointers first, because the lists usually share their entries.
pub(super) fn are_equal(one: &[Arc<ListedTool>], other: &[Arc<ListedTool>]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| Arc::ptr_eq(one, other) || one == other)
}

/// A tool that models cannot call, or a source whose tools are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Withheld {
    /// The source's name.
    pub source: String,
    /// The tool's name, or `None` for all tools of the source.
    pub tool: Option<String>,
    /// The reason as text.
    pub reason: String,
}

/// A skill's instructions for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions {
    /// The name of the skill's instance.
    pub origin: String,
    /// The instructions as the skill defines them.
    pub text: String,
    /// The name of the [`ToolGroup`] that the skill belongs to.
    pub group: Option<String>,
}
