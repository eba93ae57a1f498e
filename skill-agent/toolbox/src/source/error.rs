//! The error of a source.

use serde_json::Value;
use skill_agent_server::{Applied, ApprovalRequest};
use std::fmt;

/// An error from a [`ToolSource`](super::ToolSource), with a message that addresses the model.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceError {
    pub(crate) kind: SourceErrorKind,
    pub(crate) message: String,
    pub(crate) applied: Applied,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SourceErrorKind {
    Arguments,
    Failed,
    Unavailable,
    Aborted,
    Undecided,
    Pending {
        requests: Vec<ApprovalRequest>,
        /// Boxed, so that the error is small.
        state: Box<Value>,
    },
}

impl SourceError {
    /// Creates an error for invalid arguments: [`ToolError::Arguments`](crate::ToolError::Arguments). Nothing has run.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Arguments, message, Applied::No)
    }

    /// Creates an error for a failed tool: [`ToolError::Failed`](crate::ToolError::Failed), after which it is unknown whether the
    /// call took effect.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Failed, message, Applied::Unknown)
    }

    /// Creates an error for a tool that cannot be called now: [`ToolError::Unavailable`](crate::ToolError::Unavailable). Nothing
    /// has run.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Unavailable, message, Applied::No)
    }

    /// Creates an error for a call that waits for approval of calls inside it: [`ToolError::PendingInside`](crate::ToolError::PendingInside).
    /// Each verdict on a request is passed to [`ToolSource::decide`](super::ToolSource::decide).
    ///
    /// A source that forwards calls to a server or to another toolbox gets the requests from their errors.
    pub fn pending(requests: Vec<ApprovalRequest>) -> Self {
        let state = Box::default();
        let kind = SourceErrorKind::Pending { requests, state };
        Self::of_kind(kind, "it waits for approval", Applied::Unknown)
    }

    /// Sets the data that [`SourceDecision::state`](super::SourceDecision::state) returns, for an error from [`pending`](Self::pending). It is stored in the
    /// history of the conversation. The model never sees it.
    #[must_use]
    pub fn with_state(mut self, data: Value) -> Self {
        if let SourceErrorKind::Pending { state, .. } = &mut self.kind {
            **state = data;
        }
        self
    }

    /// Creates an error for a call that should end the conversation: [`ToolError::Aborted`](crate::ToolError::Aborted).
    pub fn aborted(reason: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Aborted, reason, Applied::Unknown)
    }

    /// Creates an error for a verdict that was not carried out: [`ToolError::InvalidRequest`](crate::ToolError::InvalidRequest).
    /// The call keeps waiting.
    pub fn undecided(reason: impl Into<String>) -> Self {
        Self::of_kind(SourceErrorKind::Undecided, reason, Applied::No)
    }

    /// Sets whether the call took effect. If it may have taken effect, an error for invalid arguments becomes
    /// [`Failed`](crate::ToolError::Failed).
    #[must_use]
    pub fn with_applied(mut self, applied: Applied) -> Self {
        self.applied = applied;
        self
    }

    /// Returns whether the call took effect.
    pub fn applied(&self) -> Applied {
        self.applied
    }

    fn of_kind(kind: SourceErrorKind, message: impl Into<String>, applied: Applied) -> Self {
        Self {
            kind,
            message: message.into(),
            applied,
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SourceError {}

/// The maximum length of a message from a source, in bytes.
const LONGEST_MESSAGE: usize = 8 << 10;

/// Shortens a message to a length that is reasonable for a model.
pub(crate) fn shortened(mut message: String) -> String {
    if message.len() > LONGEST_MESSAGE {
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        message.push('…');
    }
    message
}
