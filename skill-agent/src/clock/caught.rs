//! A clock of user code whose panics are caught.

use super::Clock;
use crate::child::BoxFuture;
use crate::panics::{catch, catch_async};
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A clock whose panics are logged. It then reads the time of the system, and its sleep never ends.
#[derive(Clone, Debug)]
pub(crate) struct CaughtClock(pub(crate) Arc<dyn Clock>);

impl Clock for CaughtClock {
    fn now(&self) -> SystemTime {
        catch(|| self.0.now()).unwrap_or_else(|message| {
            log(&message);
            SystemTime::now()
        })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        let sleep = catch(|| self.0.sleep(duration));
        Box::pin(async {
            let ended = match sleep {
                Ok(sleep) => catch_async(sleep).await,
                Err(message) => Err(message),
            };
            if let Err(message) = ended {
                log(&message);
                pending().await
            }
        })
    }
}

fn log(message: &str) {
    tracing::error!(%message, "the clock of the server panicked");
}
