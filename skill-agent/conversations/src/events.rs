//! The numbered events of a conversation, for any number of readers.

use crate::conversation::Conversation;
use futures_core::Stream;
use skill_agent_chat::{ChatError, Event};
use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The maximum number of events that are kept for readers.
pub const KEPT_EVENTS: usize = 10_000;
/// The maximum size of the kept events, in bytes.
pub const KEPT_EVENT_BYTES: usize = 4 << 20;

/// An event of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChatEvent {
    /// The number of the event. Numbers rise within a conversation and are never used again. A reader that returns passes the last
    /// number that it has seen.
    pub number: u64,
    /// The event, or the error that ended the turn.
    pub event: Result<Event, Arc<ChatError>>,
}

/// The events of a conversation since its process began.
#[derive(Debug)]
pub(crate) struct EventLog(Mutex<Log>);

#[derive(Debug)]
struct Log {
    events: VecDeque<(ChatEvent, usize)>,
    bytes: usize,
    /// The number of the next event.
    next: u64,
    /// The number of the first event of this process.
    begin: u64,
    /// The first event of the last turn.
    turn: u64,
    is_running: bool,
    is_closed: bool,
    readers: Vec<Waker>,
}

impl EventLog {
    /// Creates a log whose first event has this number.
    pub(crate) fn starting_at(next: u64) -> Self {
        Self(Mutex::new(Log {
            events: VecDeque::new(),
            bytes: 0,
            next,
            begin: next,
            turn: next,
            is_running: false,
            is_closed: false,
            readers: Vec::new(),
        }))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the next event.
    pub(crate) fn next(&self) -> u64 {
        self.log().next
    }

    /// Returns the number of the last turn's first event.
    pub(crate) fn turn(&self) -> u64 {
        self.log().turn
    }

    /// Begins a turn, and returns the number of its first event.
    pub(crate) fn begin_turn(&self) -> u64 {
        let mut log = self.log();
        log.turn = log.next;
        log.is_running = true;
        log.turn
    }

    /// Adds an event and returns its number.
    pub(crate) fn add(&self, event: Result<Event, Arc<ChatError>>) -> u64 {
        let mut log = self.log();
        let number = log.next;
        log.next += 1;
        let is_end = matches!(event, Err(_) | Ok(Event::Done(_)));
        log.is_running &= !is_end;
        let size = size(&event);
        log.bytes += size;
        log.events.push_back((ChatEvent { number, event }, size));
        while log.events.len() > KEPT_EVENTS || log.bytes > KEPT_EVENT_BYTES {
            let Some((_, size)) = log.events.pop_front() else {
                break;
            };
            log.bytes -= size;
        }
        wake(log);
        number
    }

    /// Forgets the events of ended turns.
    pub(crate) fn clear(&self) {
        let mut log = self.log();
        log.events = VecDeque::new();
        log.bytes = 0;
    }

    /// Ends all readers.
    pub(crate) fn close(&self) {
        let mut log = self.log();
        log.is_closed = true;
        wake(log);
    }
}

fn wake(mut log: MutexGuard<'_, Log>) {
    let readers = std::mem::take(&mut log.readers);
    drop(log);
    readers.into_iter().for_each(Waker::wake);
}

/// Estimates the size of an event in bytes.
fn size(event: &Result<Event, Arc<ChatError>>) -> usize {
    const OTHER: usize = 64;
    let messages = |messages: &[skill_agent_chat::Message]| -> usize {
        messages
            .iter()
            .map(|message| crate::rows::write(message).len())
            .sum()
    };
    OTHER
        + match event {
            Ok(Event::Text(text) | Event::Reasoning(text)) => text.len(),
            Ok(Event::CallDelta { arguments, .. }) => arguments.len(),
            Ok(Event::Calling(call)) => call.call.arguments.len(),
            Ok(Event::Progress(progress)) => progress.value.to_string().len(),
            Ok(Event::Called(called)) => match &called.result {
                Ok(output) => called.arguments.len() + output.text().len(),
                Err(_) => called.arguments.len(),
            },
            Ok(Event::StepEnd(end)) => messages(&end.messages),
            Ok(Event::Said(message)) => messages(std::slice::from_ref(message)),
            Ok(Event::Decided(decided)) => messages(std::slice::from_ref(&decided.message)),
            Ok(Event::Done(turn)) => turn.text().len(),
            _ => 0,
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
        if self.has_ended {
            return Poll::Ready(None);
        }
        let conversation = Arc::clone(&self.conversation);
        let mut log = conversation.events.log();
        let first = log.next - log.events.len() as u64;
        let missing = |event, first: u64| ChatEvent {
            // a reader that returns with this number gets the event behind the gap
            number: first.saturating_sub(1),
            event: Ok(event),
        };
        if self.next < first {
            let event = if self.next < log.begin {
                Event::Restarted
            } else {
                Event::lost(first - self.next)
            };
            self.next = first;
            return Poll::Ready(Some(missing(event, first)));
        }
        let at = usize::try_from(self.next - first).unwrap_or(usize::MAX);
        if let Some((event, _)) = log.events.get(at) {
            self.next += 1;
            let is_end = matches!(event.event, Err(_) | Ok(Event::Done(_)));
            self.has_ended = is_end && !self.follows;
            return Poll::Ready(Some(event.clone()));
        }
        if log.is_closed || !(self.follows || log.is_running) {
            self.has_ended = true;
            return Poll::Ready(None);
        }
        if !log
            .readers
            .iter()
            .any(|reader| reader.will_wake(cx.waker()))
        {
            log.readers.push(cx.waker().clone());
        }
        Poll::Pending
    }
}

impl fmt::Debug for ConversationEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationEvents")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
