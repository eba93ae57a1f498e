//! Errors from tool calls, with messages for a model.

mod pending_inside;

pub use pending_inside::PendingInside;

use crate::list::reserved::READ_RESULT;
use crate::source::{SourceError, SourceErrorKind, shortened};
use serde::{Deserialize, Serialize};
use skill_agent_schema::{shorten_name, suggest};
use skill_agent_server::__private::{catch, with_reason};
use skill_agent_server::{Applied, ApprovalRequest, ServeError, StartError};
use skill_core::__private::nearest_within;
use skill_core::CallError;
use skill_core::process::full_text;

/// An error from a tool call. The message is for the model: it says what was wrong with the call, and what is expected.
///
/// The error can be cloned, compared and stored, because a conversation's history contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolError {
    /// No tool has this name.
    #[error("there is no tool `{name}`{}", remedy(.name, .nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar tool name.
        nearest: Option<String>,
    },
    /// The call's name does not belong to a tool, but its key does: the program has swapped the two. Nothing has run.
    #[error(
        "`{name}` is no tool, and the key `{key}` is one: the key comes first, as in `call_with_key(key, name, arguments)`"
    )]
    #[non_exhaustive]
    SwappedKey {
        /// The key passed to the call.
        key: String,
        /// The name passed to the call.
        name: String,
    },
    /// The arguments do not match the tool's schema, so nothing has run.
    #[error("the arguments of `{tool}` are wrong: {problem}")]
    #[non_exhaustive]
    Arguments {
        /// The tool's name.
        tool: String,
        /// What is wrong with the arguments: the path, the actual value and the expected one.
        problem: String,
    },
    /// The tool failed.
    #[error("{message}")]
    #[non_exhaustive]
    Failed {
        /// The tool's name.
        tool: String,
        /// The tool's error message.
        message: String,
        /// Whether the call took effect.
        applied: Applied,
    },
    /// The guard or the approver denied the call, or there is no approver.
    #[error("`{tool}` was denied{}", with_reason(.reason))]
    #[non_exhaustive]
    Denied {
        /// The tool's name.
        tool: String,
        /// The reason given by the guard or the approver.
        reason: String,
    },
    /// The approver denied the call, or a call inside it, and asked to end the conversation.
    #[error("`{tool}` was {}, and its caller should stop{}", aborted(*.applied), with_reason(.reason))]
    #[non_exhaustive]
    Aborted {
        /// The tool's name.
        tool: String,
        /// The reason given by the approver.
        reason: String,
        /// Whether the call took effect. A call with other calls inside may have.
        #[serde(default = "not_applied", skip_serializing_if = "is_not_applied")]
        applied: Applied,
    },
    /// The approver deferred the decision, and nothing has run. Pass the request and a verdict to
    /// [`ToolSession::decide`](super::ToolSession::decide).
    #[error("`{}` waits for approval", .0.tool.name)]
    Pending(Box<ApprovalRequest>),
    /// Calls inside this call wait for approval. Pass each verdict to
    /// [`ToolSession::decide_inside`](super::ToolSession::decide_inside).
    #[error("`{}` waits for approval of {}", .0.request.tool.name, .0.names())]
    PendingInside(Box<PendingInside>),
    /// The request cannot be decided. It was changed, was already decided, belongs to a different caller or to a toolbox with a
    /// different secret, or its tool no longer exists.
    #[error("the approval request is not valid: {reason}")]
    #[non_exhaustive]
    InvalidRequest {
        /// Why the request is invalid.
        reason: String,
    },
    /// The call's key is empty, so nothing has run.
    #[error("the idempotency key is empty; each call needs its own")]
    EmptyKey,
    /// The session's active documents do not allow the tool.
    #[error("{reason}")]
    #[non_exhaustive]
    Restricted {
        /// The tool's name.
        tool: String,
        /// Why the tool is not allowed, and which document to activate.
        reason: String,
    },
    /// The tool belongs to a [group](super::ToolGroup) that the model of a chat has not loaded. Nothing has run.
    #[error("load `{group}` with the tool `skill` first, and then call `{tool}`")]
    #[non_exhaustive]
    NotLoaded {
        /// The tool's name.
        tool: String,
        /// The group's name.
        group: String,
    },
    /// The condition of the tool's action, `#[action(when = …)]`, refuses the call in the current state. Nothing has run.
    #[error("`{tool}` cannot be called now: {reason}")]
    #[non_exhaustive]
    NotNow {
        /// The tool's name.
        tool: String,
        /// The reason given by the condition.
        reason: String,
    },
    /// The tool's source does not respond.
    #[error("`{tool}` cannot be called now: {reason}")]
    #[non_exhaustive]
    Unavailable {
        /// The tool's name.
        tool: String,
        /// The reason as text.
        reason: String,
        /// Whether the call took effect.
        applied: Applied,
    },
}

fn aborted(applied: Applied) -> &'static str {
    if applied == Applied::No {
        "denied"
    } else {
        "stopped"
    }
}

fn not_applied() -> Applied {
    Applied::No
}

fn is_not_applied(applied: &Applied) -> bool {
    *applied == Applied::No
}

/// Returns the end of the message about an unknown tool.
fn remedy(name: &str, nearest: Option<&str>) -> String {
    if name == READ_RESULT {
        // the model knows the name from a result of another session
        return " in this session, which has cut no result; keep one session for a conversation, or call the tool of the result again"
            .to_owned();
    }
    suggest(nearest)
}

impl ToolError {
    /// Returns whether the call took effect. The source decides this if the tool is not an action of a served agent.
    pub fn applied(&self) -> Applied {
        match self {
            Self::Failed { applied, .. }
            | Self::Unavailable { applied, .. }
            | Self::Aborted { applied, .. } => *applied,
            // other calls inside may have run
            Self::PendingInside(_) => Applied::Unknown,
            Self::Unknown { .. }
            | Self::SwappedKey { .. }
            | Self::EmptyKey
            | Self::Arguments { .. }
            | Self::Denied { .. }
            | Self::Pending(_)
            | Self::Restricted { .. }
            | Self::NotLoaded { .. }
            | Self::NotNow { .. }
            | Self::InvalidRequest { .. } => Applied::No,
        }
    }

    /// Creates the error for an unknown tool name, given the existing names.
    #[doc(hidden)]
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        Self::Unknown {
            name: shorten_name(name).into_owned(),
            nearest: nearest_within(name, names).map(str::to_owned),
        }
    }

    /// Creates the error for a tool that failed with a message.
    #[doc(hidden)]
    pub fn failed(tool: &str, message: String, applied: Applied) -> Self {
        Self::Failed {
            tool: tool.to_owned(),
            message,
            applied,
        }
    }

    /// Creates the error for a call that was denied, so that nothing has run.
    #[doc(hidden)]
    pub fn denied(tool: &str, reason: impl Into<String>) -> Self {
        Self::Denied {
            tool: tool.to_owned(),
            reason: reason.into(),
        }
    }

    /// Creates the error for a request that cannot be decided.
    pub(super) fn invalid(reason: impl Into<String>) -> Self {
        Self::InvalidRequest {
            reason: reason.into(),
        }
    }

    /// Creates the error for a tool that cannot be called now, so that nothing has run.
    pub(super) fn unavailable(tool: &str, reason: String) -> Self {
        Self::Unavailable {
            tool: tool.to_owned(),
            reason,
            applied: Applied::No,
        }
    }

    /// Creates the error for a call that failed in a custom source.
    pub(super) fn of_source(tool: &str, error: SourceError) -> Self {
        let SourceError {
            kind,
            message,
            applied,
        } = error;
        let (tool, message) = (tool.to_owned(), shortened(message));
        match kind {
            SourceErrorKind::Arguments if applied == Applied::No => Self::Arguments {
                tool,
                problem: message,
            },
            // `Arguments` guarantees that nothing has run
            SourceErrorKind::Arguments | SourceErrorKind::Failed => Self::Failed {
                tool,
                message,
                applied,
            },
            SourceErrorKind::Unavailable => Self::Unavailable {
                tool,
                reason: message,
                applied,
            },
            SourceErrorKind::Aborted => Self::Aborted {
                tool,
                reason: message,
                applied,
            },
            SourceErrorKind::Undecided => Self::InvalidRequest { reason: message },
            // the guard seals a call that waits
            SourceErrorKind::Pending { .. } => Self::failed(&tool, message, applied),
        }
    }

    /// Creates the error for a failed call to a server.
    pub(super) fn of_server(tool: &str, error: ServeError<CallError>) -> Self {
        let (applied, tool) = (error.applied(), tool.to_owned());
        let unavailable = |reason| Self::Unavailable {
            tool: tool.clone(),
            reason,
            applied,
        };
        let reason = match error {
            ServeError::Action(CallError::Arguments { source, .. }) => {
                let problem = source.to_string();
                return Self::Arguments { tool, problem };
            }
            ServeError::Action(CallError::NotNow { reason, .. }) => {
                let reason = shortened(reason.into_owned());
                return Self::NotNow { tool, reason };
            }
            ServeError::Action(
                error @ (CallError::UnknownAction { .. }
                | CallError::Disabled { .. }
                | CallError::Internal { .. }),
            ) => return unavailable(error.to_string()),
            ServeError::Denied { reason, .. } => reason.into_owned(),
            ServeError::Aborted { reason, .. } => {
                let reason = reason.into_owned();
                return Self::Aborted {
                    tool,
                    reason,
                    applied,
                };
            }
            ServeError::Pending(request) => return Self::Pending(request),
            ServeError::InvalidRequest { reason, .. } => {
                let reason = reason.into_owned();
                return Self::InvalidRequest { reason };
            }
            // the program says so to its callers; other reasons are in its log
            ServeError::NotStarted(error) if matches!(*error, StartError::NoBuilder { .. }) => {
                return unavailable(shortened(full_text(&*error)));
            }
            error @ (ServeError::Stopped { .. }
            | ServeError::NotStarted(_)
            | ServeError::Deadline { .. }
            | ServeError::Store { .. }
            | ServeError::NoPlace { .. }
            | ServeError::Full
            | ServeError::Deadlock(_)) => return unavailable(error.to_string()),
            error => {
                // formatting an action's error runs user code, which may panic
                let message = catch(|| error.to_string());
                let message = message.unwrap_or_else(|_| "it failed without a message".to_owned());
                let message = shortened(message);
                return Self::Failed {
                    tool,
                    message,
                    applied,
                };
            }
        };
        Self::Denied { tool, reason }
    }
}
