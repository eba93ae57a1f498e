//! A question to a server's task, and what becomes of it when nobody waits any more.

use super::ServeError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::SystemTime;
use tokio::sync::oneshot;

/// What somebody asked, and where the answer goes.
pub(crate) struct Asked<T, E> {
    pub(crate) answer: oneshot::Sender<Result<T, ServeError<E>>>,
    pub(crate) ticket: Option<Arc<Ticket>>,
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
        let _ = self.answer.send(result);
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
