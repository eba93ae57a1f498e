//! Handles of turns, and readers of a conversation's events.

use crate::cell::TurnCell;
use crate::conversation::Conversation;
use crate::events::{ChatEvent, Place};
use futures_core::Stream;
use skill_agent_chat::{ChatError, Turn};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A turn of a conversation. The turn continues if this handle is dropped.
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
        let place = conversation.events.reader_of(Arc::clone(&self.cell));
        ConversationEvents {
            conversation,
            place,
        }
    }
}

impl fmt::Debug for RunningTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningTurn")
            .field("conversation", &self.conversation.id)
            .finish_non_exhaustive()
    }
}

/// A reader of a conversation's events. Any number of readers may read at their own pace.
///
/// A reader from [`events`](crate::Conversations::events) ends with its turn. A reader from
/// [`follow`](crate::Conversations::follow) continues with the next turns. Events that are no longer kept are replaced with
/// [`Event::Restarted`](skill_agent_chat::Event::Restarted) or [`Event::Lost`](skill_agent_chat::Event::Lost).
#[must_use = "events do nothing unless they are read"]
pub struct ConversationEvents {
    conversation: Arc<Conversation>,
    place: Place,
}

impl ConversationEvents {
    pub(crate) fn new(conversation: Arc<Conversation>, next: u64, follows: bool) -> Self {
        let place = conversation.events.reader(next, follows);
        Self {
            conversation,
            place,
        }
    }

    /// Returns the next event, or `None` after the end.
    pub async fn next(&mut self) -> Option<ChatEvent> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

impl Stream for ConversationEvents {
    type Item = ChatEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ChatEvent>> {
        let this = &mut *self;
        this.conversation.events.poll_next(&mut this.place, cx)
    }
}

impl Drop for ConversationEvents {
    fn drop(&mut self) {
        self.conversation.events.leave(&self.place);
    }
}

impl fmt::Debug for ConversationEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationEvents")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}
