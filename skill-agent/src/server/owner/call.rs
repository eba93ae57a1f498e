//! Commands of callers: typed and by name.

use super::{CompletedCommand, Owner};
use crate::panics::catch;
use crate::server::error::{Applied, CallJsonError, ServeError};
use crate::server::guard::{ApprovalRequest, GuardOutcome};
use crate::server::idempotency::IdempotencyKey;
use crate::server::mailbox::responder::Responder;
use crate::server::stats::add;
use crate::store::{Keyed, RecordKind};
use serde_json::Value;
use skill_core::bounds::SkillOf;
use skill_core::process::{self, AppliedAction, Performed, ResolvedAction, Transaction};
use skill_core::{Action, Agent, CallError, Caller, CallerKind, Instruction};

/// A typed command.
pub(crate) struct TypedCommand<A: Action> {
    pub(crate) action: A,
    pub(crate) caller: Caller,
    /// Whether the approver has approved it.
    pub(crate) is_approved: bool,
    /// Boxed, because few commands have one and every command is moved several times.
    pub(crate) key: Option<Box<IdempotencyKey<A::Output>>>,
}

/// A command by name.
pub(crate) struct JsonCommand {
    pub(crate) action: String,
    pub(crate) arguments: String,
    pub(crate) caller: Caller,
    pub(crate) is_approved: bool,
}

impl<G: Agent> Owner<G> {
    /// Runs a typed action.
    pub(crate) fn call<A, const AT: usize>(
        &mut self,
        mut command: TypedCommand<A>,
        responder: Responder<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        if !responder.is_wanted() {
            return;
        }
        // The agent's name for the action is looked up only for a custom guard or an approver.
        let spec = if self.settings.guard.is_some() || A::SPEC.hints.destructive {
            process::spec_of::<G, A, AT>()
        } else {
            &A::SPEC
        };
        let arguments = || process::readable(&command.action);
        let outcome = self
            .settings
            .guard(&command.caller, command.is_approved, spec, &arguments);
        if let GuardOutcome::Deny(reason) = outcome {
            return responder.respond(Err(self.denied(spec.name, reason)));
        }
        // After the guard, so that no recorded output gets past it. An output that is recorded needs no second approval.
        if let Some(key) = &command.key {
            if self.recent.has_other_arguments(&key.key, key.arguments) {
                let reason = "its arguments were different".to_owned();
                let error = ServeError::IdempotencyMismatch { reason };
                return self.respond_with_error(responder, error);
            }
            if let Some(recorded) = self.recent.answer(&key.key) {
                let output = key.decode(recorded);
                return self.respond_with_recorded_output(key.key.clone(), output, responder);
            }
            if self.recent.is_running(&key.key) {
                let name = key.key.clone();
                let retry = move |owner: &mut Self| owner.call::<A, AT>(command, responder);
                return self.recent.wait(&name, Box::new(retry));
            }
        }
        if let GuardOutcome::Ask = outcome {
            let request = ApprovalRequest::new(&command.caller, spec, arguments());
            let key = command.key.as_ref().map(|key| key.key.clone());
            // While the key is marked as running, a repeated command waits instead of asking again.
            self.begin_key(key.as_deref());
            return self.request_approval_for(
                request,
                Some(responder),
                move |owner, responder, is_approved| {
                    owner.end_key(key.as_deref());
                    command.is_approved = true;
                    if let Some(responder) = owner.approved(spec.name, responder, is_approved) {
                        owner.call::<A, AT>(command, responder);
                    }
                },
            );
        }
        if <A::Kind as process::Kind<A>>::IS_ASYNC {
            let key = command.key.as_ref().map(|key| key.key.clone());
            self.start_in_turn(responder, key, |owner, responder| {
                owner.start_typed::<A, AT>(command, responder);
            });
        } else {
            self.perform::<A, AT>(command, responder);
        }
    }

    /// Responds with the output of an earlier command once that command is recorded.
    pub(super) fn respond_with_recorded_output<T: Send + 'static, E: Send + 'static>(
        &mut self,
        key: String,
        output: Result<T, ServeError<E>>,
        responder: Responder<T, E>,
    ) {
        self.answer_in_turn(move |owner, kept| {
            responder.respond(match kept {
                // Another command of the batch was not recorded; the earlier one was.
                Err(_) if owner.recent.answer(&key).is_some() => output,
                Err(error) => Err(ServeError::store(error)),
                Ok(()) => output,
            });
        });
    }

    fn perform<A, const AT: usize>(
        &mut self,
        command: TypedCommand<A>,
        responder: Responder<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        let TypedCommand { action, key, .. } = command;
        let is_durable = self.journal.is_some();
        let takes_context = <A::Kind as process::Kind<A>>::TAKES_CONTEXT;
        let given = key.as_ref().map(|key| key.given.clone());
        let meta = (is_durable || takes_context).then(|| self.meta_with_key(given));
        let keep = is_durable || responder.deadline.is_some() || key.is_some();
        let instruction = self
            .records_instructions()
            .then(|| Instruction::new(A::NAME, process::readable(&action)));
        let agent = &mut self.agent;
        let result = catch(|| process::perform::<G, A, AT>(agent, action, meta.as_ref(), keep));
        let applied = match result {
            Ok(Performed::Done(applied)) => applied,
            Ok(Performed::Failed(error)) => {
                return self.respond_with_error(responder, ServeError::Action(error));
            }
            Ok(Performed::Async(_)) => unreachable!("an async action is started, not performed"),
            Err(message) => {
                return self.respond_with_error(responder, ServeError::Panicked { message });
            }
        };
        let AppliedAction {
            output,
            directives,
            saved,
        } = applied;
        if !keep && directives.is_empty() && instruction.is_none() {
            tracing::debug!(agent = G::SPEC.name, kind = ?RecordKind::Command, "command finished");
            add(&self.shared.counters.handled, 1);
            return responder.respond(Ok(output));
        }
        if !responder.apply() {
            process::undo(&mut self.agent, saved);
            let error = ServeError::deadline(Applied::No);
            return responder.respond(Err(self.failed(error)));
        }
        let id = meta.and_then(|meta| meta.stamp.as_ref().map(|stamp| stamp.id.clone()));
        let mut completed = CompletedCommand::new(RecordKind::Command, id.unwrap_or_default());
        (completed.saved, completed.directives) = (saved, directives);
        completed.instructions.extend(instruction);
        if let Some(key) = key {
            match key.encode(&output) {
                Ok(answer) => {
                    completed.keyed = Some(Keyed {
                        key: key.key,
                        answer,
                        arguments: key.arguments,
                    });
                }
                Err(error) => {
                    process::undo(&mut self.agent, completed.saved);
                    return self.respond_with_error(responder, error);
                }
            }
        }
        self.finish(completed, move |owner, kept| match kept {
            Ok(()) => responder.respond_by_deadline(|| owner.now(), Ok(output)),
            Err(reason) => responder.respond(Err(ServeError::not_kept(reason))),
        });
    }

    /// Counts a failure.
    pub(super) fn failed<E>(&self, error: ServeError<E>) -> ServeError<E> {
        add(&self.shared.counters.failed, 1);
        error
    }

    /// Runs an action by name on JSON text.
    pub(crate) fn call_json(
        &mut self,
        mut command: JsonCommand,
        responder: Responder<String, CallError>,
    ) {
        if !responder.is_wanted() {
            return;
        }
        let address = match self.address(&command) {
            Ok(address) => address,
            Err(error) => return self.respond_with_error(responder, error),
        };
        let spec = address.spec;
        let arguments = || serde_json::from_str(&command.arguments).unwrap_or(Value::Null);
        match self
            .settings
            .guard(&command.caller, command.is_approved, spec, &arguments)
        {
            GuardOutcome::Allow => {}
            GuardOutcome::Deny(reason) => {
                return responder.respond(Err(self.denied(spec.name, reason)));
            }
            GuardOutcome::Ask => {
                let request = ApprovalRequest::new(&command.caller, spec, arguments());
                return self.request_approval_for(
                    request,
                    Some(responder),
                    move |owner, responder, is_approved| {
                        command.is_approved = true;
                        if let Some(responder) = owner.approved(spec.name, responder, is_approved) {
                            owner.call_json(command, responder);
                        }
                    },
                );
            }
        }
        if address.is_async() {
            self.start_in_turn(responder, None, move |owner, responder| {
                owner.start_json(address, command, responder);
            });
        } else {
            self.perform_json(address, &command, responder);
        }
    }

    fn address(&self, command: &JsonCommand) -> Result<ResolvedAction, CallJsonError> {
        let address = process::resolve(&self.agent, &command.action).map_err(ServeError::Action)?;
        if address.spec.internal && command.caller.kind() != CallerKind::Agent {
            Err(ServeError::Action(process::internal(address.spec)))
        } else {
            Ok(address)
        }
    }

    fn perform_json(
        &mut self,
        at: ResolvedAction,
        command: &JsonCommand,
        responder: Responder<String, CallError>,
    ) {
        let meta = Some(self.meta());
        let mut transaction = Transaction::begin(&mut self.agent);
        let result = catch(|| transaction.call(at, &command.arguments, meta.as_ref()));
        let output = match result {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => {
                drop(transaction);
                return self.respond_with_error(responder, ServeError::Action(error));
            }
            Err(message) => {
                drop(transaction);
                return self.respond_with_error(responder, ServeError::Panicked { message });
            }
        };
        if !responder.apply() {
            drop(transaction);
            return responder.respond(Err(self.failed(ServeError::deadline(Applied::No))));
        }
        let id = meta.and_then(|meta| meta.stamp.as_ref().map(|stamp| stamp.id.clone()));
        let mut completed = CompletedCommand::new(RecordKind::Command, id.unwrap_or_default());
        (completed.saved, completed.directives) = transaction.commit();
        if self.records_instructions() {
            let params = serde_json::from_str(&command.arguments).unwrap_or(Value::Null);
            completed.instructions = vec![Instruction::new(at.spec.name, params)];
        }
        self.finish(completed, move |owner, kept| match kept {
            Ok(()) => responder.respond_by_deadline(|| owner.now(), Ok(output)),
            Err(reason) => responder.respond(Err(ServeError::not_kept(reason))),
        });
    }
}
