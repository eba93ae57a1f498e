//! Why a server is no more.

use crate::store::StoreError;
use std::borrow::Cow;
use std::sync::Arc;

/// Why a server stopped; see [`AgentServer::closed`](crate::AgentServer::closed).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// Somebody called `stop`, or dropped the last handle.
    #[error("it was stopped")]
    Stopped,
    /// Somebody called `kill`.
    #[error("it was killed")]
    Killed,
    /// The agent stopped itself by a directive.
    #[error("the agent stopped itself: {0}")]
    Directive(Cow<'static, str>),
    /// A directive reported an error, and the policy is to stop.
    #[error("the agent reported an error: {0}")]
    Error(String),
    /// A child could not be kept alive.
    #[error("{0}")]
    Child(crate::children::RestartStorm),
    /// The store failed, so that nothing can be acknowledged any more.
    #[error("the store failed: {0}")]
    Store(Arc<StoreError>),
    /// The server's own task ended by a panic or with its runtime.
    #[error("its task ended before its time")]
    Lost,
}

impl StopReason {
    /// Whether somebody wanted it.
    pub fn is_wanted(&self) -> bool {
        matches!(self, Self::Stopped | Self::Killed | Self::Directive(_))
    }
}
