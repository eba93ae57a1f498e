//! The result of a turn.

use skill_agent_chat::{ChatError, Turn};
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;

pub(crate) type TurnResult = Result<Turn, Arc<ChatError>>;

/// The result of a turn. Any number of callers may wait for it.
#[derive(Debug)]
pub(crate) struct TurnCell {
    /// The number of the first event, once the turn begins.
    pub(crate) first_event: OnceLock<u64>,
    /// The number of the last event, once the turn has ended.
    pub(crate) last_event: OnceLock<u64>,
    pub(crate) result: watch::Sender<Option<TurnResult>>,
}

impl Default for TurnCell {
    fn default() -> Self {
        Self {
            first_event: OnceLock::new(),
            last_event: OnceLock::new(),
            result: watch::Sender::new(None),
        }
    }
}
