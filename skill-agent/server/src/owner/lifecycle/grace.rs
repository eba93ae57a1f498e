//! The time limit for work during a stop.

use crate::clock::Clock;
use crate::panics::catch_async;
use skill_core::child::BoxFuture;
use std::sync::Arc;
use std::time::Duration;

/// The grace period, which begins on first use.
pub(crate) struct GraceTime {
    clock: Arc<dyn Clock>,
    duration: Duration,
    sleep: Option<BoxFuture<()>>,
    is_over: bool,
}

impl GraceTime {
    pub(crate) fn new(clock: Arc<dyn Clock>, duration: Duration) -> Self {
        Self {
            clock,
            duration,
            sleep: None,
            is_over: false,
        }
    }

    /// Ends the grace period at once.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// Completes when the grace period is over.
    pub(crate) async fn ended(&mut self) {
        if self.is_over {
            return;
        }
        let (clock, duration) = (&self.clock, self.duration);
        let sleep = self.sleep.get_or_insert_with(|| {
            let clock = clock.clone();
            let sleep = Box::pin(async move { clock.sleep(duration).await });
            // A clock that panics ends the grace period.
            Box::pin(async { drop(catch_async(sleep).await) })
        });
        sleep.await;
        self.is_over = true;
    }

    /// Returns whether the grace period is over, after letting the runtime's other tasks run.
    pub(crate) async fn is_over(&mut self) -> bool {
        tokio::select! {
            biased;
            () = self.ended() => true,
            () = tokio::task::yield_now() => false,
        }
    }
}
