//! A turn that goes on without its caller, and the readers of events.

use crate::conversation::{Conversation, TurnCell};
use crate::events::ChatEvent;
use futures_core::Stream;
use skill_agent_chat::{ChatError, Turn};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

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

/// A reader of a conversation's events. Any number of readers may read at their own pace.
///
/// A reader from [`events`](crate::Conversations::events) ends with its turn, and one from [`follow`](crate::Conversations::follow)
/// goes on with the next turns. Events that are no longer kept are replaced with [`Event::Restarted`] or [`Event::Lost`].
#[must_use = "events do nothing unless they are read"]
pub struct ConversationEvents {
    conversation: Arc<Conversation>,
    /// The number of the next event to read.
    next: u64,
    follows: bool,
    has_ended: bool,
}

impl ConversationEvents {
    pub(crate) fn new(conversation: Arc<Conversation>, next: u64, follows: bool) -> Self {
        Self {
            conversation,
            next,
            follows,
            has_ended: false,
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
        if this.has_ended {
            return Poll::Ready(None);
        }
        let events = &this.conversation.events;
        let event = ready!(events.poll_read(&mut this.next, this.follows, cx));
        let is_end = event
            .as_ref()
            .is_none_or(|event| event.is_end() && !this.follows);
        this.has_ended = is_end;
        Poll::Ready(event)
    }
}

impl fmt::Debug for ConversationEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationEvents")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
