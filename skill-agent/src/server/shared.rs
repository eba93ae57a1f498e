//! What the handles of a server and its task have in common.

use super::orders::Orders;
use super::stats::Counters;
use super::subscription::Hub;
use super::{Recovery, StopReason};
use crate::clock::Clock;
use std::sync::Arc;
use tokio::sync::watch;

/// What the handles and the task share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    pub(crate) counters: Counters,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) orders: Orders,
    pub(crate) closed: watch::Receiver<Option<StopReason>>,
    pub(crate) recovery: Recovery,
    pub(crate) subscription: usize,
}
