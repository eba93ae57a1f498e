//! Errors of calls by name.

use crate::json::{self, ReadError, WriteError};
use std::borrow::Cow;
use std::error::Error as StdError;

/// A caller may send a megabyte as the name of an action: messages quote at most this many characters.
pub(crate) const LONGEST_NAME: usize = 64;

/// Why a call by name failed. The agent is as it was before the call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The agent has no action with that name.
    #[error("the agent `{agent}` has no action `{action}`{}", hint(.suggestion))]
    #[non_exhaustive]
    UnknownAction {
        /// The name of the agent.
        agent: &'static str,
        /// The name that was called.
        action: String,
        /// The action with the nearest name.
        suggestion: Option<&'static str>,
    },
    /// The action is internal: for code, routes and other actions only.
    #[error("the action `{action}` is internal: only code, routes and other actions may run it")]
    #[non_exhaustive]
    Internal {
        /// The name of the action.
        action: &'static str,
    },
    /// The arguments do not fit the action.
    #[error("the arguments of `{action}` are wrong: {source}")]
    #[non_exhaustive]
    Arguments {
        /// The name of the action.
        action: &'static str,
        /// What is wrong, and where.
        source: ReadError,
    },
    /// The action failed.
    #[error("{source}")]
    #[non_exhaustive]
    Action {
        /// The name of the action.
        action: &'static str,
        /// The error of the action.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The action is async.
    #[error("the action `{action}` is async and needs a server: `server.call(...)`")]
    #[non_exhaustive]
    NeedsServer {
        /// The name of the action.
        action: &'static str,
    },
    /// An async action queued an action by [`Context::then`](crate::Context::then) whose arguments JSON cannot hold.
    #[error(
        "the arguments of `{next}`, which `{action}` queued, cannot be written as JSON: {source}"
    )]
    #[non_exhaustive]
    Queued {
        /// The name of the async action.
        action: &'static str,
        /// The name of the queued action in its skill.
        next: &'static str,
        /// What cannot be written, and where.
        source: WriteError,
    },
    /// The output cannot be written as JSON.
    #[error("the answer of `{action}` cannot be written as JSON: {source}")]
    #[non_exhaustive]
    Output {
        /// The name of the action.
        action: &'static str,
        /// What cannot be written, and where.
        source: WriteError,
    },
}

impl CallError {
    /// The error of the action, if that is why the call failed. Downcast it to get its type back.
    pub fn action_error(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        match self {
            Self::Action { source, .. } => Some(&**source),
            _ => None,
        }
    }

    #[cold]
    pub(crate) fn because(action: &'static str, failure: CallFailure) -> Self {
        match failure {
            CallFailure::Arguments(source) => Self::Arguments { action, source },
            CallFailure::Action(source) => Self::Action { action, source },
            CallFailure::Output(source) => Self::Output { action, source },
            CallFailure::NeedsServer => Self::NeedsServer { action },
            CallFailure::Queued { next, source } => Self::Queued {
                action,
                next,
                source,
            },
        }
    }
}

fn hint(suggestion: &Option<&'static str>) -> Cow<'static, str> {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?").into(),
        None => "".into(),
    }
}

/// A [`CallError`] without the name that the action has in its agent.
#[derive(Debug)]
pub enum CallFailure {
    /// See [`CallError::Arguments`].
    Arguments(ReadError),
    /// See [`CallError::Action`].
    Action(Box<dyn StdError + Send + Sync>),
    /// See [`CallError::Output`].
    Output(WriteError),
    /// See [`CallError::NeedsServer`].
    NeedsServer,
    /// See [`CallError::Queued`].
    Queued {
        /// The name of the queued action in its skill.
        next: &'static str,
        /// What cannot be written, and where.
        source: WriteError,
    },
}

impl CallFailure {
    /// Adds the name of the action.
    pub fn of_action(self, action: &'static str) -> CallError {
        CallError::because(action, self)
    }
}

impl From<ReadError> for CallFailure {
    fn from(error: ReadError) -> Self {
        Self::Arguments(error)
    }
}

/// Why a run of instructions failed. The agent is as it was before the first of them.
#[derive(Debug, thiserror::Error)]
#[error("instruction {} (`{action}`) failed: {source}", .index + 1)]
#[non_exhaustive]
pub struct RunError {
    /// The index of the instruction, from 0.
    pub index: usize,
    /// The name of its action.
    pub action: String,
    /// Why it failed.
    pub source: CallError,
}

impl RunError {
    /// The error of the instruction at `index`, from 0.
    pub fn at(index: usize, action: &str, source: CallError) -> Self {
        Self {
            index,
            action: json::shorten(action, LONGEST_NAME).into_owned(),
            source,
        }
    }
}
