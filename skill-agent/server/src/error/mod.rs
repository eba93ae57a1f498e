//! Errors from calls, signals and starts.
//!
//! Each error either prints its cause or returns it from `source`, never both.

mod applied;
mod deadlock;
mod not_awake;
mod not_kept;
mod repeat;
mod signal;
pub(crate) mod start;
mod texts;
mod then;

pub use applied::Applied;
pub use deadlock::Deadlock;
pub use not_awake::NotAwake;
pub(crate) use not_kept::NotKept;
pub use repeat::RepeatError;
pub use signal::{SendError, SignalError};
pub use start::{RecoveryError, StartError};
pub(crate) use texts::because;
pub use texts::with_reason;
use texts::{panicked, passed, suffix};
pub(crate) use then::ActionFailed;
pub use then::ThenError;

use super::guard::{ApprovalRequest, Rejection};
use crate::lifecycle::stop_reason::StopReason;
use crate::limits::Limit;
use skill_agent_store::StoreError;
use skill_core::{CallError, MountError, StateError};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// An error from a request to a server. `E` is the error of the request itself: the action's error for
/// [`AgentServer::call`](crate::AgentServer::call), or [`SignalError`] for a signal.
///
/// [`applied`](Self::applied) returns whether the command took effect.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError<E> {
    /// The request itself failed. For a call, this is the action's error.
    #[error(transparent)]
    Action(E),
    /// An async action succeeded, but an instruction that it queued with `cx.then` failed. Nothing was applied.
    #[error("the instructions that the action queued failed: {0}")]
    Then(Arc<ThenError>),
    /// The action succeeded, but a mount operation that it queued failed. Nothing was applied.
    #[error("a mount operation that the action queued failed: {0}")]
    Mount(Arc<MountError>),
    /// The server has stopped, or is stopping.
    #[error("the server has stopped{}{}", because(.reason.as_deref()), suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Stopped {
        /// The stop reason, or `None` if it is not known yet; see [`AgentServer::closed`](crate::AgentServer::closed).
        reason: Option<Box<StopReason>>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// The agent was not woken, because all places for agents that are awake were taken. Nothing has run, so try again later.
    #[error("no place for the agent was free within {within:?}; this request ran nothing")]
    #[non_exhaustive]
    NoPlace {
        /// How long the call waited.
        within: Duration,
    },
    /// The agent was not woken, because its server did not start. Nothing has run.
    #[error("the agent was not woken; this request ran nothing")]
    NotStarted(#[source] Arc<StartError>),
    /// Too many async actions are waiting to start, or too many repeated commands are waiting for the first command with their
    /// idempotency key. Nothing has run, so try again later.
    #[error("the server has no room for another command that waits; try again later")]
    Full,
    /// The handle's deadline has passed, or the async action exceeded the server's time limit.
    #[error("{}{}", passed(.exceeded), suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Deadline {
        /// The async action that exceeded the server's time limit, and the limit, or `None` if the handle's deadline has passed.
        exceeded: Option<(Cow<'static, str>, Duration)>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// User code panicked, but the server continues.
    #[error("{}", panicked(.action.as_deref(), .message))]
    #[non_exhaustive]
    Panicked {
        /// The action's name, or `None` if other code panicked, or if a signal or a preview was handled.
        action: Option<Cow<'static, str>>,
        /// The panic message.
        message: String,
    },
    /// The store did not accept the command's record, or the record of an earlier command whose change this command saw.
    #[error("the command could not be stored{}", suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Store {
        /// The error from the store.
        source: Arc<StoreError>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// The guard or the approver denied the action, or the action needs an approval that the server cannot get.
    #[error("`{action}` was denied{}", with_reason(.reason))]
    #[non_exhaustive]
    Denied {
        /// The action's name.
        action: Cow<'static, str>,
        /// The reason for the denial. Empty if the approver gave none.
        reason: Cow<'static, str>,
    },
    /// The approver denied the action and asked the caller to stop.
    #[error("`{action}` was denied, and its caller should stop{}", with_reason(.reason))]
    #[non_exhaustive]
    Aborted {
        /// The action's name.
        action: Cow<'static, str>,
        /// The reason for the denial. Empty if the approver gave none.
        reason: Cow<'static, str>,
    },
    /// The approver deferred the decision, so nothing has run. Pass the request and a verdict to
    /// [`AgentServer::decide`](crate::AgentServer::decide).
    #[error("`{}` waits for approval", .0.tool.name)]
    Pending(Box<ApprovalRequest>),
    /// The approval request is invalid. It may be changed, come from a different server, or be for an action that is gone.
    #[error("the approval request is not valid: {reason}")]
    #[non_exhaustive]
    InvalidRequest {
        /// Why the request is invalid.
        reason: Cow<'static, str>,
    },
    /// The command exceeds a limit, so nothing was applied.
    #[error("{}; nothing of the command was applied", what.exceeded(*max))]
    #[non_exhaustive]
    Limit {
        /// The limit that was exceeded.
        what: Limit,
        /// The maximum: a number of items, or a number of bytes for [`Limit::KeyBytes`] and [`Limit::SignalIdBytes`].
        max: usize,
    },
    /// The times of a schedule that the command queued cannot be computed, so nothing was applied.
    #[error(
        "the schedule of `{skill}` cannot repeat: {reason}; nothing of the command was applied"
    )]
    #[non_exhaustive]
    Repeat {
        /// The name of the skill that queued the schedule.
        skill: Cow<'static, str>,
        /// Why the times cannot be computed.
        reason: RepeatError,
    },
    /// The request would cause a deadlock, because the server is waiting for the code that made it. Nothing has run.
    #[error("the request would wait for itself: {0}")]
    Deadlock(Deadlock),
    /// The command's output cannot be stored under its idempotency key, so the command was undone.
    #[error("the output cannot be stored under its key, and the command was undone: {reason}")]
    #[non_exhaustive]
    IdempotencyEncode {
        /// Why the output cannot be stored.
        reason: String,
    },
    /// The idempotency key was already used with different arguments, or its stored output has a different type. This request ran
    /// nothing.
    #[error("the key was used before, {reason}")]
    #[non_exhaustive]
    IdempotencyMismatch {
        /// The difference, for people to read.
        reason: String,
    },
    /// The idempotency key is empty, so nothing has run.
    #[error("the idempotency key is empty; each command needs its own")]
    EmptyKey,
    /// The key and the action of a call by name are swapped: the key is the name of an action, and the action is not. Nothing has
    /// run.
    #[error(
        "`{action}` is no action, and the key `{key}` is one: the key comes first, as in `call_json_with_key(key, action, arguments)`"
    )]
    #[non_exhaustive]
    SwappedKey {
        /// The key that was given.
        key: String,
        /// The action name that was given.
        action: String,
    },
    /// A command with this idempotency key was already applied, and its output is no longer stored. This request ran nothing.
    #[error("the command was applied before under its key, and its output is no longer stored")]
    AnswerGone,
}

impl<E> ServeError<E> {
    /// Returns the error for an action that the approver rejected.
    #[doc(hidden)]
    pub fn rejected(rejection: Rejection, action: impl Into<Cow<'static, str>>) -> Self {
        let (action, reason) = (action.into(), rejection.reason);
        if rejection.is_abort {
            Self::Aborted { action, reason }
        } else {
            Self::Denied { action, reason }
        }
    }

    /// Returns whether the command took effect.
    pub fn applied(&self) -> Applied {
        match self {
            Self::Stopped { applied, .. }
            | Self::Deadline { applied, .. }
            | Self::Store { applied, .. } => *applied,
            Self::AnswerGone => Applied::Yes,
            Self::Action(_)
            | Self::Then(_)
            | Self::Mount(_)
            | Self::NoPlace { .. }
            | Self::NotStarted(_)
            | Self::Full
            | Self::Panicked { .. }
            | Self::Denied { .. }
            | Self::Aborted { .. }
            | Self::Pending(_)
            | Self::InvalidRequest { .. }
            | Self::Limit { .. }
            | Self::Repeat { .. }
            | Self::Deadlock(_)
            | Self::IdempotencyEncode { .. }
            | Self::IdempotencyMismatch { .. }
            | Self::EmptyKey
            | Self::SwappedKey { .. } => Applied::No,
        }
    }

    /// Returns the error for a panic in an action, or in other code if `action` is `None`.
    pub(crate) fn panicked(action: Option<&'static str>, message: String) -> Self {
        let action = action.map(Cow::Borrowed);
        Self::Panicked { action, message }
    }

    #[doc(hidden)]
    pub fn stopped(applied: Applied) -> Self {
        Self::Stopped {
            reason: None,
            applied,
            has_key: false,
        }
    }

    #[doc(hidden)]
    pub fn deadline(applied: Applied) -> Self {
        Self::Deadline {
            exceeded: None,
            applied,
            has_key: false,
        }
    }

    /// Returns the error for an async action that exceeded the server's time limit.
    pub(crate) fn time_limit(action: impl Into<Cow<'static, str>>, limit: Duration) -> Self {
        Self::Deadline {
            exceeded: Some((action.into(), limit)),
            applied: Applied::No,
            has_key: false,
        }
    }

    /// Adds the stop reason to the error, if the error is `Stopped` and the reason is known.
    pub(crate) fn because(mut self, stop_reason: impl FnOnce() -> Option<StopReason>) -> Self {
        if let Self::Stopped { reason, .. } = &mut self {
            *reason = stop_reason().map(Box::new);
        }
        self
    }

    /// Records whether the command has an idempotency key.
    pub(crate) fn keyed(mut self, is_keyed: bool) -> Self {
        if let Self::Stopped { has_key, .. }
        | Self::Deadline { has_key, .. }
        | Self::Store { has_key, .. } = &mut self
        {
            *has_key = is_keyed;
        }
        self
    }

    /// Removes the action's own error, for a command that no caller is waiting for.
    pub(crate) fn without_action_error(self) -> ServeError<ActionFailed> {
        self.map(|_| ActionFailed)
    }

    /// Converts the error of the request itself.
    pub fn map<F>(self, change: impl FnOnce(E) -> F) -> ServeError<F> {
        match self {
            Self::Action(error) => ServeError::Action(change(error)),
            Self::Then(error) => ServeError::Then(error),
            Self::Mount(error) => ServeError::Mount(error),
            Self::Stopped {
                reason,
                applied,
                has_key,
            } => ServeError::Stopped {
                reason,
                applied,
                has_key,
            },
            Self::NoPlace { within } => ServeError::NoPlace { within },
            Self::NotStarted(error) => ServeError::NotStarted(error),
            Self::Full => ServeError::Full,
            Self::Deadline {
                exceeded,
                applied,
                has_key,
            } => ServeError::Deadline {
                exceeded,
                applied,
                has_key,
            },
            Self::Panicked { action, message } => ServeError::Panicked { action, message },
            Self::Store {
                source,
                applied,
                has_key,
            } => ServeError::Store {
                source,
                applied,
                has_key,
            },
            Self::Denied { action, reason } => ServeError::Denied { action, reason },
            Self::Aborted { action, reason } => ServeError::Aborted { action, reason },
            Self::Pending(request) => ServeError::Pending(request),
            Self::InvalidRequest { reason } => ServeError::InvalidRequest { reason },
            Self::Limit { what, max } => ServeError::Limit { what, max },
            Self::Repeat { skill, reason } => ServeError::Repeat { skill, reason },
            Self::Deadlock(deadlock) => ServeError::Deadlock(deadlock),
            Self::IdempotencyEncode { reason } => ServeError::IdempotencyEncode { reason },
            Self::IdempotencyMismatch { reason } => ServeError::IdempotencyMismatch { reason },
            Self::EmptyKey => ServeError::EmptyKey,
            Self::SwappedKey { key, action } => ServeError::SwappedKey { key, action },
            Self::AnswerGone => ServeError::AnswerGone,
        }
    }
}

/// The error returned by [`AgentServer::set`](crate::AgentServer::set).
pub type SetError = ServeError<StateError>;

/// The error returned by [`AgentServer::call_json`](crate::AgentServer::call_json).
pub type CallJsonError = ServeError<CallError>;
