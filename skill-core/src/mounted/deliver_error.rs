//! The error returned when a signal cannot be delivered to hooks.

use super::error::{MountError, Name};
use skill_agent_schema::{shorten_name, suggest};
use std::error::Error as StdError;

/// The error returned when a signal cannot be delivered. Nothing has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeliverError {
    /// The skill's hook failed.
    #[error("the skill `{skill}` could not handle the signal")]
    #[non_exhaustive]
    Hook {
        /// The skill's name.
        skill: Name,
        /// The hook's error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// No skill or document with that name is mounted.
    #[error("no skill or document `{}` is mounted{}", shorten_name(.name), suggest(.suggestion.as_deref()))]
    #[non_exhaustive]
    NotMounted {
        /// The requested name.
        name: String,
        /// The most similar name of a mounted skill or document.
        suggestion: Option<Name>,
    },
    /// A mount operation queued by the hook failed.
    #[error("a mount operation that the hook queued failed: {0}")]
    Mount(MountError),
    /// The skill or document is disabled.
    #[error("`{skill}` is disabled; enable it first")]
    #[non_exhaustive]
    Disabled {
        /// The name of the skill or document.
        skill: Name,
    },
}
