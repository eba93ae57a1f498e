//! Why a server stopped.

use crate::lifecycle::rest::Rest;
use crate::lifecycle::stop_report::StopReport;
use skill_agent_store::StoreError;
use std::borrow::Cow;
use std::sync::Arc;

/// Why a server stopped; see [`AgentServer::closed`](crate::AgentServer::closed).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// `stop` was called, or the last handle was dropped.
    #[error("it was stopped")]
    Stopped,
    /// `kill` was called.
    #[error("it was killed")]
    Killed,
    /// The agent stopped itself with a directive, for the given reason.
    #[error("the agent stopped itself: {0}")]
    Directive(Cow<'static, str>),
    /// An error occurred that no caller waits for, and the error policy is [`ErrorPolicy::Stop`](crate::ErrorPolicy::Stop).
    #[error("the agent reported an error: {0}")]
    Error(String),
    /// The children exceeded the restart limit.
    #[error(transparent)]
    Child(crate::children::RestartLimitExceeded),
    /// The store failed, so that no more commands can be acknowledged.
    #[error("the store failed")]
    Store(#[source] Arc<StoreError>),
    /// The server task panicked, or its runtime shut down.
    #[error("its task ended early: it panicked, or its runtime was shut down")]
    Lost,
}

/// How a server ended.
#[derive(Clone, Debug)]
pub(crate) struct ServerEnd {
    pub(crate) reason: StopReason,
    pub(crate) report: StopReport,
    /// `None` if the task was lost.
    pub(crate) rest: Option<Rest>,
}

impl ServerEnd {
    /// Returns the end of a server whose task was lost.
    pub(crate) fn lost() -> Self {
        Self {
            reason: StopReason::Lost,
            report: StopReport::default(),
            rest: None,
        }
    }
}

impl StopReason {
    /// Returns whether the stop was requested by a handle or by the agent itself.
    pub fn is_wanted(&self) -> bool {
        matches!(self, Self::Stopped | Self::Killed | Self::Directive(_))
    }
}
