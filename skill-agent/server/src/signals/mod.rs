//! Signals that the agent emits: to subscribers, to the signal sink, and as scheduled signals.

#[cfg(feature = "cron")]
mod cron;
pub(crate) mod dropping_queue;
pub(crate) mod misspelled;
pub(crate) mod outbox;
pub(crate) mod repeat;
pub(crate) mod routing;
pub(crate) mod schedule;
pub(crate) mod signal_sink;
pub(crate) mod subscription;
