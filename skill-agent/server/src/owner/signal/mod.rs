//! Signals, from receipt to response.

pub(crate) mod admission;
pub(crate) mod approval;
pub(crate) mod incoming;
pub(crate) mod interruption;
pub(crate) mod pipeline;
pub(crate) mod progress;
pub(crate) mod then;

use super::Owner;
use crate::error::{Applied, ServeError, SignalError};
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::call::reply::Reply;
use crate::owner::effects::async_actions::RoutedStart;
use crate::owner::signal::incoming::{
    Incoming, Origins, SignalDecision, key_of, reply_to, stored_answer,
};
use crate::owner::signal::interruption::Interruption;
use crate::owner::signal::pipeline::{SignalPipeline, is_reserved, signal_of};
use crate::owner::signal::progress::{CompletedAction, SignalProgress};
use crate::panics::catch;
use crate::stats::add;
use serde_json::Value;
use skill_agent_store::decode;
use skill_core::process::full_text;
use skill_core::process::{self, CommandMeta, Saved, Transaction};
use skill_core::{Agent, Caller, Instruction, Signal, Stamp};
use std::sync::Arc;

impl<G: Agent> Owner<G> {
    /// Handles a signal.
    pub(crate) fn signal(
        &mut self,
        signal: Signal,
        responder: Option<Responder<Value, SignalError>>,
        caller: Caller,
        origins: Origins,
    ) {
        self.receive(Incoming::new(signal, responder, caller, origins));
    }

    /// Handles a signal from outside the server.
    pub(crate) fn outside_signal(
        &mut self,
        signal: Signal,
        responder: Option<Responder<Value, SignalError>>,
        caller: Caller,
    ) {
        let incoming = Incoming::new(signal, responder, caller, Origins::default());
        if is_reserved(&incoming.ty) {
            let ty = incoming.ty.clone();
            return self.refuse(incoming, ServeError::Action(SignalError::Reserved { ty }));
        }
        self.receive(incoming);
    }

    /// Processes a signal again, after a deferred decision on one of its instructions.
    pub(super) fn resume_signal(
        &mut self,
        signal: Signal,
        responder: Responder<Value, SignalError>,
        caller: Caller,
        decision: SignalDecision,
        progress: SignalProgress,
    ) {
        let mut incoming = Incoming::new(signal, Some(responder), caller, Origins::default());
        (incoming.decision, incoming.progress) = (Some(decision), progress);
        self.receive(incoming);
    }

    fn receive(&mut self, mut incoming: Incoming) {
        if incoming
            .responder
            .as_ref()
            .is_some_and(|responder| !responder.is_wanted())
        {
            return;
        }
        incoming.key = match &incoming.decision {
            Some(decision) => Some(decision.key.clone()),
            None => match key_of(&incoming) {
                Ok(key) => key,
                Err(error) => return self.refuse(incoming, error),
            },
        };
        // the guard decides again on a signal that waited for another one
        incoming.progress.allowed.clear();
        let key = incoming.key.as_ref();
        incoming.is_repeated = key.is_some_and(|key| self.is_key_known(key));
        // The guard decides on each signal, so a repeated signal is processed up to the guard.
        let is_guarded = self.settings.guard.is_custom() || incoming.caller.is_foreign();
        if incoming.is_repeated && !is_guarded {
            return self.repeat(incoming);
        }
        let stamp = self.stamp();
        let signal = &mut incoming.signal;
        signal.stamp(&stamp.id, &self.settings.source, stamp.now);
        let id = signal.id().unwrap_or_default().to_owned();
        tracing::debug!(agent = G::SPEC.name, ty = signal.ty(), %id, hops = incoming.origins.chain.hops(), "signal");
        incoming.stamp = Stamp::new(stamp.now, id);
        self.handle(incoming);
    }

    /// Responds to a repeated signal with the recorded answer, or makes it wait for the running signal.
    fn repeat(&mut self, incoming: Incoming) {
        let Some(key) = incoming.key.clone() else {
            return;
        };
        if self.running_keys.contains(&key) {
            if let Err(error) = self.check_wait(&key, incoming.responder.as_ref()) {
                return self.refuse(incoming, error);
            }
            let retry = move |owner: &mut Self| owner.receive(incoming);
            return self.running_keys.wait(&key, Box::new(retry));
        }
        if let (Some(used), Some(responder)) = (self.keys.get(&key), incoming.responder) {
            let answer = used.answer.ok_or(ServeError::AnswerGone);
            let answer = answer.and_then(|answer| {
                decode(answer).map_err(|error| ServeError::IdempotencyMismatch {
                    reason: format!("and its output does not fit: {error}"),
                })
            });
            self.respond_with_recorded_output(key, answer, responder);
        }
    }

    /// Processes a signal again, unless its receiver was dropped.
    pub(super) fn go_on(&mut self, incoming: Incoming) {
        if incoming.responder.as_ref().is_none_or(Responder::is_wanted) {
            self.handle(incoming);
        }
    }

    fn handle(&mut self, mut incoming: Incoming) {
        let signal = &mut incoming.signal;
        let mut meta = Arc::new(CommandMeta {
            reply_to: reply_to(signal),
            signal: Some(std::mem::replace(signal, Signal::new("", Value::Null))),
            stamp: Some(incoming.stamp.clone()),
            idempotency_key: None,
        });
        // The received signal is kept for another pass, because hooks may rewrite the signal.
        let received = self.routing.has_hooks().then(|| signal_of(&meta).clone());
        let result = {
            let mut pipeline = SignalPipeline {
                transaction: Transaction::begin(&mut self.agent),
                routing: &self.routing,
                settings: &self.settings,
                caller: incoming.caller.clone(),
                progress: std::mem::take(&mut incoming.progress),
                is_repeated: incoming.is_repeated,
            };
            match catch(|| pipeline.run_signal(&mut meta)) {
                Ok(Ok(processed)) => Ok((processed, pipeline.transaction.commit())),
                Ok(Err(interruption)) => {
                    incoming.progress = pipeline.progress;
                    Err(interruption)
                }
                Err(message) => Err(Interruption::Panicked(message)),
            }
        };
        let interruption = match result {
            Ok((processed, (saved, directives))) => {
                let mut entry = JournalEntry::new(processed.kind, incoming.stamp.id.clone());
                entry.directives = directives;
                entry.instructions = processed.instructions;
                return self.processed(incoming, processed.answer, entry, saved);
            }
            Err(interruption) => interruption,
        };
        incoming.signal = received.unwrap_or_else(|| signal_of(&meta).clone());
        // The state may have changed since the first signal, so a hook may now reject the repeated one.
        let is_answered = incoming.is_repeated && !incoming.caller.is_foreign();
        match interruption {
            Interruption::Repeated => self.repeat(incoming),
            Interruption::Failed(_) | Interruption::Panicked(_) if is_answered => {
                self.repeat(incoming);
            }
            Interruption::Ask(asked) => {
                self.go_on_in_turn(incoming, move |owner, incoming| {
                    owner.ask_first(*asked, incoming);
                });
            }
            Interruption::Start(at, instruction) => {
                self.go_on_in_turn(incoming, move |owner, incoming| {
                    owner.start_routed((at, instruction), incoming, meta);
                });
            }
            Interruption::Failed(error) => self.refuse(incoming, ServeError::Action(error)),
            Interruption::Limit(what) => {
                let max = what.max();
                self.refuse(incoming, ServeError::Limit { what, max });
            }
            Interruption::Panicked(message) => {
                self.refuse(incoming, ServeError::panicked(None, message));
            }
            Interruption::Denied(action, reason) => {
                self.refuse(incoming, ServeError::Denied { action, reason });
            }
        }
    }

    /// Continues with a signal once the state that it saw is recorded. If that state was undone, processes the signal again.
    fn go_on_in_turn(
        &mut self,
        incoming: Incoming,
        then: impl FnOnce(&mut Self, Incoming) + Send + 'static,
    ) {
        if self.batch.is_empty() {
            return then(self, incoming);
        }
        self.begin_key(incoming.key.as_deref());
        self.answer_in_turn(move |owner, kept| {
            owner.end_key(incoming.key.as_deref());
            match kept {
                Ok(()) => then(owner, incoming),
                Err(error) if error.leaves_log_usable() => owner.go_on(incoming),
                Err(error) => owner.refuse(incoming, ServeError::store_before(error)),
            }
        });
    }

    /// Runs an async action that the signal is routed to, and then processes the signal again with the action's result.
    fn start_routed(
        &mut self,
        (index, instruction): (usize, Instruction),
        mut incoming: Incoming,
        meta: Arc<CommandMeta>,
    ) {
        let action = match incoming.progress.take_admitted(index) {
            Ok(action) => action,
            Err(error) => {
                incoming.progress.completed.push(CompletedAction {
                    index,
                    instruction,
                    result: Err(error),
                });
                return self.go_on(incoming);
            }
        };
        self.begin_key(incoming.key.as_deref());
        // A signal that cannot be sent again, or that already had effects, is not refused for lack of room.
        let must_wait = incoming.responder.is_none() || !incoming.progress.completed.is_empty();
        let is_checked = incoming.progress.is_routed;
        let responder = incoming.responder.take();
        let key = incoming.key.clone();
        let then =
            move |owner: &mut Self, responder, result: Result<_, ServeError<SignalError>>| {
                owner.end_key(incoming.key.as_deref());
                incoming.responder = responder;
                match result {
                    Ok(result) => {
                        incoming.progress.completed.push(CompletedAction {
                            index,
                            instruction,
                            result,
                        });
                        owner.go_on(incoming);
                    }
                    // The server stops, so the directive that delivers the signal stays pending.
                    Err(ServeError::Stopped { .. }) if incoming.origins.number.is_some() => {}
                    Err(error) => owner.refuse(incoming, error),
                }
            };
        let start = RoutedStart {
            action,
            key,
            is_checked,
            must_wait,
        };
        self.start_routed_action(start, responder, &meta, then);
    }

    fn processed(
        &mut self,
        incoming: Incoming,
        answer: Value,
        mut entry: JournalEntry,
        saved: Saved<G>,
    ) {
        let stored = match stored_answer(&incoming, &answer) {
            Ok(_) if !incoming.responder.as_ref().is_none_or(Responder::apply) => {
                Err(ServeError::deadline(Applied::No))
            }
            stored => stored,
        };
        (entry.keyed, entry.decision) = match stored {
            Ok(stored) => stored,
            Err(error) => {
                process::undo(&mut self.agent, saved);
                return self.refuse(incoming, error);
            }
        };
        let number = incoming.origins.number;
        (entry.number, entry.chain) = (number, incoming.origins.chain.clone());
        let reply = Reply::new(incoming.responder, incoming.ty, number);
        self.settle(entry, saved, Ok(answer), reply);
    }

    /// Sends the error to the caller, or reports it if no caller waits. Both wait until the state that the signal read is recorded.
    /// If no caller waits, an error of the store is reported at once, and a stop of the server is only counted.
    pub(super) fn refuse(&mut self, incoming: Incoming, error: ServeError<SignalError>) {
        if let Some(responder) = incoming.responder {
            return self.respond_with_error(responder, error);
        }
        let (ty, number) = (incoming.ty, incoming.origins.number);
        match error {
            // The server stops, so the directive that delivers the signal stays pending.
            ServeError::Stopped { .. } => add(&self.shared.counters.failed, 1),
            ServeError::Store { source, .. } => self.report_unstored(&ty, number, &source),
            error => {
                let message = format!("a signal of the type `{ty}` failed: {}", full_text(&error));
                self.report_in_turn(&ty, number, message, move |owner| {
                    if number.is_some() {
                        owner.done_or_repeat(number);
                    }
                });
            }
        }
    }
}
