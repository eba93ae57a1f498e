//! The end of an async action: its queued effects, its record and its response.

use crate::error::{Applied, ServeError, ThenError};
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::AdmittedAction;
use crate::owner::call::reply::Reply;
use crate::panics::{catch, drop_caught};
use skill_core::process::{self, QueuedEffects, Saved, Transaction, full_text};
use skill_core::{Agent, CallError, Instruction, RunError};
use std::borrow::Cow;
use std::sync::Arc;

impl<G: Agent> Owner<G> {
    /// Applies the effects that an action queued, and responds.
    pub(crate) fn end<T: Send + 'static, E: Send + 'static>(
        &mut self,
        entry: JournalEntry,
        responder: Option<Responder<T, E>>,
        output: Result<(T, QueuedEffects), ServeError<E>>,
    ) {
        let first = entry.instructions.first();
        let what = first.map_or(Cow::Borrowed(""), |ran| ran.action.clone());
        let number = entry.number;
        let result = output.and_then(|(output, queued)| {
            let applied = self.apply_then(entry, queued).and_then(|(entry, saved)| {
                if responder.as_ref().is_none_or(Responder::apply) {
                    return Ok((entry, saved));
                }
                process::undo(&mut self.agent, saved);
                Err(ServeError::deadline(Applied::No))
            });
            match applied {
                Ok(applied) => Ok((output, applied)),
                Err(error) => {
                    drop_caught(output);
                    Err(error)
                }
            }
        });
        match (result, responder) {
            (Ok((output, (entry, saved))), responder) => {
                let reply = Reply::new(responder, what, number);
                self.settle(entry, saved, Ok(output), reply);
            }
            (Err(error), Some(responder)) => self.respond_with_error(responder, error),
            (Err(error), None) => {
                let message = full_text(&error.without_action_error());
                self.give_up(&what, number, message);
            }
        }
    }

    /// Runs the instructions queued with `cx.then`: all of them, or none.
    fn apply_then<E>(
        &mut self,
        mut entry: JournalEntry,
        mut queued: QueuedEffects,
    ) -> Result<(JournalEntry, Saved<G>), ServeError<E>> {
        let (then, mounts) = (queued.take_then(), queued.take_mounts());
        // Admit all instructions before the first one runs.
        let mut admitted = Vec::with_capacity(then.len());
        for (index, next) in then.iter().enumerate() {
            let action = self.settings.admit_then(&self.agent, next);
            admitted.push(action.map_err(|error| then_failed(index, next, error))?);
        }
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let ran = catch(|| {
            for (index, (next, action)) in then.iter().zip(admitted).enumerate() {
                let AdmittedAction { at, arguments } = action;
                let ran = arguments.with(|input| transaction.call_current(at, input, Some(&cause)));
                ran.map_err(|source| RunError::new(index, &next.action, source))?;
            }
            transaction.directives().splice(0..0, queued.directives);
            Ok::<_, RunError>(transaction.mount_queued(mounts))
        });
        match ran {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => return Err(ServeError::Mount(Arc::new(error))),
            Ok(Err(error)) => return Err(ServeError::Then(Arc::new(ThenError::Run(error)))),
            Err(message) => return Err(ServeError::panicked(None, message)),
        }
        let (saved, directives) = transaction.commit();
        entry.directives = directives;
        entry.instructions.extend(then);
        Ok((entry, saved))
    }
}

/// Returns the error of an async action for a queued instruction that failed or was refused. The caller counts the failure.
fn then_failed<E>(index: usize, next: &Instruction, error: ServeError<CallError>) -> ServeError<E> {
    match error {
        ServeError::Action(error) => {
            let error = RunError::new(index, &next.action, error);
            ServeError::Then(Arc::new(error.into()))
        }
        refused => refused.map(|_| unreachable!("an error of the call was converted above")),
    }
}
