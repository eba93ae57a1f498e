//! The numbered events of a conversation.

use skill_agent_chat::{ChatError, Event};
use std::collections::VecDeque;
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

impl ChatEvent {
    /// Returns whether the event is the last one of its turn.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self.event, Err(_) | Ok(Event::Done(_)))
    }
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
        let size = size(&event);
        let event = ChatEvent { number, event };
        log.is_running &= !event.is_end();
        log.bytes += size;
        log.events.push_back((event, size));
        while log.events.len() > KEPT_EVENTS || log.bytes > KEPT_EVENT_BYTES {
            let Some((_, size)) = log.events.pop_front() else {
                break;
            };
            log.bytes -= size;
        }
        wake(log);
        number
    }

    /// Reads the event with the number `next`, and moves `next` behind it. A reader that follows waits for later turns too.
    pub(crate) fn poll_read(
        &self,
        next: &mut u64,
        follows: bool,
        cx: &mut Context<'_>,
    ) -> Poll<Option<ChatEvent>> {
        let mut log = self.log();
        let first = log.next - log.events.len() as u64;
        if *next < first {
            let event = if *next < log.begin {
                Event::Restarted
            } else {
                Event::lost(first - *next)
            };
            *next = first;
            return Poll::Ready(Some(ChatEvent {
                // a reader that returns with this number gets the event behind the gap
                number: first.saturating_sub(1),
                event: Ok(event),
            }));
        }
        let at = usize::try_from(*next - first).unwrap_or(usize::MAX);
        if let Some((event, _)) = log.events.get(at) {
            *next += 1;
            return Poll::Ready(Some(event.clone()));
        }
        if log.is_closed || !(follows || log.is_running) {
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
