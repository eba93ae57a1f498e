//! The machine's clock.

use super::Clock;
use skill_core::child::BoxFuture;
use std::time::{Duration, SystemTime};

/// The machine's clock, which sleeps on tokio's timer.
///
/// [`sleep`](Clock::sleep) panics outside a tokio runtime with time enabled.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn the_time_is_counted_from_the_call() {
        let hour = Duration::from_secs(3600);
        let began = Instant::now();
        let sleep = SystemClock.sleep(hour);
        tokio::time::advance(hour / 2).await;
        sleep.await;
        assert_eq!(began.elapsed().as_secs(), hour.as_secs());
    }
}
