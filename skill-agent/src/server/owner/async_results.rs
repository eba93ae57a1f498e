//! The end of an async action: the effects that it queued, its record and its response.

use super::admission::Refusal;
use super::tasks::RunningAction;
use super::{CompletedCommand, Owner};
use crate::panics::{catch, drop_caught};
use crate::server::error::{Applied, ServeError, ThenError};
use crate::server::mailbox::responder::Responder;
use crate::store::{Keyed, RecordKind};
use skill_core::process::{self, QueuedEffects, Transaction, full_text};
use skill_core::{Agent, CallError, RunError};
use std::sync::Arc;

impl<G: Agent> Owner<G> {
    /// Applies the effects that an action queued, and responds.
    pub(super) fn end<T: Send + 'static, E: Send + 'static>(
        &mut self,
        running: RunningAction,
        responder: Option<Responder<T, E>>,
        output: Result<(T, QueuedEffects), ServeError<E>>,
    ) {
        let result = output.and_then(|(output, queued)| {
            let applied = self.apply_then(&running, queued).and_then(|completed| {
                if responder.as_ref().is_none_or(Responder::apply) {
                    return Ok(completed);
                }
                process::undo(&mut self.agent, completed.saved);
                Err(ServeError::deadline(Applied::No))
            });
            match applied {
                Ok(completed) => Ok((output, completed)),
                Err(error) => {
                    drop_caught(output);
                    Err(error)
                }
            }
        });
        match (result, responder) {
            (Ok((output, completed)), responder) => {
                self.finish(completed, move |owner, kept| match (kept, responder) {
                    (Ok(()), Some(responder)) => {
                        responder.respond_by_deadline(|| owner.now(), Ok(output))
                    }
                    (Err(reason), Some(responder)) => {
                        responder.respond(Err(ServeError::not_kept(reason)))
                    }
                    (Err(reason), None) => {
                        let what = running.instruction.as_ref().map_or("", |ran| &ran.action);
                        owner.report_not_kept(what, running.number, reason);
                    }
                    (Ok(()), None) => {}
                })
            }
            (Err(error), Some(responder)) => self.respond_with_error(responder, error),
            (Err(error), None) => {
                let what = running.instruction.as_ref().map_or("", |ran| &ran.action);
                let message = full_text(&error.without_action_error());
                self.give_up(what, running.number, message);
            }
        }
    }

    /// Runs the instructions that were queued with `cx.then`: all of them or none.
    fn apply_then<E>(
        &mut self,
        running: &RunningAction,
        mut queued: QueuedEffects,
    ) -> Result<CompletedCommand<G>, ServeError<E>> {
        let (then, mounts) = (queued.take_then(), queued.take_mounts());
        // All before the first one runs.
        let admitted: Result<Vec<_>, _> = then
            .iter()
            .map(|next| self.settings.admit_then(&self.agent, next))
            .collect();
        let arguments = admitted.map_err(then_refused)?;
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let ran = catch(|| {
            for (index, (next, arguments)) in then.iter().zip(arguments).enumerate() {
                let ran =
                    arguments.with(|input| transaction.step(&next.action, input, Some(&cause)));
                ran.map_err(|source| RunError::new(index, &next.action, source))?;
            }
            transaction.directives().splice(0..0, queued.directives);
            Ok::<_, RunError>(transaction.mount_queued(mounts))
        });
        match ran {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => return Err(ServeError::Mount(Arc::new(error))),
            Ok(Err(error)) => return Err(ServeError::Then(Arc::new(ThenError::Run(error)))),
            Err(message) => return Err(ServeError::Panicked { message }),
        }
        let (saved, directives) = transaction.commit();
        let mut completed = CompletedCommand::new(RecordKind::Command, running.id.clone());
        (completed.saved, completed.directives) = (saved, directives);
        (completed.number, completed.chain) = (running.number, running.chain.clone());
        completed.instructions = running.instruction.iter().cloned().chain(then).collect();
        completed.keyed =
            running
                .key
                .clone()
                .zip(running.answer.clone())
                .map(|(key, (answer, arguments))| Keyed {
                    key,
                    answer,
                    arguments,
                });
        Ok(completed)
    }
}

/// The error of an action one of whose queued instructions is refused.
fn then_refused<E>((action, refusal): (&'static str, Refusal<CallError>)) -> ServeError<E> {
    match refusal {
        // The caller counts the failure.
        Refusal::Denied(reason) => ServeError::Denied {
            action: action.into(),
            reason,
        },
        Refusal::Failed(ServeError::Panicked { message }) => ServeError::Panicked { message },
        Refusal::Failed(ServeError::Action(error)) => {
            ServeError::Then(Arc::new(RunError::new(0, action, error).into()))
        }
        Refusal::Failed(_) | Refusal::Ask(_) => {
            unreachable!("an instruction is refused with a denial or an error of its arguments")
        }
    }
}
