//! A flag that stops the server task without sending it a message.

use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

/// A stop level that can only rise. The server task reads it between messages, at the cost of one atomic load.
#[derive(Debug, Default)]
pub(crate) struct StopFlag {
    level: AtomicU8,
    raised: Notify,
}

/// How urgently a server must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StopLevel {
    Serve,
    Stop,
    Kill,
}

impl StopFlag {
    /// Raises the level, or does nothing if the level is already higher.
    pub(crate) fn raise(&self, level: StopLevel) {
        self.level.fetch_max(level as u8, Ordering::AcqRel);
        self.raised.notify_waiters();
    }

    pub(crate) fn level(&self) -> StopLevel {
        match self.level.load(Ordering::Acquire) {
            0 => StopLevel::Serve,
            1 => StopLevel::Stop,
            _ => StopLevel::Kill,
        }
    }

    /// Waits until the level is at least `least`, and returns it.
    pub(crate) async fn at_least(&self, least: StopLevel) -> StopLevel {
        loop {
            let raised = self.raised.notified();
            let level = self.level();
            if level >= least {
                return level;
            }
            raised.await;
        }
    }
}
