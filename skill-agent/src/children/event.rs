//! The events of a supervisor.

use crate::panics::text_of;
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;
use tokio::task::JoinError;

/// An event of a child.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChildEvent {
    /// Its task was spawned, for the first time or again.
    #[non_exhaustive]
    Started {
        /// The id of the child.
        id: Cow<'static, str>,
    },
    /// It ended without being told to stop.
    #[non_exhaustive]
    Exited {
        /// The id of the child.
        id: Cow<'static, str>,
        /// How it ended.
        reason: ExitReason,
    },
    /// It is going to be restarted.
    #[non_exhaustive]
    Restarting {
        /// The id of the child.
        id: Cow<'static, str>,
        /// The number of this restart since it last ran for a while, from 1.
        attempt: u32,
        /// How long it waits.
        after: Duration,
    },
    /// It ended too often and is not restarted, nor is any other child: the server has to stop.
    #[non_exhaustive]
    GaveUp {
        /// The id of the child.
        id: Cow<'static, str>,
        /// The reason, which becomes the stop reason of the server.
        reason: RestartStorm,
    },
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitReason {
    /// It returned `Ok`.
    Finished,
    /// It returned an error with this text.
    Failed(String),
    /// It panicked with this text.
    Panicked(String),
    /// It was aborted.
    Aborted,
}

impl ExitReason {
    pub(super) fn of_join_error(error: JoinError) -> Self {
        match error.try_into_panic() {
            Ok(panic) => Self::Panicked(text_of(&*panic)),
            Err(_) => Self::Aborted,
        }
    }
}

impl fmt::Display for ExitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("it finished"),
            Self::Failed(error) => write!(f, "it failed: {error}"),
            Self::Panicked(text) => write!(f, "it panicked: {text}"),
            Self::Aborted => f.write_str("it was aborted"),
        }
    }
}

/// Children ended more often than [`RestartLimits`](super::RestartLimits) allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the child `{id}` of `{skill}` ended after {restarts} restarts of children within {within:?}, {own} of them its own, and is \
     not started again: {last}"
)]
#[non_exhaustive]
pub struct RestartStorm {
    /// The id of the child whose restart was one too many.
    pub id: Cow<'static, str>,
    /// The skill that declares it.
    pub skill: &'static str,
    /// How many restarts of all children were counted.
    pub restarts: usize,
    /// How many of them were its own.
    pub own: usize,
    /// The time in which they were counted.
    pub within: Duration,
    /// How it ended last.
    pub last: ExitReason,
}
