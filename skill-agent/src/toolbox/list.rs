//! The list of tools that a model may call.

use skill_core::ToolBuf;

/// The tools of a toolbox, as a session may call them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolList {
    /// A number that increases exactly when the list of the session changes.
    pub generation: u64,
    /// The tools, in the order of the sources.
    pub tools: Vec<std::sync::Arc<ListedTool>>,
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
    /// The name of the source, which is the name of the agent for a server.
    pub source: String,
}

/// A tool that no model may call, or a source whose tools are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
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
