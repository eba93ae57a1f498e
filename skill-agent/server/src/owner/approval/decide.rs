//! Decisions on deferred approval requests.

use crate::error::{CallJsonError, ServeError, SignalError};
use crate::guard::{
    ApprovalRequest, DecidedInstruction, PendingSignal, Rejection, Ruling, Seal, new_secret,
};
use crate::idempotency::{
    APPROVAL_SECRET_KEY, IdempotencyKey, StoredDecision, approval_key, at_state_key, decision_key,
};
use crate::journal::JournalEntry;
use crate::mailbox::responder::{Responder, Response};
use crate::owner::Owner;
use crate::owner::call::arguments::Arguments;
use crate::owner::call::by_name::JsonCommand;
use crate::owner::call::reply::Reply;
use crate::owner::signal::incoming::SignalDecision;
use crate::owner::signal::progress::SignalProgress;
use serde_json::Value;
use skill_agent_store::{Keyed, RecordKind};
use skill_core::process::{self, CallFailure, ResolvedAction};
use skill_core::{Agent, CallError};
use std::borrow::Cow;

impl<G: Agent> Owner<G> {
    /// Ends a call with a deferred decision, so that its caller gets the sealed request.
    pub(crate) fn defer<T: Send + 'static, E: Send + 'static>(
        &mut self,
        mut request: ApprovalRequest,
        responder: Responder<T, E>,
    ) {
        if request.caller.is_foreign() {
            request.preview = Err("foreign callers get no preview".into());
        }
        let stored = self.approval_secret();
        let is_new = stored.is_none();
        let secret = stored.unwrap_or_else(new_secret);
        request.seal = self.seal_of(&request).by(&secret);
        let error = ServeError::Pending(Box::new(request));
        if !is_new {
            return self.respond_in_turn(responder, error);
        }
        let mut entry = JournalEntry::new(RecordKind::Approval, self.stamp().id);
        entry.keyed = Some(Keyed {
            key: APPROVAL_SECRET_KEY.to_owned(),
            answer: secret,
            arguments: None,
        });
        self.settle(entry, Vec::new(), Err(error), Reply::Caller(responder));
    }

    /// Returns the secret that seals approval requests: the builder's secret, or else the stored one.
    fn approval_secret(&self) -> Option<Vec<u8>> {
        let stored = || self.keys.approval_secret().map(<[u8]>::to_vec);
        self.settings.approval_secret.clone().or_else(stored)
    }

    fn seal_of<'a>(&'a self, request: &'a ApprovalRequest) -> Seal<'a> {
        Seal {
            agent: G::SPEC.name,
            agent_id: self.agent.id(),
            request,
        }
    }

    /// Carries out the verdict on a deferred request.
    pub(crate) fn decide(
        &mut self,
        mut request: ApprovalRequest,
        ruling: Ruling,
        responder: Responder<String, CallError>,
    ) {
        if !responder.is_wanted() {
            return;
        }
        let at = match self.check_request(&request) {
            Ok(at) => at,
            Err(reason) => {
                return self.respond_with_error(responder, ServeError::InvalidRequest { reason });
            }
        };
        let key = decision_key(&request.id);
        if let Some(used) = self.keys.get(&key) {
            let answer = StoredDecision::read(used.answer, request.tool.name);
            return self.respond_with_recorded_output(key, answer, responder);
        }
        match ruling {
            Ruling::Defer { caller_decides } => {
                request.caller_decides = caller_decides;
                self.defer(request, responder);
            }
            Ruling::Run(replaced) => self.approve(at, request, replaced, responder),
            Ruling::Reject(rejection) => self.reject(at, request, rejection, responder),
        }
    }

    /// Checks a request's seal and finds its action.
    fn check_request(
        &self,
        request: &ApprovalRequest,
    ) -> Result<ResolvedAction, Cow<'static, str>> {
        let secret = self.approval_secret();
        if !secret.is_some_and(|secret| self.seal_of(request).is_by(&secret)) {
            let reason =
                "it was changed, or sealed by a toolbox, by another agent or with another secret";
            if self.settings.approval_secret.is_some() || self.journal.is_some() {
                return Err(reason.into());
            }
            let restart = "a server without a store knows requests from before its start only by `AgentServer::builder(...).approval_secret(...)`";
            return Err(format!("{reason}; {restart}").into());
        }
        if self.keys.may_be_forgotten(&request.id) {
            return Err("it is so old that the decision on it may have been forgotten".into());
        }
        let gone = || "the agent no longer has its action".into();
        let at = process::resolve(&self.agent, &request.tool.name).map_err(|_| gone())?;
        let names = process::declared_names(&self.agent, at);
        if (names.skill, names.action) != (&*request.skill, &*request.action) {
            return Err(gone());
        }
        Ok(at)
    }

    /// Updates a request's key, because the instance may have a different state key now.
    fn present_key(&self, at: ResolvedAction, key: String) -> String {
        at_state_key(key, process::declared_names(&self.agent, at).state_key)
    }

    /// Runs the request's command on behalf of its original caller. The command runs only once, even if it is approved several
    /// times.
    fn approve(
        &mut self,
        at: ResolvedAction,
        request: ApprovalRequest,
        replaced: Option<Value>,
        responder: Responder<String, CallError>,
    ) {
        let ApprovalRequest {
            id,
            caller,
            tool,
            arguments,
            command,
            ..
        } = request;
        let (key, given) = match command.key {
            Some((key, given)) => (self.present_key(at, key), given),
            None => (approval_key(&id), id.clone()),
        };
        if let Some(pending) = command.signal {
            let decision = SignalDecision { request: id, key };
            let PendingSignal {
                signal,
                count,
                index,
                instruction,
                mut decided,
            } = *pending;
            decided.push(DecidedInstruction {
                index,
                instruction,
                seen: arguments,
                replaced,
            });
            let progress = SignalProgress {
                count,
                decided,
                ..SignalProgress::default()
            };
            let (mut inner, received) = Responder::new(responder.deadline.clone());
            inner.progress.clone_from(&responder.progress);
            self.resume_signal(signal, inner, caller, decision, progress);
            let read = async move { Response::read(received.await) };
            return self.tasks.spawn_uncounted(
                read,
                Some(responder),
                move |_, responder, answer| {
                    if let (Some(responder), Some(Ok(answer))) = (responder, answer) {
                        let answer = answer.map(|answer| answer.to_string());
                        responder.respond(answer.map_err(|error| by_name(at, error)));
                    }
                },
            );
        }
        let key = IdempotencyKey::of_text(key, given, at.spec, Some(&arguments));
        let arguments = match replaced {
            None => Arguments::Value(arguments),
            Some(replaced) => match Arguments::replaced(&self.agent, at, replaced) {
                Ok(arguments) => arguments,
                Err(refusal) => {
                    return self.respond_with_error(responder, refusal.into_error(tool.name));
                }
            },
        };
        let command = JsonCommand::new(tool.name, arguments, caller).approved(key, id);
        self.submit(command, responder);
    }

    /// Records a rejection, unless the command has already run.
    fn reject(
        &mut self,
        at: ResolvedAction,
        request: ApprovalRequest,
        rejection: Rejection,
        responder: Responder<String, CallError>,
    ) {
        let key = match &request.command.key {
            Some((key, _)) => self.present_key(at, key.clone()),
            None => approval_key(&request.id),
        };
        if self.running_keys.contains(&key) {
            if let Err(error) = self.check_wait(&key, Some(&responder)) {
                return self.respond_with_error(responder, error);
            }
            let retry = move |owner: &mut Self| {
                owner.decide(request, Ruling::Reject(rejection), responder);
            };
            return self.running_keys.wait(&key, Box::new(retry));
        }
        if self.keys.contains(&key) {
            // The command has run, so the guard and the recorded output decide.
            return self.approve(at, request, None, responder);
        }
        let decision = StoredDecision::Rejected(rejection.clone()).keyed(&request.id);
        let decision = match decision {
            Ok(decision) => decision,
            Err(error) => return self.respond_with_error(responder, error),
        };
        let mut entry = JournalEntry::new(RecordKind::Approval, self.stamp().id);
        entry.decision = Some(decision);
        let error = self.failed(ServeError::rejected(rejection, request.tool.name));
        self.settle(entry, Vec::new(), Err(error), Reply::Caller(responder));
    }
}

/// Converts a signal's error to the error of a call by name.
fn by_name(at: ResolvedAction, error: ServeError<SignalError>) -> CallJsonError {
    let action = at.spec.name;
    error.map(|error| match error {
        SignalError::Run(error) => error.source,
        error => CallFailure::Action(Box::new(error)).with_action(action),
    })
}
