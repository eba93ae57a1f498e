//! Errors from calls by name.
//!
//! An error either prints its cause or returns it from `source`, never both. The errors in this module print their causes,
//! because a model sees only the message.

use crate::mounted::MountError;
use crate::panics::catch;
use skill_agent_schema::{self as json, ReadError, WriteError};
use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

/// The error returned when a call by name fails. The agent is unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The agent has no action with that name.
    #[non_exhaustive]
    UnknownAction {
        /// The agent's name.
        agent: &'static str,
        /// The requested name.
        action: String,
        /// The most similar action name.
        suggestion: Option<&'static str>,
        /// The mountable skill that has the action but is not mounted.
        unmounted: Option<&'static str>,
    },
    /// The action's skill is mounted but disabled.
    #[non_exhaustive]
    Disabled {
        /// The skill's name.
        skill: &'static str,
        /// The action's name.
        action: &'static str,
    },
    /// The action is internal: only code, routes and other actions may run it.
    #[non_exhaustive]
    Internal {
        /// The action's name.
        action: &'static str,
    },
    /// The action's condition refuses the call in the current state. Nothing has run.
    #[non_exhaustive]
    NotNow {
        /// The action's name.
        action: &'static str,
        /// The reason given by the condition.
        reason: Cow<'static, str>,
    },
    /// The arguments are invalid for the action.
    #[non_exhaustive]
    Arguments {
        /// The action's name.
        action: &'static str,
        /// The reason, with the path in the arguments.
        source: ReadError,
    },
    /// The action failed.
    #[non_exhaustive]
    Action {
        /// The action's name.
        action: &'static str,
        /// The action's own error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The action is async and needs a server.
    #[non_exhaustive]
    NeedsServer {
        /// The action's name.
        action: &'static str,
    },
    /// An async action used [`Context::then`](crate::Context::then) to queue an action whose arguments JSON cannot represent.
    #[non_exhaustive]
    Queued {
        /// The async action's name.
        action: &'static str,
        /// The queued action's name in its skill.
        next: &'static str,
        /// The value that cannot be written, and its path.
        source: WriteError,
    },
    /// The output cannot be written as JSON.
    #[non_exhaustive]
    Output {
        /// The action's name.
        action: &'static str,
        /// The value that cannot be written, and its path.
        source: WriteError,
    },
    /// A mount operation queued by the action failed, for example from [`Context::mount`](crate::Context::mount).
    #[non_exhaustive]
    Mount {
        /// The action's name.
        action: &'static str,
        /// Why the mount operation failed.
        source: Box<MountError>,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownAction {
                action,
                unmounted: Some(skill),
                ..
            } => write!(
                f,
                "the skill `{skill}` is not mounted, so `{action}` cannot be called; mount it first: `mount(\"{skill}\", ...)`"
            ),
            Self::UnknownAction {
                agent,
                action,
                suggestion,
                unmounted: None,
            } => {
                write!(f, "the agent `{agent}` has no action `{action}`")?;
                match suggestion {
                    Some(name) => write!(f, "; did you mean `{name}`?"),
                    None => Ok(()),
                }
            }
            Self::Disabled { skill, action } => write!(
                f,
                "the skill `{skill}` is disabled, so `{action}` cannot be called; enable it first: `enable(\"{skill}\")`"
            ),
            Self::Internal { action } => write!(
                f,
                "the action `{action}` is internal: only code, routes and other actions may run it"
            ),
            Self::NotNow { action, reason } => {
                write!(f, "`{action}` cannot be called now: {reason}")
            }
            Self::Arguments { action, source } => {
                write!(f, "the arguments of `{action}` are wrong: {source}")
            }
            Self::Action { source, .. } => source.fmt(f),
            Self::NeedsServer { action } => write!(
                f,
                "the action `{action}` is async and needs a server: `server.call_json(...)`"
            ),
            Self::Queued {
                action,
                next,
                source,
            } => write!(
                f,
                "the arguments of `{next}`, which `{action}` queued, cannot be written as JSON: {source}"
            ),
            Self::Output { action, source } => {
                write!(
                    f,
                    "the answer of `{action}` cannot be written as JSON: {source}"
                )
            }
            Self::Mount { action, source } => {
                write!(
                    f,
                    "a mount operation that `{action}` queued failed: {source}"
                )
            }
        }
    }
}

impl StdError for CallError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            // the message includes the action's error, so the chain continues with its cause
            Self::Action { source, .. } => source.source(),
            _ => None,
        }
    }
}

impl CallError {
    /// Returns the action's own error if the action itself failed. Downcast it to recover its type.
    pub fn action_error(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        match self {
            Self::Action { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

/// Returns an error's message followed by its causes' messages. A cause is left out if the text already ends with it.
///
/// The error may come from user code whose `Display` panics.
pub fn full_text(error: &dyn StdError) -> String {
    let text = catch(|| joined_texts(error));
    text.unwrap_or_else(|_| "an error whose `Display` panics".to_owned())
}

fn joined_texts(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

/// A [`CallError`] without the action's name in its agent.
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
        /// The queued action's name in its skill.
        next: &'static str,
        /// The value that cannot be written, and its path.
        source: WriteError,
    },
    /// See [`CallError::Mount`].
    Mount(MountError),
}

impl CallFailure {
    /// Adds the action's name.
    #[cold]
    pub fn with_action(self, action: &'static str) -> CallError {
        match self {
            Self::Arguments(source) => CallError::Arguments { action, source },
            Self::Action(source) => CallError::Action { action, source },
            Self::Output(source) => CallError::Output { action, source },
            Self::NeedsServer => CallError::NeedsServer { action },
            Self::Queued { next, source } => CallError::Queued {
                action,
                next,
                source,
            },
            Self::Mount(error) => CallError::Mount {
                action,
                source: Box::new(error),
            },
        }
    }
}

impl From<ReadError> for CallFailure {
    fn from(error: ReadError) -> Self {
        Self::Arguments(error)
    }
}

/// The error returned when a run of instructions fails. The agent is unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunError {
    /// The zero-based index of the instruction.
    pub index: usize,
    /// The name of the instruction's action.
    pub action: String,
    /// The instruction's error.
    pub source: CallError,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            index,
            action,
            source,
        } = self;
        let number = index + 1;
        write!(f, "instruction {number} (`{action}`) failed: {source}")
    }
}

impl StdError for RunError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.source() // the message includes `source`
    }
}

impl RunError {
    /// Creates the error for the instruction at the zero-based `index`.
    pub fn new(index: usize, action: &str, source: CallError) -> Self {
        Self {
            index,
            action: json::shorten_name(action).into_owned(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("no connection")]
    struct Failed(#[source] std::num::ParseIntError);

    /// Returns the messages of an error and its causes.
    fn texts(error: &dyn StdError) -> Vec<String> {
        let causes = std::iter::successors(Some(error), |&error| error.source());
        causes.map(ToString::to_string).collect()
    }

    #[test]
    fn a_printed_cause_is_not_returned_as_source() {
        let wrong = json::read::<u8>("\"x\"").unwrap_err();
        let arguments = CallFailure::Arguments(wrong).with_action("add");
        let text = "the arguments of `add` are wrong: \
                    at the top level: invalid type: string \"x\", expected a non-negative integer";
        assert_eq!(texts(&arguments), [text]);

        let path = "mean".to_owned();
        let output = CallFailure::Output(WriteError::NotFinite { path, value: "NaN" });
        let text =
            "the answer of `add` cannot be written as JSON: `mean` is NaN, which JSON cannot hold";
        assert_eq!(texts(&output.with_action("add")), [text]);
    }

    #[test]
    fn the_chain_of_an_action_error_continues_with_its_cause() {
        let cause = "x".parse::<u8>().unwrap_err();
        let failed = || CallFailure::Action(Box::new(Failed(cause.clone()))).with_action("add");
        let expected = ["no connection", "invalid digit found in string"];
        assert_eq!(texts(&failed()), expected);

        let run = RunError::new(1, "add", failed());
        let expected = [
            "instruction 2 (`add`) failed: no connection",
            "invalid digit found in string",
        ];
        assert_eq!(texts(&run), expected);
        let kept = run.source.action_error().unwrap();
        assert!(kept.downcast_ref::<Failed>().is_some());
    }
}
