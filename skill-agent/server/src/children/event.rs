//! The events of a supervisor.

use crate::panics::message_of;
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;
use tokio::task::JoinError;

/// An event in the life of a child.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChildEvent {
    /// The child's task was spawned, for the first time or again.
    #[non_exhaustive]
    Started {
        /// The child's id.
        id: Cow<'static, str>,
    },
    /// The child ended without being asked to stop.
    #[non_exhaustive]
    Exited {
        /// The child's id.
        id: Cow<'static, str>,
        /// How the child ended.
        reason: ExitReason,
    },
    /// The child will be restarted.
    #[non_exhaustive]
    Restarting {
        /// The child's id.
        id: Cow<'static, str>,
        /// The number of this restart, starting at 1 and counted since the child last ran for
        /// [`RestartLimits::within`](super::RestartLimits::within).
        attempt: u32,
        /// The delay before the restart.
        after: Duration,
    },
    /// The children exceeded the restart limit. No child is restarted any more, and the server must stop.
    #[non_exhaustive]
    GaveUp {
        /// The child's id.
        id: Cow<'static, str>,
        /// The reason for stopping the server.
        reason: RestartLimitExceeded,
    },
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitReason {
    /// The child returned `Ok`.
    Finished,
    /// The child returned this error.
    Failed(String),
    /// The child panicked, with this panic message.
    Panicked(String),
    /// The child was aborted.
    Aborted,
}

impl ExitReason {
    pub(super) fn of_join_error(error: JoinError) -> Self {
        match error.try_into_panic() {
            Ok(panic) => Self::Panicked(message_of(panic)),
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

/// The end of the message about a child that finished.
const MAY_FINISH: &str = "; a child that may finish has `.restart(Restart::Transient)` or `.restart(Restart::Temporary)`";

/// The children ended more often than [`RestartLimits`](super::RestartLimits) allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the child `{id}` of `{skill}` ended after {restarts} restarts of children within {within:?}, {own} of them its own, and is \
     not started again: {last}{}",
    if *.last == ExitReason::Finished { MAY_FINISH } else { "" }
)]
#[non_exhaustive]
pub struct RestartLimitExceeded {
    /// The id of the child whose restart exceeded the limit.
    pub id: Cow<'static, str>,
    /// The skill that declares the child.
    pub skill: &'static str,
    /// The number of restarts of all children together within the time window.
    pub restarts: usize,
    /// The number of restarts of this child within the time window.
    pub own: usize,
    /// The length of the time window in which restarts are counted.
    pub within: Duration,
    /// How the child ended last.
    pub last: ExitReason,
}
