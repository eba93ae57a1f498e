//! Errors of actions whose caller gets no error of their own type.

use skill_core::{CallError, RunError};

/// Why the instructions that an async action queued did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThenError {
    /// An instruction failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An instruction's arguments cannot be serialized.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// Replaces the action's own error if no caller receives it.
#[derive(Debug, thiserror::Error)]
#[error("it failed")]
pub(crate) struct ActionFailed;
