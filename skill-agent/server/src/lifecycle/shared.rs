//! The state that a server's handles and its task share.

use crate::clock::CaughtClock;
use crate::journal::Recovery;
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::mailbox::shutdown::StopFlag;
use crate::signals::misspelled::PatternWarnings;
use crate::signals::subscription::Hub;
use crate::stats::Counters;

use std::time::Duration;
use tokio::sync::watch;

/// The state that the handles and the server task share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    pub(crate) counters: Counters,
    pub(crate) clock: CaughtClock,
    pub(crate) stop_flag: StopFlag,
    pub(crate) closed: watch::Receiver<Option<ServerEnd>>,
    pub(crate) recovery: Recovery,
    /// How long running work may continue after a deadline or a stop.
    pub(crate) grace: Duration,
    /// The capacity of a subscription, in signals.
    pub(crate) subscription: usize,
    pub(crate) pattern_warnings: PatternWarnings,
}

impl Shared {
    /// Waits until the server has stopped and released its store.
    pub(crate) async fn ended(&self) -> ServerEnd {
        let mut closed = self.closed.clone();
        let end = closed.wait_for(Option::is_some).await;
        let end = end.ok().and_then(|end| end.clone());
        end.unwrap_or_else(ServerEnd::lost)
    }

    /// Returns why the server has stopped, or `None` while it is running.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        let end = self.closed.borrow();
        end.as_ref().map(|end| end.reason.clone())
    }
}
