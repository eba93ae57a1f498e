//! What led to a command, and the stamp it was given.

use crate::Signal;
use std::sync::Arc;
use std::time::SystemTime;

/// What led to a command, where something did; shared by all that the command runs.
#[derive(Clone, Debug, Default)]
pub struct CommandMeta {
    /// The signal.
    pub signal: Option<Signal>,
    /// Where a reply goes.
    pub reply_to: Option<String>,
    /// The time and the id.
    pub stamp: Option<Stamp>,
}

impl CommandMeta {
    /// A stamp and nothing else.
    pub(crate) fn stamped(stamp: &Stamp) -> Arc<Self> {
        Arc::new(Self {
            stamp: Some(stamp.clone()),
            ..Self::default()
        })
    }
}

/// What pure code cannot know by itself: given from outside and recorded, so that a replay sees the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The time of the command.
    pub now: SystemTime,
    /// The id of the command.
    pub id: String,
}

impl Stamp {
    /// A stamp with a time and an id.
    pub fn new(now: SystemTime, id: impl Into<String>) -> Self {
        Self { now, id: id.into() }
    }
}
