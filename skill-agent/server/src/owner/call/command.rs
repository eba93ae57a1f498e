//! The pipeline of a call: guard, idempotency key, approver, action, record, response.

use crate::error::{Applied, ServeError};
use crate::guard::{ApprovalRequest, GuardCheck, Ruling, Verdict};
use crate::idempotency::IdempotencyKey;
use crate::journal::{JournalEntry, millis};
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::{Admission, Refusal};
use crate::owner::call::reply::Reply;
use crate::stats::add;
use serde_json::Value;
use skill_core::Agent;
use skill_core::process::{self, CommandMeta, Saved};
use std::sync::Arc;

/// A command that calls one action.
pub(crate) trait Command<G: Agent>: Send + Sized + 'static {
    type Output: Send + 'static;
    type Error: Send + 'static;

    /// Finds the action and asks the guard.
    fn admit(&mut self, owner: &Owner<G>) -> Result<Admission, Refusal<Self::Error>>;

    /// Returns the idempotency key, which is complete after admission.
    fn key(&self) -> Option<&IdempotencyKey<Self::Output>>;

    /// Returns the action's name.
    fn name(&self) -> &'static str;

    fn set_check(&mut self, check: GuardCheck);

    /// Replaces the arguments with the approver's arguments.
    fn replace_arguments(
        &mut self,
        owner: &Owner<G>,
        arguments: Value,
    ) -> Result<(), Refusal<Self::Error>>;

    fn is_async(&self) -> bool;

    /// Starts an async action. The state that it sees must already be recorded.
    fn start(self, owner: &mut Owner<G>, responder: Responder<Self::Output, Self::Error>);

    /// Runs a pure action. An error leaves the state unchanged. With `keep`, the changes can still be undone.
    fn execute(
        self,
        owner: &mut Owner<G>,
        keep: bool,
    ) -> Result<Executed<G, Self::Output>, ServeError<Self::Error>>;
}

/// A change that is applied and not yet recorded.
pub(crate) struct Executed<G: Agent, T> {
    pub(crate) output: T,
    /// The states before the change.
    pub(crate) saved: Saved<G>,
    /// The entry for the log, still without an id.
    pub(crate) entry: JournalEntry,
    pub(crate) meta: Option<Arc<CommandMeta>>,
}

impl<G: Agent> Owner<G> {
    /// Runs a command from admission to response.
    pub(crate) fn submit<C: Command<G>>(
        &mut self,
        mut command: C,
        responder: Responder<C::Output, C::Error>,
    ) {
        if !responder.is_wanted() {
            return;
        }
        let request = match command.admit(self) {
            Ok(Admission::Allowed) => None,
            Ok(Admission::Ask(request)) => Some(request),
            Err(Refusal::Failed(error)) => return self.respond_with_error(responder, error),
            Err(refusal) => {
                let error = refusal.into_error(command.name());
                return self.respond_with_error(responder, error);
            }
        };
        // The key is checked after the guard, so that no recorded output gets past the guard. A recorded output needs no second
        // approval.
        if let Some(key) = command.key() {
            if let Err(error) = key.check_given() {
                return self.respond_with_error(responder, error);
            }
            if let Some(used) = self.keys.get(&key.key) {
                if used.has_other_arguments(key.arguments) {
                    let reason = "with other arguments".to_owned();
                    let error = ServeError::IdempotencyMismatch { reason };
                    return self.respond_with_error(responder, error);
                }
                let output = key.decode(used.answer);
                return self.respond_with_recorded_output(key.key.clone(), output, responder);
            }
            if self.running_keys.contains(&key.key) {
                if let Err(error) = self.check_wait(&key.key, Some(&responder)) {
                    return self.respond_with_error(responder, error);
                }
                let name = key.key.clone();
                let retry = move |owner: &mut Self| owner.submit(command, responder);
                return self.running_keys.wait(&name, Box::new(retry));
            }
            if let Err(error) = self.check_key(key) {
                return self.respond_with_error(responder, error);
            }
        }
        if let Some(request) = request {
            return self.ask_approver(command, *request, responder);
        }
        if command.is_async() {
            let key = command.key().map(|key| key.key.clone());
            return self.start_in_turn(responder, key, |owner, responder| {
                command.start(owner, responder);
            });
        }
        let keep =
            self.journal.is_some() || responder.deadline.is_some() || command.key().is_some();
        match command.execute(self, keep) {
            Ok(executed) => self.complete(executed, keep, responder),
            Err(error) => self.respond_with_error(responder, error),
        }
    }

    /// Checks that there is room for a new key.
    fn check_key<T, E>(&self, key: &IdempotencyKey<T>) -> Result<(), ServeError<E>> {
        let room = self.keys.check_room(&key.key, millis(self.now()));
        room.map_err(ServeError::limit)
    }

    fn ask_approver<C: Command<G>>(
        &mut self,
        mut command: C,
        mut request: ApprovalRequest,
        responder: Responder<C::Output, C::Error>,
    ) {
        let key = command.key();
        request.command.key = key.map(|key| (key.key.clone(), key.given.clone()));
        let key = key.map(|key| key.key.clone());
        // While the key is marked as running, repeated commands wait instead of asking again.
        self.begin_key(key.as_deref());
        let then = move |owner: &mut Self, responder, request, verdict| {
            owner.end_key(key.as_deref());
            let Some((responder, replaced)) = owner.apply_verdict(request, responder, verdict)
            else {
                return;
            };
            command.set_check(GuardCheck::Skip);
            if let Some(arguments) = replaced {
                command.set_check(GuardCheck::DenyOnly);
                if let Err(refusal) = command.replace_arguments(owner, arguments) {
                    let error = refusal.into_error(command.name());
                    return owner.respond_with_error(responder, error);
                }
            }
            owner.submit(command, responder);
        };
        self.request_approval_for(request, Some(responder), then);
    }

    /// Applies the approver's verdict. If the call may run, returns its responder, and the new arguments if the approver replaced
    /// them. If it may not, responds to the call and returns `None`.
    fn apply_verdict<T: Send + 'static, E: Send + 'static>(
        &mut self,
        mut request: ApprovalRequest,
        responder: Option<Responder<T, E>>,
        verdict: Verdict,
    ) -> Option<(Responder<T, E>, Option<Value>)> {
        let responder = responder?;
        match Ruling::from(verdict) {
            Ruling::Run(replaced) => return Some((responder, replaced)),
            Ruling::Defer { caller_decides } => {
                request.caller_decides = caller_decides;
                self.defer(request, responder);
            }
            Ruling::Reject(rejection) => {
                self.respond_with_error(
                    responder,
                    ServeError::rejected(rejection, request.tool.name),
                );
            }
        }
        None
    }

    /// Records a change and responds. Undoes the change if the caller's deadline has passed.
    pub(crate) fn complete<T: Send + 'static, E: Send + 'static>(
        &mut self,
        executed: Executed<G, T>,
        keep: bool,
        responder: Responder<T, E>,
    ) {
        let Executed {
            output,
            saved,
            mut entry,
            meta,
        } = executed;
        if !keep && entry.directives.is_empty() && entry.instructions.is_empty() {
            tracing::debug!(agent = G::SPEC.name, kind = ?entry.kind, "command finished");
            add(&self.shared.counters.handled, 1);
            return responder.respond(Ok(output));
        }
        if !responder.apply() {
            process::undo(&mut self.agent, saved);
            return self.respond_with_error(responder, ServeError::deadline(Applied::No));
        }
        if let Some(stamp) = meta.as_ref().and_then(|meta| meta.stamp.as_ref()) {
            entry.id.clone_from(&stamp.id);
        }
        self.settle(entry, saved, Ok(output), Reply::Caller(responder));
    }

    /// Responds with an earlier command's output, once that command is recorded.
    pub(crate) fn respond_with_recorded_output<T: Send + 'static, E: Send + 'static>(
        &mut self,
        key: String,
        output: Result<T, ServeError<E>>,
        responder: Responder<T, E>,
    ) {
        self.answer_in_turn(move |owner, kept| {
            responder.respond(match kept {
                // Another command of the batch was not recorded, but the earlier one was.
                Err(_) if owner.keys.contains(&key) => output,
                Err(error) => Err(ServeError::store(error)),
                Ok(()) => output,
            });
        });
    }

    /// Counts a failure and logs a denial.
    pub(crate) fn failed<E>(&self, error: ServeError<E>) -> ServeError<E> {
        add(&self.shared.counters.failed, 1);
        if let ServeError::Denied { action, reason } = &error {
            tracing::info!(agent = G::SPEC.name, %action, %reason, "denied");
        }
        error
    }
}
