//! The state that the handles of a server and its task share.

use super::journal::Recovery;
use super::mailbox::shutdown::StopFlag;
use super::stats::Counters;
use super::stop_reason::{ServerEnd, StopReason};
use super::subscription::Hub;
use crate::clock::CaughtClock;
use std::time::Duration;
use tokio::sync::watch;

/// The state that the handles and the task share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    pub(crate) counters: Counters,
    pub(crate) clock: CaughtClock,
    pub(crate) stop_flag: StopFlag,
    pub(crate) closed: watch::Receiver<Option<ServerEnd>>,
    pub(crate) recovery: Recovery,
    /// How long what is under way may take after a deadline or a stop.
    pub(crate) grace: Duration,
    /// The capacity of a subscription.
    pub(crate) subscription: usize,
}

impl Shared {
    /// Waits until the server has stopped and released its store.
    pub(crate) async fn ended(&self) -> ServerEnd {
        let mut closed = self.closed.clone();
        let end = closed.wait_for(Option::is_some).await;
        let end = end.ok().and_then(|end| end.clone());
        end.unwrap_or_else(ServerEnd::lost)
    }

    /// Why the server has stopped, if it has.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        let end = self.closed.borrow();
        end.as_ref().map(|end| end.reason.clone())
    }
}
