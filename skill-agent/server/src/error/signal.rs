//! The errors of signals.

use super::Deadlock;
use skill_agent_schema::suggest;
use skill_core::{DeliverError, MountError, RunError};
use std::borrow::Cow;
use std::error::Error as StdError;

/// Why a signal was not put into the mailbox.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The server has stopped, or is stopping.
    #[error("the server has stopped{}", .reason.as_deref().unwrap_or_default())]
    #[non_exhaustive]
    Stopped {
        /// The stop reason as text. `None` for a plain stop, or until the reason is known.
        #[doc(hidden)]
        reason: Option<String>,
    },
    /// The mailbox is full. Only [`try_send`](crate::AgentServer::try_send) returns this.
    #[error("the mailbox is full")]
    Full,
    /// The mailbox is full, and the server waits for the code that sends the signal.
    #[error("the mailbox is full, and the signal would wait for itself: {0}")]
    Deadlock(Deadlock),
    /// No agent can handle the signal. Holds the reason.
    #[error("the signal is refused: {0}")]
    Refused(Cow<'static, str>),
}

/// Why a signal was not handled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignalError {
    /// No route matches the type of the signal, and no skill handles it.
    #[error(
        "signals of the type `{ty}` have no handler: no route of the agent `{agent}` matches them, and no skill handles them{listed}{}",
        suggest(.suggestion.as_deref())
    )]
    #[non_exhaustive]
    Unhandled {
        /// The signal type, cut to 200 characters.
        ty: String,
        /// The agent's name.
        agent: &'static str,
        /// The most similar signal type of a route.
        suggestion: Option<String>,
        /// The names of the skill whose declared name the type begins with, as text. Empty if the agent has the type's skill.
        #[doc(hidden)]
        listed: String,
    },
    /// No route matches the signal, no skill handles it, and its type is invalid, so no agent can emit it.
    #[error("`{ty}` is not a signal type: {mistake}")]
    #[non_exhaustive]
    NoType {
        /// The invalid type, cut to 200 characters.
        ty: String,
        /// The first mistake in the type.
        mistake: String,
    },
    /// The mounted skill for signals of this type is disabled, and nothing else handles them.
    #[error(
        "the skill `{skill}`, which signals of the type `{ty}` go to, is disabled; enable it first: `enable(\"{skill}\")`"
    )]
    #[non_exhaustive]
    Disabled {
        /// The signal type, cut to 200 characters.
        ty: String,
        /// The skill's name.
        skill: &'static str,
    },
    /// Only the server itself sends signals of this type.
    #[error("only the server sends signals of the type `{ty}`")]
    #[non_exhaustive]
    Reserved {
        /// The reserved signal type.
        ty: String,
    },
    /// A hook failed.
    #[error("`{hook}` of the skill `{skill}` failed")]
    #[non_exhaustive]
    Hook {
        /// The skill's name in the agent.
        skill: &'static str,
        /// The hook's name, such as `handle_signal`.
        hook: &'static str,
        /// The hook's error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A mount operation that a hook queued failed.
    #[error("a mount operation that `{hook}` of the skill `{skill}` queued failed: {error}")]
    #[non_exhaustive]
    Mount {
        /// The skill's name in the agent.
        skill: &'static str,
        /// The hook's name, such as `handle_signal`.
        hook: &'static str,
        /// The error of the mount operation.
        error: Box<MountError>,
    },
    /// The signal was processed again after an async action or an approval, and led to other instructions than before. None of
    /// them was applied.
    #[error(
        "the signal no longer leads to the same instructions since `{action}` was started or approved: a hook derives them from something that changes"
    )]
    #[non_exhaustive]
    Changed {
        /// The name of the action that was started or approved.
        action: String,
    },
    /// An action on the signal's route failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A hook of a mounted skill failed.
    #[error(transparent)]
    Mounted(#[from] DeliverError),
}
