//! A turn that goes on without its caller.

use crate::conversation::Conversation;
use crate::events::ConversationEvents;
use skill_agent_chat::{ChatError, Turn};
use std::fmt;
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;

pub(crate) type TurnResult = Result<Turn, Arc<ChatError>>;

/// The result of a turn, which many callers may wait for.
#[derive(Debug)]
pub(crate) struct TurnCell {
    /// The number of the first event, once the turn begins.
    pub(crate) first_event: OnceLock<u64>,
    pub(crate) result: watch::Sender<Option<TurnResult>>,
}

impl Default for TurnCell {
    fn default() -> Self {
        Self {
            first_event: OnceLock::new(),
            result: watch::Sender::new(None),
        }
    }
}

/// A turn of a conversation. It goes on if this handle is dropped.
#[derive(Clone)]
pub struct RunningTurn {
    pub(crate) conversation: Arc<Conversation>,
    pub(crate) cell: Arc<TurnCell>,
}

impl RunningTurn {
    /// Waits for the end of the turn.
    ///
    /// # Errors
    /// Returns the error that ended the turn. See [`ChatError`].
    pub async fn wait(&self) -> Result<Turn, Arc<ChatError>> {
        let mut result = self.cell.result.subscribe();
        let ended = result.wait_for(Option::is_some).await;
        let ended = ended.ok().and_then(|result| result.clone());
        ended.unwrap_or_else(|| Err(Arc::new(ChatError::Ended)))
    }

    /// Returns the events of the turn from its beginning.
    pub fn events(&self) -> ConversationEvents {
        let conversation = Arc::clone(&self.conversation);
        let first = self.cell.first_event.get().copied();
        let first = first.unwrap_or_else(|| conversation.events.next());
        ConversationEvents::new(conversation, first, false)
    }
}

impl fmt::Debug for RunningTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningTurn")
            .field("conversation", &self.conversation.id)
            .finish_non_exhaustive()
    }
}
