//! The errors of calls, signals and starts.
//!
//! An error either prints its cause or returns it from `source`, never both.

mod deadlock;
mod not_kept;
mod signal;
mod start;

pub use deadlock::Deadlock;
pub(crate) use not_kept::NotKept;
pub use signal::{SendError, SignalError};
pub use start::{RecoveryError, StartError};

use super::guard::{ApprovalRequest, Rejection};
use crate::limits::Limit;
use crate::stop_reason::StopReason;
use skill_agent_store::StoreError;
use skill_core::{CallError, MountError, RunError, StateError};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// The error of a request to a server. `E` is the error of what was requested: an action's own error for
/// [`AgentServer::call`](crate::AgentServer::call), [`SignalError`] for a signal.
///
/// [`applied`](Self::applied) says whether the command took effect.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError<E> {
    /// The request itself failed.
    #[error(transparent)]
    Action(E),
    /// An async action succeeded, and the instructions that it queued with `cx.then` failed; nothing of it was applied.
    #[error("the instructions that the action queued failed: {0}")]
    Then(Arc<ThenError>),
    /// The action succeeded, and a mount operation that it queued failed; nothing of it was applied.
    #[error("a mount operation that the action queued failed: {0}")]
    Mount(Arc<MountError>),
    /// The server has stopped, or is stopping.
    #[error("the server has stopped{}{}", because(.reason.as_deref()), suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Stopped {
        /// Why it has stopped, once that is known; see [`AgentServer::closed`](crate::AgentServer::closed).
        reason: Option<Box<StopReason>>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// Too many async actions are waiting to start, or too many repeated commands are waiting for the first command with their
    /// idempotency key. Nothing has run; try again later.
    #[error("the server has no room for another command that waits; try again later")]
    Full,
    /// The deadline of the handle has passed, or the async action has exceeded the time limit of the server.
    #[error("{}{}", passed(.exceeded), suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Deadline {
        /// The async action that took longer than the time limit of the server, and that limit; `None` for the deadline of the
        /// handle.
        exceeded: Option<(Cow<'static, str>, Duration)>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// User code panicked; the server continues.
    #[error("the code of the agent panicked: {message}")]
    #[non_exhaustive]
    Panicked {
        /// The message of the panic.
        message: String,
    },
    /// The store did not take the record of the command, or of one before it whose change the command saw.
    #[error("the command could not be stored{}", suffix(*.applied, *.has_key))]
    #[non_exhaustive]
    Store {
        /// The error of the store.
        source: Arc<StoreError>,
        #[doc(hidden)]
        applied: Applied,
        #[doc(hidden)]
        has_key: bool,
    },
    /// The guard or the approver denied the action, or the server has no approver.
    #[error("`{action}` was denied{}", with_reason(.reason))]
    #[non_exhaustive]
    Denied {
        /// The name of the action.
        action: Cow<'static, str>,
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The approver denied the action, and its caller should not go on.
    #[error("`{action}` was denied, and its caller should stop{}", with_reason(.reason))]
    #[non_exhaustive]
    Aborted {
        /// The name of the action.
        action: Cow<'static, str>,
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The approver deferred the decision: nothing has run. [`AgentServer::decide`](crate::AgentServer::decide) takes the request and
    /// the verdict.
    #[error("`{}` waits for approval", .0.tool.name)]
    Pending(Box<ApprovalRequest>),
    /// The request cannot be decided on: it was changed, it belongs to another server, or the agent no longer has its action.
    #[error("the approval request is not valid: {reason}")]
    #[non_exhaustive]
    InvalidRequest {
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The command leads to too much; nothing of it was applied.
    #[error("{}; nothing of the command was applied", what.exceeded(*max))]
    #[non_exhaustive]
    Limit {
        /// The limit that it exceeds.
        what: Limit,
        /// How many are allowed.
        max: usize,
    },
    /// The request would wait for itself, because the server waits for the code that made it. Nothing of it has run.
    #[error("the request would wait for itself: {0}")]
    Deadlock(Deadlock),
    /// The output of a command with an idempotency key cannot be stored under the key; the command was undone.
    #[error("the output cannot be stored under its key, and the command was undone: {reason}")]
    #[non_exhaustive]
    IdempotencyEncode {
        /// Why it cannot be written.
        reason: String,
    },
    /// The idempotency key was used with other arguments, or the output that is stored under it is not of the type requested now.
    /// This request ran nothing.
    #[error("the key was used before, {reason}")]
    #[non_exhaustive]
    IdempotencyMismatch {
        /// The difference.
        reason: String,
    },
    /// The idempotency key is empty. Nothing has run.
    #[error("the idempotency key is empty; each command needs its own")]
    EmptyKey,
    /// The key and the action of a call by name are swapped: the key is the name of an action, and the action is not. Nothing has run.
    #[error(
        "`{action}` is no action, and the key `{key}` is one: the key comes first, as in `call_json_with_key(key, action, arguments)`"
    )]
    #[non_exhaustive]
    SwappedKey {
        /// The key that was given.
        key: String,
        /// The action that was given.
        action: String,
    },
    /// The command was applied before, under the same idempotency key, and its output is no longer stored. This request ran nothing.
    #[error("the command was applied before under its key, and its output is no longer stored")]
    AnswerGone,
}

/// Whether a command took effect on the state and the directives of the agent. This does not cover what an async action did in the
/// world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    /// Nothing of it was applied, and nothing will be.
    No,
    /// It was applied.
    Yes,
    /// It may have been applied, or be applied by the next start. A command with an idempotency key can be sent again with the
    /// same key, which applies it once.
    Unknown,
}

/// The end of a message about a command.
fn suffix(applied: Applied, has_key: bool) -> &'static str {
    match (applied, has_key) {
        (Applied::No, _) => "; nothing was applied",
        (Applied::Yes, _) => "; the command was applied",
        (Applied::Unknown, true) => "; send the command again with the same key",
        (Applied::Unknown, false) => "; the command may have been applied",
    }
}

/// The reason of a denial, in a message; a person may have given none.
pub fn with_reason(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(": {reason}")
    }
}

/// The reason of a stop, in a message. That it was stopped says no more than the rest of the message.
pub(crate) fn because(reason: Option<&StopReason>) -> String {
    match reason {
        None | Some(StopReason::Stopped) => String::new(),
        Some(reason) => format!(": {reason}"),
    }
}

/// The beginning of a message about a time that has passed.
fn passed(exceeded: &Option<(Cow<'static, str>, Duration)>) -> String {
    match exceeded {
        Some((action, limit)) => {
            format!("`{action}` took longer than the `time_limit` of {limit:?}")
        }
        None => "the deadline has passed".to_owned(),
    }
}

/// Why the instructions that an async action queued were not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThenError {
    /// An instruction failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An instruction cannot be written.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// Replaces an action's own error if no caller takes it.
#[derive(Debug, thiserror::Error)]
#[error("it failed")]
pub(crate) struct ActionFailed;

impl<E> ServeError<E> {
    /// The error of an action that an approver has rejected.
    #[doc(hidden)]
    pub fn rejected(rejection: Rejection, action: impl Into<Cow<'static, str>>) -> Self {
        let (action, reason) = (action.into(), rejection.reason);
        if rejection.is_abort {
            Self::Aborted { action, reason }
        } else {
            Self::Denied { action, reason }
        }
    }

    /// Whether the command took effect.
    pub fn applied(&self) -> Applied {
        match self {
            Self::Stopped { applied, .. }
            | Self::Deadline { applied, .. }
            | Self::Store { applied, .. } => *applied,
            Self::AnswerGone => Applied::Yes,
            Self::Action(_)
            | Self::Then(_)
            | Self::Mount(_)
            | Self::Full
            | Self::Panicked { .. }
            | Self::Denied { .. }
            | Self::Aborted { .. }
            | Self::Pending(_)
            | Self::InvalidRequest { .. }
            | Self::Limit { .. }
            | Self::Deadlock(_)
            | Self::IdempotencyEncode { .. }
            | Self::IdempotencyMismatch { .. }
            | Self::EmptyKey
            | Self::SwappedKey { .. } => Applied::No,
        }
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

    /// The error of an async action that took longer than the time limit of the server.
    pub(crate) fn time_limit(action: impl Into<Cow<'static, str>>, limit: Duration) -> Self {
        Self::Deadline {
            exceeded: Some((action.into(), limit)),
            applied: Applied::No,
            has_key: false,
        }
    }

    /// The error of a command beyond a limit.
    #[doc(hidden)]
    pub fn limit(what: Limit) -> Self {
        let max = what.max();
        Self::Limit { what, max }
    }

    /// The error of a command whose record was not stored.
    pub(crate) fn store(source: Arc<StoreError>) -> Self {
        let applied = if source.leaves_log_usable() {
            Applied::No
        } else {
            Applied::Unknown
        };
        Self::Store {
            source,
            applied,
            has_key: false,
        }
    }

    /// The error of a command that has no record, after one before it was not stored.
    pub(crate) fn store_before(source: Arc<StoreError>) -> Self {
        Self::Store {
            source,
            applied: Applied::No,
            has_key: false,
        }
    }

    /// Adds why the server has stopped, if that is its error and the reason is known.
    pub(crate) fn because(mut self, stop_reason: impl FnOnce() -> Option<StopReason>) -> Self {
        if let Self::Stopped { reason, .. } = &mut self {
            *reason = stop_reason().map(Box::new);
        }
        self
    }

    /// Adds whether the command has an idempotency key.
    pub(crate) fn keyed(mut self, is_keyed: bool) -> Self {
        if let Self::Stopped { has_key, .. }
        | Self::Deadline { has_key, .. }
        | Self::Store { has_key, .. } = &mut self
        {
            *has_key = is_keyed;
        }
        self
    }

    /// Replaces the action's own error, of a command that no caller waits for.
    pub(crate) fn without_action_error(self) -> ServeError<ActionFailed> {
        self.map(|_| ActionFailed)
    }

    /// Converts the error of what was requested.
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
            Self::Panicked { message } => ServeError::Panicked { message },
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
            Self::Deadlock(deadlock) => ServeError::Deadlock(deadlock),
            Self::IdempotencyEncode { reason } => ServeError::IdempotencyEncode { reason },
            Self::IdempotencyMismatch { reason } => ServeError::IdempotencyMismatch { reason },
            Self::EmptyKey => ServeError::EmptyKey,
            Self::SwappedKey { key, action } => ServeError::SwappedKey { key, action },
            Self::AnswerGone => ServeError::AnswerGone,
        }
    }
}

/// The error of [`AgentServer::set`](crate::AgentServer::set).
pub type SetError = ServeError<StateError>;

/// The error of [`AgentServer::call_json`](crate::AgentServer::call_json).
pub type CallJsonError = ServeError<CallError>;
