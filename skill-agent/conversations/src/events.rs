//! The numbered events of a conversation, for any number of readers.

use crate::cell::TurnCell;
use skill_agent_chat::{Called, ChatError, Event};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The maximum number of events that are kept for readers.
pub const KEPT_EVENTS: usize = 10_000;
/// The maximum size of the kept events, in bytes. The last event is kept even if it is larger.
pub const KEPT_EVENT_BYTES: usize = 4 << 20;

/// An event of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChatEvent {
    /// The number of the event. Numbers rise within a conversation and are never used again. To continue reading later, pass the
    /// last number that you have seen.
    pub number: u64,
    /// The event, or the error that ended the turn.
    pub event: Result<Event, Arc<ChatError>>,
}

impl ChatEvent {
    /// Returns whether the event is the last one of its turn.
    fn is_end(&self) -> bool {
        matches!(self.event, Err(_) | Ok(Event::Done(_)))
    }
}

/// The events of a conversation since this process started.
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
    /// The number of the last turn's first event.
    turn: u64,
    is_running: bool,
    is_closed: bool,
    /// The waiting readers, by number.
    readers: BTreeMap<u64, Waker>,
    next_reader: u64,
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
            readers: BTreeMap::new(),
            next_reader: 0,
        }))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the next event.
    pub(crate) fn next(&self) -> u64 {
        self.log().next
    }

    /// Returns the number of the last event, or `None` if this process has sent none.
    pub(crate) fn last(&self) -> Option<u64> {
        let log = self.log();
        (log.next > log.begin).then(|| log.next - 1)
    }

    /// Returns the number of the last turn's first event.
    pub(crate) fn turn(&self) -> u64 {
        self.log().turn
    }

    /// Wakes the readers, so that they see that a turn has ended without an event.
    pub(crate) fn wake(&self) {
        wake(self.log());
    }

    /// Tells the readers that the history is a different one. New readers begin there.
    pub(crate) fn restarted(&self) {
        let mut log = self.log();
        log.turn = log.next;
        drop(log);
        self.add(Ok(Event::Restarted));
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
        let size = size(&event);
        let mut log = self.log();
        let number = log.next;
        let event = ChatEvent { number, event };
        log.next += 1;
        log.is_running &= !event.is_end();
        log.bytes += size;
        log.events.push_back((event, size));
        while log.events.len() > 1
            && (log.events.len() > KEPT_EVENTS || log.bytes > KEPT_EVENT_BYTES)
        {
            let Some((_, size)) = log.events.pop_front() else {
                break;
            };
            log.bytes -= size;
        }
        wake(log);
        number
    }

    /// Forgets all events. The caller ensures that no turn is running.
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
    readers.into_values().for_each(Waker::wake);
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
            Ok(Event::Called(called)) => called_size(called),
            Ok(Event::StepEnd(end)) => messages(&end.messages),
            Ok(Event::Said(message)) => messages(std::slice::from_ref(message)),
            Ok(Event::Decided(decided)) => messages(std::slice::from_ref(&decided.message)),
            Ok(Event::Selected(selected)) => messages(std::slice::from_ref(&selected.message)),
            Ok(Event::Done(turn)) => {
                turn.text().len() + turn.calls.iter().map(called_size).sum::<usize>()
            }
            Ok(Event::Approval(pending)) => pending.request.arguments.to_string().len(),
            _ => 0,
        }
}

fn called_size(called: &Called) -> usize {
    called.arguments.len()
        + match &called.result {
            Ok(output) => output.text().len(),
            Err(error) => crate::rows::write(error).len(),
        }
}

/// A reader of the log: its next event, and where it ends.
#[derive(Debug)]
pub(crate) struct Place {
    /// The turn to read, or `None` to read all events from `next` on.
    turn: Option<Arc<TurnCell>>,
    /// The number of the next event to read.
    next: u64,
    follows: bool,
    has_ended: bool,
    /// The number of the reader.
    reader: u64,
}

impl EventLog {
    /// Creates a reader that begins with the event number `next`.
    pub(crate) fn reader(&self, next: u64, follows: bool) -> Place {
        let mut log = self.log();
        log.next_reader += 1;
        Place {
            turn: None,
            next,
            follows,
            has_ended: false,
            reader: log.next_reader,
        }
    }

    /// Creates a reader of one turn, which may begin later.
    pub(crate) fn reader_of(&self, turn: Arc<TurnCell>) -> Place {
        Place {
            turn: Some(turn),
            ..self.reader(0, false)
        }
    }

    /// Returns the reader's next event, or `None` after the end.
    pub(crate) fn poll_next(&self, place: &mut Place, cx: &Context<'_>) -> Poll<Option<ChatEvent>> {
        if place.has_ended {
            return Poll::Ready(None);
        }
        let mut log = self.log();
        if let Some(event) = place.read(&log) {
            return Poll::Ready(Some(event));
        }
        if place.has_ended {
            return Poll::Ready(None);
        }
        log.readers.insert(place.reader, cx.waker().clone());
        Poll::Pending
    }

    /// Removes a reader that no longer waits.
    pub(crate) fn leave(&self, place: &Place) {
        self.log().readers.remove(&place.reader);
    }
}

impl Place {
    /// Reads the next event. Returns `None` if it has not arrived yet or the reader has ended.
    fn read(&mut self, log: &Log) -> Option<ChatEvent> {
        let mut end = log.next;
        if let Some(turn) = &self.turn {
            let Some(begin) = turn.first_event.get() else {
                self.has_ended = turn.result.borrow().is_some();
                return None;
            };
            self.next = self.next.max(*begin);
            if let Some(last) = turn.last_event.get() {
                end = last + 1;
                self.has_ended = self.next == end;
            }
        }
        if self.next > log.next {
            // the number comes from a deleted conversation with the same id
            let seen = self.next - 1;
            self.next = log.turn;
            return Some(missing(Event::Restarted, seen));
        }
        let kept = (log.next - log.events.len() as u64).min(end);
        if self.next < kept {
            let event = if self.next < log.begin {
                Event::Restarted
            } else {
                Event::lost(kept - self.next)
            };
            self.next = kept;
            // a reader that continues from this number gets the first event after the gap
            return Some(missing(event, kept - 1));
        }
        if self.next == end {
            self.has_ended |= log.is_closed || !(self.follows || log.is_running);
            return None;
        }
        let at = usize::try_from(self.next - kept).ok()?;
        let (event, _) = log.events.get(at)?;
        self.next += 1;
        self.has_ended = event.is_end() && !self.follows;
        Some(event.clone())
    }
}

fn missing(event: Event, number: u64) -> ChatEvent {
    let event = Ok(event);
    ChatEvent { number, event }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Waker;

    fn text(bytes: usize) -> Result<Event, Arc<ChatError>> {
        Ok(Event::Text("x".repeat(bytes)))
    }

    #[test]
    fn readers_that_leave_are_forgotten() {
        let log = EventLog::starting_at(0);
        log.begin_turn();
        for _ in 0..100 {
            let mut place = log.reader(0, true);
            for _ in 0..2 {
                let polled = log.poll_next(&mut place, &Context::from_waker(Waker::noop()));
                assert!(polled.is_pending());
                assert_eq!(log.log().readers.len(), 1);
            }
            log.leave(&place);
        }
        assert!(log.log().readers.is_empty());
    }

    #[test]
    fn unread_events_are_bounded() {
        for bytes in [1, 1_000, KEPT_EVENT_BYTES * 2] {
            let log = EventLog::starting_at(7);
            for _ in 0..20 * KEPT_EVENTS.min(KEPT_EVENT_BYTES / bytes).max(1) {
                log.add(text(bytes));
                let log = log.log();
                assert!(log.events.len() <= KEPT_EVENTS);
                assert!(log.bytes <= KEPT_EVENT_BYTES || log.events.len() == 1);
            }
            log.clear();
            let log = log.log();
            assert_eq!((log.events.capacity(), log.bytes), (0, 0));
        }
    }
}
