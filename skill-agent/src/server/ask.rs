//! A question to a server's task, and what becomes of it when nobody waits any more.

use super::ServeError;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::SystemTime;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

/// What somebody asked, and where the answer goes.
pub(crate) struct Asked<T, E> {
    answer: oneshot::Sender<Answer<T, E>>,
    pub(crate) ticket: Option<Arc<Ticket>>,
    envelope: Envelope,
}

/// The memory in which a question came.
type Envelope = Option<Box<dyn Any + Send>>;

/// An answer on its way.
pub(crate) struct Answer<T, E> {
    result: Result<T, ServeError<E>>,
    /// Dropped where the answer is read.
    _envelope: Envelope,
}

/// Where an answer comes.
pub(crate) type Answered<T, E> = oneshot::Receiver<Answer<T, E>>;

impl<T, E> Answer<T, E> {
    /// What it says; none comes from a server that has stopped.
    pub(crate) fn read(received: Result<Self, RecvError>) -> Result<T, ServeError<E>> {
        match received {
            Ok(answer) => answer.result,
            Err(_) => Err(ServeError::Stopped),
        }
    }
}

/// How far a command with a deadline has come. Whoever asks and the server's task agree by it on whether the command was
/// applied: it is given up before its record, or never.
#[derive(Debug)]
pub(crate) struct Ticket {
    state: AtomicU8,
    pub(crate) due: SystemTime,
}

const WAITS: u8 = 0;
const GIVEN_UP: u8 = 1;
const APPLIED: u8 = 2;

impl Ticket {
    pub(crate) fn new(due: SystemTime) -> Arc<Self> {
        Arc::new(Self {
            state: AtomicU8::new(WAITS),
            due,
        })
    }

    fn turn(&self, into: u8) -> bool {
        let turned = self
            .state
            .compare_exchange(WAITS, into, Ordering::AcqRel, Ordering::Acquire);
        turned.is_ok()
    }

    /// Gives the command up; false when it is too late.
    pub(crate) fn give_up(&self) -> bool {
        self.turn(GIVEN_UP)
    }
}

impl<T, E> Asked<T, E> {
    /// One, and where its answer comes.
    pub(crate) fn new(ticket: Option<Arc<Ticket>>) -> (Self, Answered<T, E>) {
        let (answer, answered) = oneshot::channel();
        let asked = Self {
            answer,
            ticket,
            envelope: None,
        };
        (asked, answered)
    }

    /// Lets the memory in which it came go back with the answer.
    pub(crate) fn put_in(&mut self, envelope: Box<dyn Any + Send>) {
        self.envelope = Some(envelope);
    }

    /// Ends when nobody waits for the answer.
    pub(crate) async fn gone(&mut self) {
        self.answer.closed().await;
    }

    /// Whether anybody waits for the answer. A command that has not begun is dropped when nobody does.
    pub(crate) fn is_wanted(&self) -> bool {
        let given_up = |ticket: &Arc<Ticket>| ticket.state.load(Ordering::Acquire) == GIVEN_UP;
        !self.answer.is_closed() && !self.ticket.as_ref().is_some_and(given_up)
    }

    /// The command is about to be recorded; false when its deadline has passed, and it must be undone.
    pub(crate) fn apply(&self) -> bool {
        self.ticket
            .as_ref()
            .is_none_or(|ticket| ticket.turn(APPLIED))
    }

    /// Answers. An answer that nobody waits for is dropped.
    pub(crate) fn tell(self, result: Result<T, ServeError<E>>) {
        let _ = self.answer.send(Answer {
            result,
            _envelope: self.envelope,
        });
    }

    /// Answers that the time is up, if it is; for what was applied.
    pub(crate) fn tell_by(
        self,
        now: impl FnOnce() -> SystemTime,
        result: Result<T, ServeError<E>>,
    ) {
        let is_late = match (&self.ticket, &result) {
            (Some(ticket), Ok(_)) => now() > ticket.due,
            _ => false,
        };
        self.tell(match is_late {
            true => Err(ServeError::Deadline { applied: true }),
            false => result,
        });
    }
}
