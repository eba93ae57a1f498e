//! The errors of [`AgentDocs`](super::AgentDocs), one type per operation.

use crate::Diagnostic;
use crate::escape::as_typed;
use skill_agent_schema::suggest;
use std::fmt::Write as _;

/// The error returned by [`AgentDocs::load`](super::AgentDocs::load).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentFolderError {
    /// The folder does not exist or cannot be read.
    #[error("the folder of agents `{path}` cannot be read: {why}")]
    #[non_exhaustive]
    Unreadable {
        /// The folder's path.
        path: String,
        /// The reason as text.
        why: String,
    },
    /// The folder has an AGENT.md and no folders of agents.
    #[error("`{path}` is the folder of one agent; load the folder above it, `{above}`")]
    #[non_exhaustive]
    IsAgent {
        /// The folder's path.
        path: String,
        /// The path of the folder above.
        above: String,
    },
}

/// The error returned by [`AgentDocs::get`](super::AgentDocs::get).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentDocError {
    /// The folder has no agent with this id.
    #[error("there is no agent `{}` in `{folder}`{}{}", as_typed(.id), listed(.known), suggest(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested id.
        id: String,
        /// The path of the folder.
        folder: String,
        /// The most similar id.
        nearest: Option<String>,
        /// The ids of the agents that can be used.
        known: Vec<String>,
    },
    /// The agent's file is wrong.
    #[error("the agent `{}` cannot be used{}", as_typed(.id), below(.diagnostics))]
    #[non_exhaustive]
    Wrong {
        /// The requested id.
        id: String,
        /// All problems with the agent, in text order.
        diagnostics: Vec<Diagnostic>,
    },
}

/// The maximum number of names in a message.
const MAX_LISTED: usize = 20;

fn listed(known: &[String]) -> String {
    let shown: Vec<_> = known
        .iter()
        .take(MAX_LISTED)
        .map(|id| as_typed(id))
        .collect();
    let names = shown.join("`, `");
    match known.len() - shown.len() {
        _ if shown.is_empty() => "; no agent in it can be used".to_owned(),
        0 if shown.len() == 1 => format!("; the only agent is `{names}`"),
        0 => format!("; the agents are `{names}`"),
        more => format!("; the agents are `{names}` and {more} more"),
    }
}

fn below(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = write!(text, "\n{diagnostic}");
    }
    text
}
