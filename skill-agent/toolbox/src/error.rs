//! The errors of calls through a toolbox, as texts for a model.

use super::source::{SourceError, SourceErrorKind};
use serde::{Deserialize, Serialize};
use skill_agent_schema::shorten_name;
use skill_agent_server::__private::{catch, with_reason};
use skill_agent_server::{Applied, ApprovalRequest, ServeError};
use skill_core::__private::nearest_within;
use skill_core::CallError;

/// Why a call has no output. The text is for the model: it says what was given and what is expected.
///
/// It is kept in the history of a conversation, and is therefore cloned, compared and stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolError {
    /// There is no such tool.
    #[error("there is no tool `{name}`{}", did_you_mean(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The name that was called.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The key of a call is the name of a tool, and its name is no tool: the program has swapped the two. Nothing has run.
    #[error(
        "`{name}` is no tool, and the key `{key}` is one: the key comes first, as in `call_with_key(key, name, arguments)`"
    )]
    #[non_exhaustive]
    SwappedKey {
        /// The key that was given.
        key: String,
        /// The name that was given.
        name: String,
    },
    /// The arguments do not fit the tool. Nothing has run.
    #[error("the arguments of `{tool}` are wrong: {problem}")]
    #[non_exhaustive]
    Arguments {
        /// The tool.
        tool: String,
        /// The mistake: its path, the given value and the expected one.
        problem: String,
    },
    /// The tool has failed.
    #[error("{message}")]
    #[non_exhaustive]
    Failed {
        /// The tool.
        tool: String,
        /// Its message.
        message: String,
        /// Whether it took effect.
        applied: Applied,
    },
    /// The guard or the approver denied the call, or there is no approver.
    #[error("`{tool}` was denied{}", with_reason(.reason))]
    #[non_exhaustive]
    Denied {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// The approver denied the call, and the conversation should end.
    #[error("`{tool}` was denied, and its caller should stop{}", with_reason(.reason))]
    #[non_exhaustive]
    Aborted {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// The approver deferred the decision: nothing has run. [`ToolSession::decide`](super::ToolSession::decide) takes the request
    /// and the verdict.
    #[error("`{}` waits for approval", .0.tool.name)]
    Pending(Box<ApprovalRequest>),
    /// The request cannot be decided on: it was changed, it belongs to another caller or to a toolbox with another secret, it was decided on before, or its
    /// tool is gone.
    #[error("the approval request is not valid: {reason}")]
    #[non_exhaustive]
    InvalidRequest {
        /// Why.
        reason: String,
    },
    /// The key of the call is empty. Nothing has run.
    #[error("the idempotency key is empty; each call needs its own")]
    EmptyKey,
    /// The documents that are active in the session do not allow the tool.
    #[error("{reason}")]
    #[non_exhaustive]
    Restricted {
        /// The tool.
        tool: String,
        /// Why, and which document to activate.
        reason: String,
    },
    /// The source of the tool does not answer.
    #[error("`{tool}` cannot be called now: {reason}")]
    #[non_exhaustive]
    Unavailable {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
        /// Whether the call took effect.
        applied: Applied,
    },
}

/// The most bytes of a message of a source.
const LONGEST_MESSAGE: usize = 8 << 10;

/// A message that is not longer than a model should read.
pub(super) fn shortened(mut message: String) -> String {
    if message.len() > LONGEST_MESSAGE {
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        message.push('…');
    }
    message
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl ToolError {
    /// Whether the call took effect. For a tool that is not an action of a served agent, this is what its source says.
    pub fn applied(&self) -> Applied {
        match self {
            Self::Failed { applied, .. } | Self::Unavailable { applied, .. } => *applied,
            Self::Unknown { .. }
            | Self::SwappedKey { .. }
            | Self::EmptyKey
            | Self::Arguments { .. }
            | Self::Denied { .. }
            | Self::Aborted { .. }
            | Self::Pending(_)
            | Self::Restricted { .. }
            | Self::InvalidRequest { .. } => Applied::No,
        }
    }

    /// The error for a name that no tool has.
    #[doc(hidden)]
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        Self::Unknown {
            name: shorten_name(name).into_owned(),
            nearest: nearest_within(name, names).map(str::to_owned),
        }
    }

    /// The error of a tool that failed with a message.
    #[doc(hidden)]
    pub fn failed(tool: &str, message: String, applied: Applied) -> Self {
        Self::Failed {
            tool: tool.to_owned(),
            message,
            applied,
        }
    }

    /// The error of a call that was denied. Nothing has run.
    #[doc(hidden)]
    pub fn denied(tool: &str, reason: impl Into<String>) -> Self {
        Self::Denied {
            tool: tool.to_owned(),
            reason: reason.into(),
        }
    }

    /// The error of a tool that cannot be called now. Nothing has run.
    pub(super) fn unavailable(tool: &str, reason: String) -> Self {
        Self::Unavailable {
            tool: tool.to_owned(),
            reason,
            applied: Applied::No,
        }
    }

    /// The error of a source that the program wrote.
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
            // `Arguments` says that nothing has run
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
        }
    }

    /// The error of a call to a server.
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
            ServeError::Action(
                error @ (CallError::UnknownAction { .. }
                | CallError::Disabled { .. }
                | CallError::Internal { .. }),
            ) => return unavailable(error.to_string()),
            ServeError::Denied { reason, .. } => reason.into_owned(),
            ServeError::Aborted { reason, .. } => {
                let reason = reason.into_owned();
                return Self::Aborted { tool, reason };
            }
            ServeError::Pending(request) => return Self::Pending(request),
            ServeError::InvalidRequest { reason, .. } => {
                let reason = reason.into_owned();
                return Self::InvalidRequest { reason };
            }
            error @ (ServeError::Stopped { .. }
            | ServeError::Deadline { .. }
            | ServeError::Store { .. }
            | ServeError::Full
            | ServeError::Deadlock(_)) => return unavailable(error.to_string()),
            error => {
                // the error of an action is code of the user
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
