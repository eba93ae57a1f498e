//! Asks the approver.

use super::{ApprovalRequest, Approver, Verdict};
use crate::clock::Clock;
use crate::panics::catch_async;
use std::sync::Arc;
use std::time::Duration;

/// The reason for denying a call because too many requests are waiting for the approver.
pub const TOO_MANY_OPEN: &str = "approval is required, but too many requests are already waiting";

/// The result of asking an approver.
pub enum Asked {
    /// The approver made a decision.
    Decided(Verdict),
    /// The approver panicked, with this panic message.
    Panicked(String),
    /// The approver exceeded the time limit.
    TooLate(Duration),
}

/// Asks the approver, and waits at most `limit` for the verdict.
pub async fn ask(
    approver: Arc<dyn Approver>,
    request: ApprovalRequest,
    clock: Arc<dyn Clock>,
    limit: Duration,
) -> Asked {
    let decided = catch_async(Box::pin(async move { approver.approve(request).await }));
    tokio::select! {
        biased;
        verdict = decided => match verdict {
            Ok(verdict) => Asked::Decided(verdict),
            Err(message) => Asked::Panicked(message),
        },
        () = clock.sleep(limit) => Asked::TooLate(limit),
    }
}

impl From<Asked> for Verdict {
    fn from(asked: Asked) -> Self {
        match asked {
            Asked::Decided(verdict) => verdict,
            Asked::Panicked(_) => {
                Self::Deny("approval is required, but the approver panicked".into())
            }
            Asked::TooLate(limit) => {
                Self::Deny(format!("the approver did not decide within {limit:?}").into())
            }
        }
    }
}
