//! For agents that sleep: whether a server may stop, and what it leaves.

use std::time::SystemTime;

/// Whether a server had something to do when it was asked to stop.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idleness {
    /// It had nothing to do, and stops.
    Stops,
    /// A child or a conversation in memory keeps it running.
    Kept,
    /// It has something to do.
    Busy,
}

/// The work that a stopped server leaves for the next one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// When the next server has something to do, or `None` without such work.
    pub next_due: Option<SystemTime>,
    /// Whether the log has a record or a snapshot.
    pub is_stored: bool,
    /// Whether the server stopped because of a failure.
    pub has_failed: bool,
}
