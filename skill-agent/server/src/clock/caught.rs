//! A wrapper that catches panics in a user's clock.

use super::Clock;
use crate::panics::{catch, catch_async};
use skill_core::child::BoxFuture;
use std::future::pending;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, SystemTime};

/// A clock that logs the panics of its inner clock. After a panic, the system time and tokio's timer are used instead.
#[derive(Clone, Debug)]
pub struct CaughtClock(pub Arc<dyn Clock>);

impl CaughtClock {
    /// Returns whether sleeping works in this runtime, either with the inner clock, or with tokio's timer if the inner clock
    /// panics.
    pub fn can_sleep(&self) -> bool {
        // tokio cannot be asked whether there is a timer; without one, `sleep` or its first poll panics
        let polled = catch(|| {
            let mut sleep = self.0.sleep(Duration::ZERO);
            let _ = sleep.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        });
        polled.is_ok() || catch(|| tokio::time::sleep(Duration::ZERO)).is_ok()
    }
}

impl Clock for CaughtClock {
    fn now(&self) -> SystemTime {
        catch(|| self.0.now()).unwrap_or_else(|message| {
            log(&message);
            SystemTime::now()
        })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        let sleep = catch(|| self.0.sleep(duration));
        Box::pin(async move {
            let ended = match sleep {
                Ok(sleep) => catch_async(sleep).await,
                Err(message) => Err(message),
            };
            let Err(message) = ended else {
                return;
            };
            log(&message);
            match catch(|| tokio::time::sleep(duration)) {
                Ok(sleep) => sleep.await,
                // the runtime has no timer
                Err(_) => pending().await,
            }
        })
    }
}

fn log(message: &str) {
    tracing::error!(%message, "the clock of the server panicked");
}
