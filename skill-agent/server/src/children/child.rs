//! One child of a supervisor, running or not.

use super::ExitReason;
use skill_core::ChildSpec;
use skill_core::child::{BoxFuture, ChildStop};
use skill_core::serde_json::Value;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::task::{AbortHandle, Id};
use tokio_util::sync::CancellationToken;

/// A child's specification and current state.
pub(super) struct Child {
    pub skill: &'static str,
    pub spec: ChildSpec,
    pub params: Option<Arc<Value>>,
    /// The number of consecutive restarts, reset once the child has run for
    /// [`RestartLimits::within`](super::RestartLimits::within).
    pub attempts: u32,
    pub state: State,
}

pub(super) enum State {
    /// The child has not started, or has ended without a restart.
    Idle,
    /// The child has ended, and waits for its restart.
    Waiting,
    Running(RunningTask),
}

/// The task of a running child.
pub(super) struct RunningTask {
    pub task: Id,
    pub abort: AbortHandle,
    pub stop: CancellationToken,
    pub since: SystemTime,
}

impl Child {
    pub(super) fn new(skill: &'static str, spec: ChildSpec) -> Self {
        Self {
            skill,
            spec,
            params: None,
            attempts: 0,
            state: State::Idle,
        }
    }

    pub(super) fn running_task(&self) -> Option<&RunningTask> {
        match &self.state {
            State::Running(task) => Some(task),
            State::Idle | State::Waiting => None,
        }
    }

    /// Logs the end of a task.
    pub(super) fn log_exit(&self, reason: &ExitReason) {
        let (child, skill) = (&*self.spec.id, self.skill);
        match reason {
            ExitReason::Finished => tracing::debug!(child, skill, "child finished"),
            ExitReason::Aborted => tracing::debug!(child, skill, "child was aborted"),
            _ => tracing::warn!(child, skill, %reason, "child ended"),
        }
    }
}

/// Implements [`ChildStop`] with a cancellation token.
pub(super) struct StopToken(pub CancellationToken);

impl ChildStop for StopToken {
    fn is_stopping(&self) -> bool {
        self.0.is_cancelled()
    }

    fn stopped(&self) -> BoxFuture<()> {
        Box::pin(self.0.clone().cancelled_owned())
    }
}
