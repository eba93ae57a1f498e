//! The state that the handles of a server and its task share.

use super::journal::Recovery;
use super::mailbox::shutdown::StopFlag;
use super::stats::Counters;
use super::stop_reason::StopReason;
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
    pub(crate) closed: watch::Receiver<Option<StopReason>>,
    pub(crate) recovery: Recovery,
    /// How long what is under way may take after a deadline or a stop.
    pub(crate) grace: Duration,
    /// The capacity of a subscription.
    pub(crate) subscription: usize,
}
