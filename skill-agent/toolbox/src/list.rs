//! The list of tools that a model may call.

use skill_core::ToolBuf;
use std::sync::Arc;

/// The tools of a toolbox, as a session may call them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolList {
    /// A number that increases exactly when the tools of the session change.
    pub generation: u64,
    /// The tools, in the order of the sources.
    pub tools: Vec<Arc<ListedTool>>,
    /// The tools and sources that are left out, and why.
    pub withheld: Vec<Withheld>,
}

/// A tool in a [`ToolList`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListedTool {
    /// The tool.
    pub tool: ToolBuf,
    /// The lane: calls in one lane depend on each other and stay in order, unless both only read.
    ///
    /// For an action of an agent, it is the name of the agent and the instance of its skill: `assistant/notes`.
    pub lane: String,
    /// The name of the source: the agent's name for a server, `catalog` for a catalog.
    pub source: String,
    #[doc(hidden)]
    pub kind: ToolKind,
}

/// Who runs a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// A server, on its agent.
    PureAction,
    /// A server, in a task of its own.
    AsyncAction,
    /// The toolbox itself, or its catalog.
    Builtin,
    /// A source that the program wrote.
    Foreign,
}

impl ToolKind {
    /// Whether its calls may report progress.
    pub fn may_report(self) -> bool {
        matches!(self, Self::AsyncAction | Self::Foreign)
    }
}

/// Whether two lists of tools are equal. Most of the time their entries are the same ones.
pub(super) fn are_equal(one: &[Arc<ListedTool>], other: &[Arc<ListedTool>]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| Arc::ptr_eq(one, other) || one == other)
}

/// A tool that no model may call, or a source whose tools are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Withheld {
    /// The source.
    pub source: String,
    /// The tool; `None` for all tools of the source.
    pub tool: Option<String>,
    /// Why.
    pub reason: String,
}

/// The instructions of a skill, for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions {
    /// The name of the skill's instance.
    pub origin: String,
    /// The text, as the skill has it.
    pub text: String,
}
