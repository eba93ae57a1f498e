//! A command's metadata.

use crate::Signal;
use std::sync::Arc;
use std::time::SystemTime;

/// A command's cause and stamp, shared by everything that the command runs.
#[derive(Clone, Debug, Default)]
pub struct CommandMeta {
    /// The signal that caused the command.
    pub signal: Option<Signal>,
    /// The address for a reply.
    pub reply_to: Option<String>,
    /// The command's time and id.
    pub stamp: Option<Stamp>,
    /// The idempotency key that the caller gave the command.
    pub idempotency_key: Option<String>,
}

impl CommandMeta {
    /// Creates metadata with only a signal.
    pub(crate) fn of_signal(signal: &Signal) -> Arc<Self> {
        Arc::new(Self {
            signal: Some(signal.clone()),
            ..Self::default()
        })
    }

    /// Creates metadata with only a stamp.
    pub(crate) fn stamped(stamp: &Stamp) -> Arc<Self> {
        Arc::new(Self {
            stamp: Some(stamp.clone()),
            ..Self::default()
        })
    }
}

/// A command's time and id. Pure code cannot create either of them, so the caller provides both. A server takes the time from its
/// clock, generates a version 7 UUID, and records both.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The command's time.
    pub now: SystemTime,
    /// The command's id. A server uses a version 7 UUID.
    pub id: String,
}

impl Stamp {
    /// Creates a stamp.
    pub fn new(now: SystemTime, id: impl Into<String>) -> Self {
        Self { now, id: id.into() }
    }
}
