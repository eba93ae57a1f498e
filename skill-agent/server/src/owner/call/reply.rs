//! The end of a command: its record, then the response to its receiver.

use crate::error::{Deadlock, NotKept, ServeError};
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use skill_core::Agent;
use skill_core::process::Saved;
use std::borrow::Cow;

/// The receiver of a command's result.
pub(crate) enum Reply<T, E> {
    Caller(Responder<T, E>),
    /// No caller waits, so failures are reported. A directive has a number.
    Report {
        name: Cow<'static, str>,
        number: Option<u64>,
    },
    /// The start of the server, which fails if the command is not recorded.
    Startup,
}

impl<T, E> Reply<T, E> {
    /// Returns the caller, or the report if no caller waits.
    pub(crate) fn new(
        responder: Option<Responder<T, E>>,
        name: impl Into<Cow<'static, str>>,
        number: Option<u64>,
    ) -> Self {
        match responder {
            Some(responder) => Self::Caller(responder),
            None => Self::Report {
                name: name.into(),
                number,
            },
        }
    }
}

impl<G: Agent> Owner<G> {
    /// Records a command and passes on its result. The result is an error if the command is not recorded.
    pub(crate) fn settle<T: Send + 'static, E: Send + 'static>(
        &mut self,
        entry: JournalEntry,
        saved: Saved<G>,
        result: Result<T, ServeError<E>>,
        reply: Reply<T, E>,
    ) {
        self.finish(entry, saved, move |owner, kept| {
            owner.reply(reply, kept, result);
        });
    }

    fn reply<T, E>(
        &mut self,
        reply: Reply<T, E>,
        kept: Result<(), NotKept>,
        result: Result<T, ServeError<E>>,
    ) {
        match (reply, kept) {
            (Reply::Caller(responder), Ok(())) => {
                responder.respond_by_deadline(|| self.now(), result);
            }
            (Reply::Caller(responder), Err(reason)) => {
                responder.respond(Err(ServeError::not_kept(reason)));
            }
            (Reply::Report { name, number }, Err(reason)) => {
                self.report_not_kept(&name, number, reason);
            }
            (Reply::Startup, Err(reason)) => {
                if let Some(startup) = &mut self.startup {
                    startup.refused = Some(reason);
                }
            }
            (Reply::Report { .. } | Reply::Startup, Ok(())) => {}
        }
    }

    /// Checks that a command can wait for the running command with the same key.
    pub(crate) fn check_wait<T, E, F>(
        &self,
        key: &str,
        responder: Option<&Responder<T, E>>,
    ) -> Result<(), ServeError<F>> {
        if responder.is_some_and(|responder| responder.is_from(key)) {
            return Err(ServeError::Deadlock(Deadlock::Key));
        }
        if self.are_many_waiting() {
            return Err(ServeError::Full);
        }
        Ok(())
    }
}
