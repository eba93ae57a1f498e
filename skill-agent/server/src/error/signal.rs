//! Errors from sending and handling signals.

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
        /// The stop reason as text. `None` after a plain stop, or if the reason is not known yet.
        #[doc(hidden)]
        reason: Option<String>,
    },
    /// The mailbox is full. Only [`try_send`](crate::AgentServer::try_send) returns this error.
    #[error("the mailbox is full")]
    Full,
    /// The mailbox is full, and the server is waiting for the code that sends the signal.
    #[error("the mailbox is full, and the signal would wait for itself: {0}")]
    Deadlock(Deadlock),
    /// The agent was not woken.
    #[error("the agent was not woken: {reason}")]
    #[non_exhaustive]
    NotAwake {
        /// Why it was not woken.
        reason: String,
    },
    /// No agent can handle the signal, for the given reason.
    #[error("the signal is refused: {0}")]
    Refused(Cow<'static, str>),
}

#[doc(hidden)]
impl SendError {
    /// Returns the error for a server that has stopped.
    pub fn stopped() -> Self {
        Self::Stopped { reason: None }
    }
}

#[doc(hidden)]
impl SignalError {
    /// Returns the error for a signal that names no agent.
    pub fn no_agent(ty: &str) -> Self {
        Self::NoAgent { ty: ty.to_owned() }
    }
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
        /// The signal's type, truncated to 200 characters.
        ty: String,
        /// The agent's name.
        agent: &'static str,
        /// The most similar signal type of a route.
        suggestion: Option<String>,
        /// If the type starts with the declared name of a skill, the names of that skill in the agent, as text. Empty if the
        /// agent has a skill with that name.
        #[doc(hidden)]
        listed: String,
    },
    /// No route matches the signal and no skill handles it. Its type is invalid, so agents cannot emit such signals.
    #[error("`{ty}` is not a signal type: {mistake}")]
    #[non_exhaustive]
    NoType {
        /// The invalid type, truncated to 200 characters.
        ty: String,
        /// The first mistake in the type.
        mistake: String,
    },
    /// The mounted skill for signals of this type is disabled, and nothing else handles such signals.
    #[error(
        "the skill `{skill}`, which signals of the type `{ty}` go to, is disabled; enable it first: `enable(\"{skill}\")`"
    )]
    #[non_exhaustive]
    Disabled {
        /// The signal's type, truncated to 200 characters.
        ty: String,
        /// The skill's name.
        skill: &'static str,
    },
    /// The signal names no agent: no rule of [`deliver`] matches its type, or the rule returned no id.
    ///
    /// [`deliver`]: https://docs.rs/skill-agent/latest/skill_agent/agents/struct.AgentsBuilder.html#method.deliver
    #[error(
        "signals of the type `{ty}` name no agent: no pattern of `deliver` matches them, or its function returned `None`"
    )]
    #[non_exhaustive]
    NoAgent {
        /// The signal's type.
        ty: String,
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
        /// The error from the mount operation.
        error: Box<MountError>,
    },
    /// The signal was processed again after an async action or an approval, and led to different instructions than before. None
    /// of them was applied.
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
