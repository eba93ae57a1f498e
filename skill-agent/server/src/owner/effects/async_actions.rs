//! Starts async actions for each kind of caller, once the calling code has checked that the state is recorded.

use crate::chain::Chain;
use crate::error::{Applied, ServeError, SignalError};
use crate::idempotency::{IdempotencyKey, StoredDecision};
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::{AdmittedAction, check_condition};
use crate::owner::call::by_name::JsonCommand;
use crate::owner::call::typed::TypedCommand;
use crate::owner::signal::progress::AsyncAnswer;
use crate::panics::drop_caught;
use serde_json::Value;
use skill_core::bounds::SkillOf;
use skill_core::process::full_text;
use skill_core::process::{
    self, AsyncFailure, AsyncInput, AsyncOutput, CommandMeta, QueuedEffects, ResolvedAction,
    action_id_of, readable,
};
use skill_core::{Action, Agent, CallError, Instruction};
use std::mem::replace;
use std::sync::Arc;

/// An async action of a signal that may start.
pub(crate) struct RoutedStart {
    pub(crate) action: AdmittedAction,
    /// The signal's key.
    pub(crate) key: Option<String>,
    /// Whether the action's condition is checked.
    pub(crate) is_checked: bool,
    /// Whether the action waits for its turn even if the queue is full.
    pub(crate) must_wait: bool,
}

/// The outcome of an async action that a signal was routed to.
pub(crate) type RoutedResult = Result<Result<AsyncAnswer, CallError>, ServeError<SignalError>>;

impl<G: Agent> Owner<G> {
    pub(crate) fn start_typed<A, const AT: usize>(
        &mut self,
        command: TypedCommand<A, AT>,
        responder: Responder<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        if self.tasks.running >= self.tasks.limit {
            return self.queue_command(responder, command);
        }
        let Some(at) = action_id_of::<G, A, AT>() else {
            // `agent!` rejects skills with unlisted actions, but a hand-written skill may have some.
            let reason = "its skill does not list it".into();
            let action = A::NAME.into();
            return responder.respond(Err(ServeError::Denied { action, reason }));
        };
        let TypedCommand { action, key, .. } = command;
        let instruction = self
            .records_instructions()
            .then(|| Instruction::new(A::NAME, readable(&action)));
        let meta = self.meta_with_key(key.as_ref().map(|key| key.given.clone()));
        let input = AsyncInput::Typed(Box::new(action));
        let name = key.as_ref().map(|key| key.key.as_str());
        let progress = responder.progress.clone();
        let begun = self.start_action_for(at, input, instruction, name, &meta, progress);
        let (future, token, mut entry) = match begun {
            Ok(begun) => begun,
            Err(failure) => {
                let error = failure.with_action(A::NAME).into();
                let error = self.failed(ServeError::Then(Arc::new(error)));
                return responder.respond(Err(error));
            }
        };
        self.spawn_action(
            A::NAME,
            future,
            token,
            Some(responder),
            move |owner, responder, ended| {
                let mut output = ended.and_then(|done| match done.output {
                    Ok(output) => Ok((typed::<A::Output>(output), done.queued)),
                    Err(AsyncFailure::Typed(error)) => Err(ServeError::Action(
                        *error
                            .downcast()
                            .expect("a job of an action fails with its error"),
                    )),
                    Err(AsyncFailure::Call(failure)) => Err(ServeError::Then(Arc::new(
                        failure.with_action(A::NAME).into(),
                    ))),
                });
                owner.end_keyed(&mut entry, key, &mut output);
                owner.end(entry, responder, output);
            },
        );
    }

    pub(crate) fn start_json(
        &mut self,
        at: ResolvedAction,
        mut command: JsonCommand,
        responder: Responder<String, CallError>,
    ) {
        if self.tasks.running >= self.tasks.limit {
            return self.queue_command(responder, command);
        }
        let name = at.spec.name;
        // commands of the same batch may have run since the admission
        if let Err(error) = check_condition(&self.agent, at) {
            return responder.respond(Err(self.failed(error)));
        }
        let turn = command.take_turn();
        let (arguments, key, decision) = command.into_parts();
        let instruction = self
            .records_instructions()
            .then(|| Instruction::new(name, arguments.to_value()));
        let meta = self.meta_with_key(key.as_ref().map(|key| key.given.clone()));
        let stored = key.as_ref().map(|key| key.key.as_str());
        let input = arguments.into_async_input();
        let progress = responder.progress.clone();
        let begun = self.start_action_for(at.id, input, instruction, stored, &meta, progress);
        let (future, token, mut entry) = match begun {
            Ok(begun) => begun,
            Err(failure) => {
                let error = ServeError::Action(failure.with_action(name));
                return responder.respond(Err(self.failed(error)));
            }
        };
        if let Some(turn) = turn {
            entry.chain.begin_turn(turn);
        }
        self.spawn_action(
            name,
            future,
            token,
            Some(responder),
            move |owner, responder, ended| {
                let mut output = ended.and_then(|done| match done.output {
                    Ok(AsyncOutput::Text(text)) => Ok((text, done.queued)),
                    Err(AsyncFailure::Call(failure)) => {
                        Err(ServeError::Action(failure.with_action(name)))
                    }
                    _ => unreachable!("a call by name answers with a text"),
                });
                owner.end_keyed(&mut entry, key, &mut output);
                if let (Some(request), Ok((text, _))) = (&decision, &output) {
                    match StoredDecision::Output(text.clone()).keyed(request) {
                        Ok(decision) => entry.decision = Some(decision),
                        Err(error) => output = Err(error),
                    }
                }
                owner.end(entry, responder, output);
            },
        );
    }

    /// Ends a key's running command, and encodes the command's output under the key.
    fn end_keyed<T, E>(
        &mut self,
        entry: &mut JournalEntry,
        key: Option<Box<IdempotencyKey<T>>>,
        output: &mut Result<(T, QueuedEffects), ServeError<E>>,
    ) {
        let Some(key) = key else {
            return;
        };
        self.end_key(Some(&key.key));
        if let Ok((answer, _)) = &*output {
            match key.keyed(answer) {
                Ok(keyed) => entry.keyed = Some(keyed),
                Err(error) => drop_caught(replace(output, Err(error))),
            }
        }
    }

    /// Starts an async action for a `Run` directive.
    pub(crate) fn start_directive(
        &mut self,
        action: AdmittedAction,
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    ) {
        if self.tasks.running >= self.tasks.limit {
            let later = move |owner: &mut Self| {
                owner.start_directive(action, instruction, number, chain);
            };
            self.tasks.waiting.push_back(Box::new(later));
            return;
        }
        let AdmittedAction { at, arguments } = action;
        let name = at.spec.name;
        let input = arguments.into_async_input();
        let (future, token, mut entry) = match self.start_action(at.id, input, Some(instruction)) {
            Ok(begun) => begun,
            Err(failure) => {
                let message = full_text(&failure.with_action(name));
                return self.give_up(name, number, message);
            }
        };
        (entry.number, entry.chain) = (number, chain);
        let no_responder: Option<Responder<(), CallError>> = None;
        self.spawn_action(
            name,
            future,
            token,
            no_responder,
            move |owner, no_responder, ended| {
                let output = ended.and_then(|done| match done.output {
                    Ok(_) => Ok(((), done.queued)),
                    Err(AsyncFailure::Call(failure)) => {
                        Err(ServeError::Action(failure.with_action(name)))
                    }
                    Err(_) => unreachable!("a job of a value fails as a call does"),
                });
                match output {
                    // The server stops, so the directive stays pending, and the next server executes it.
                    Err(ServeError::Stopped { .. }) => {}
                    Err(error) => owner.give_up(name, number, full_text(&error)),
                    output => owner.end(entry, no_responder, output),
                }
            },
        );
    }

    /// Starts an async action of a signal. `then` gets the outcome.
    pub(crate) fn start_routed_action(
        &mut self,
        start: RoutedStart,
        responder: Option<Responder<Value, SignalError>>,
        meta: &Arc<CommandMeta>,
        then: impl FnOnce(&mut Self, Option<Responder<Value, SignalError>>, RoutedResult)
        + Send
        + 'static,
    ) {
        if self.tasks.running >= self.tasks.limit {
            if !start.must_wait && self.tasks.waiting.len() >= self.tasks.room {
                return then(self, responder, Err(ServeError::Full));
            }
            let meta = meta.clone();
            let later = move |owner: &mut Self| {
                if responder.as_ref().is_none_or(Responder::is_wanted) {
                    owner.start_routed_action(start, responder, &meta, then);
                } else {
                    then(owner, responder, Err(ServeError::stopped(Applied::No)));
                }
            };
            return self.tasks.waiting.push_back(Box::new(later));
        }
        let RoutedStart { action, key, .. } = start;
        let AdmittedAction { at, arguments } = action;
        let name = at.spec.name;
        if start.is_checked
            && let Err(error) = check_condition(&self.agent, at)
        {
            let refused = match error {
                ServeError::Action(error) => Ok(Err(error)),
                error => Err(error.map(|_| unreachable!("converted above"))),
            };
            return then(self, responder, refused);
        }
        let input = arguments.into_async_input();
        let progress = responder.as_ref().and_then(|one| one.progress.clone());
        let begun = self.start_action_for(at.id, input, None, None, meta, progress);
        let (future, token, _) = match begun {
            Ok(begun) => begun,
            Err(failure) => return then(self, responder, Ok(Err(failure.with_action(name)))),
        };
        let future = self.under_key(key.as_deref(), future);
        self.spawn_action(
            name,
            future,
            token,
            responder,
            move |owner, responder, ended| {
                let answer = ended.map(|done| match done.output {
                    Ok(AsyncOutput::Text(text)) => {
                        let output = process::as_value(name, &text)?;
                        Ok(AsyncAnswer {
                            output,
                            queued: done.queued,
                        })
                    }
                    Err(AsyncFailure::Call(failure)) => Err(failure.with_action(name)),
                    _ => unreachable!("a job of a value answers with a text"),
                });
                then(owner, responder, answer);
            },
        );
    }
}

fn typed<T: 'static>(output: AsyncOutput) -> T {
    match output {
        AsyncOutput::Typed(output) => *output
            .downcast()
            .expect("a job of an action answers with its output"),
        AsyncOutput::Text(_) => unreachable!("a typed job answers typed"),
    }
}
