//! Action errors for callers that do not receive the action's own error type.

use skill_core::{CallError, RunError};

/// Why the instructions queued by an async action did not run.
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

/// Replaces the action's own error if no caller receives that error.
#[derive(Debug, thiserror::Error)]
#[error("it failed")]
pub(crate) struct ActionFailed;
