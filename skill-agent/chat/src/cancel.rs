//! Cancellation of turns.

use super::Stop;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// Cancels a chat's running turn from anywhere. Returned by [`Chat::canceller`](super::Chat::canceller).
#[derive(Clone, Debug, Default)]
pub struct Canceller {
    turn: Arc<Mutex<CancellationToken>>,
}

impl Canceller {
    /// Cancels the running turn, which then ends with [`Stop::Cancelled`]. Later turns run as usual.
    pub fn cancel(&self) {
        self.token().cancel();
    }

    fn token(&self) -> CancellationToken {
        let token = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        token.clone()
    }

    /// Starts a turn with a time limit.
    pub(super) fn begin(&self, time: Duration) -> Interruption {
        let token = CancellationToken::new();
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = token.clone();
        let deadline = Instant::now().checked_add(time);
        Interruption { token, deadline }
    }
}

/// The cancellation and the deadline of one turn.
#[derive(Clone, Debug)]
pub(super) struct Interruption {
    token: CancellationToken,
    /// The deadline, or `None` if it is too far in the future for an `Instant`.
    deadline: Option<Instant>,
}

impl Interruption {
    /// Returns whether a [`Canceller`] has cancelled the turn.
    pub(super) fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits until the turn is cancelled or its deadline passes.
    pub(super) async fn wait(&self) -> Stop {
        let deadline = async {
            match self.deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.token.cancelled() => Stop::Cancelled,
            () = deadline => Stop::Time,
        }
    }
}
