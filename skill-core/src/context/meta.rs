//! The metadata of a command.

use crate::Signal;
use std::sync::Arc;
use std::time::SystemTime;

/// The cause of a command and its stamp, shared by everything that the command runs.
#[derive(Clone, Debug, Default)]
pub struct CommandMeta {
    /// The signal that led to the command.
    pub signal: Option<Signal>,
    /// The address for a reply.
    pub reply_to: Option<String>,
    /// The time and the id of the command.
    pub stamp: Option<Stamp>,
    /// The idempotency key that the caller gave the command.
    pub idempotency_key: Option<String>,
}

impl CommandMeta {
    /// Metadata with only a signal.
    pub(crate) fn of_signal(signal: &Signal) -> Arc<Self> {
        Arc::new(Self {
            signal: Some(signal.clone()),
            ..Self::default()
        })
    }

    /// Metadata with only a stamp.
    pub(crate) fn stamped(stamp: &Stamp) -> Arc<Self> {
        Arc::new(Self {
            stamp: Some(stamp.clone()),
            ..Self::default()
        })
    }
}

/// The time and the id of a command. Pure code cannot make either, so the caller provides them and a server records them: the
/// time of its clock, and a new UUID of version 7.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The time of the command.
    pub now: SystemTime,
    /// The id of the command.
    pub id: String,
}

impl Stamp {
    /// Creates a stamp.
    pub fn new(now: SystemTime, id: impl Into<String>) -> Self {
        Self { now, id: id.into() }
    }
}
