//! Decisions on approval requests that were put off.

use super::arguments::Arguments;
use super::call_json::JsonCommand;
use super::{CompletedCommand, Owner};
use crate::server::error::{CallJsonError, ServeError, SignalError};
use crate::server::guard::{ApprovalRequest, DecidedInstruction, Seal, Standing, Verdict};
use crate::server::idempotency::{APPROVAL_SECRET_KEY, IdempotencyKey, approval_key, denial_key};
use crate::server::mailbox::responder::{Responder, Response};
use crate::store::{Keyed, RecordKind, decode, encode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_core::process::{self, CallFailure, ResolvedAction};
use skill_core::{Agent, CallError};
use std::borrow::Cow;

/// A denial, as it is stored under the id of its request.
#[derive(Serialize, Deserialize)]
struct Denial {
    reason: String,
    is_abort: bool,
}

impl Denial {
    fn into_error<E>(self, action: String) -> ServeError<E> {
        let (action, reason) = (action.into(), self.reason.into());
        if self.is_abort {
            ServeError::Aborted { action, reason }
        } else {
            ServeError::Denied { action, reason }
        }
    }
}

impl<G: Agent> Owner<G> {
    /// Ends a call whose decision is put off: its caller gets the sealed request.
    pub(super) fn put_off<T: Send + 'static, E: Send + 'static>(
        &mut self,
        mut request: ApprovalRequest,
        responder: Responder<T, E>,
    ) {
        let stored = self.approval_secret();
        let is_new = stored.is_none();
        let secret = stored.unwrap_or_else(new_secret);
        request.seal = self.seal_of(&request).by(&secret);
        let error = ServeError::Pending(Box::new(request));
        if !is_new {
            return self.respond_with_error(responder, error);
        }
        let mut completed = CompletedCommand::new(RecordKind::Approval, self.stamp().id);
        completed.keyed = Some(Keyed {
            key: APPROVAL_SECRET_KEY.to_owned(),
            answer: secret,
            arguments: None,
        });
        self.finish(completed, move |_, kept| {
            responder.respond(Err(kept.map_or_else(ServeError::not_kept, |()| error)));
        });
    }

    /// The secret of the seals: the one of the builder, or else the one that an earlier request made.
    fn approval_secret(&self) -> Option<Vec<u8>> {
        let stored = || self.recent.answer(APPROVAL_SECRET_KEY).map(<[u8]>::to_vec);
        self.settings.approval_secret.clone().or_else(stored)
    }

    fn seal_of<'a>(&'a self, request: &'a ApprovalRequest) -> Seal<'a> {
        Seal {
            agent: G::SPEC.name,
            agent_id: self.agent.id(),
            request,
        }
    }

    /// Carries out the verdict on a request that was put off.
    pub(crate) fn decide(
        &mut self,
        request: ApprovalRequest,
        verdict: Verdict,
        responder: Responder<String, CallError>,
    ) {
        if !responder.is_wanted() {
            return;
        }
        let at = match self.check_request(&request) {
            Ok(at) => at,
            Err(reason) => {
                let error = self.denied(request.tool.name, reason);
                return responder.respond(Err(error));
            }
        };
        if let Some(stored) = self.recent.answer(&denial_key(&request.id)) {
            let error = match decode::<Denial>(stored) {
                Ok(denial) => denial.into_error(request.tool.name),
                Err(error) => ServeError::IdempotencyMismatch {
                    reason: error.to_string(),
                },
            };
            return self.respond_with_error(responder, error);
        }
        match verdict {
            Verdict::Later => self.put_off(request, responder),
            Verdict::Approve => self.approve(at, request, None, responder),
            Verdict::ApproveWith(arguments) => {
                self.approve(at, request, Some(arguments), responder);
            }
            Verdict::Deny(reason) => self.deny(at, request, reason, false, responder),
            Verdict::Abort(reason) => self.deny(at, request, reason, true, responder),
        }
    }

    /// Finds the action of a request, after a look at the seal.
    fn check_request(
        &self,
        request: &ApprovalRequest,
    ) -> Result<ResolvedAction, Cow<'static, str>> {
        let secret = self.approval_secret();
        if !secret.is_some_and(|secret| self.seal_of(request).is_by(&secret)) {
            let reason = "the request was changed, or another server or another secret made it";
            return Err(reason.into());
        }
        let gone = || "the agent no longer has the action of the request".into();
        let at = process::resolve(&self.agent, &request.tool.name).map_err(|_| gone())?;
        let names = process::declared_names(&self.agent, at);
        if (names.skill, names.action) != (&*request.skill, &*request.action) {
            return Err(gone());
        }
        Ok(at)
    }

    /// Runs the command of a request under the caller that made it. It runs once, however often it is approved.
    fn approve(
        &mut self,
        at: ResolvedAction,
        mut request: ApprovalRequest,
        replaced: Option<Value>,
        responder: Responder<String, CallError>,
    ) {
        if let Some(mut pending) = request.command.signal.take() {
            pending.decided.push(DecidedInstruction {
                index: pending.index,
                seen: request.arguments,
                replaced,
            });
            let (inner, received) = Responder::new(responder.deadline.clone());
            self.resume_signal(pending.signal, inner, request.caller, pending.decided);
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
        let (key, given) = match request.command.key.take() {
            Some(key) => key,
            None => (approval_key(&request.id), request.id),
        };
        let key = IdempotencyKey::of_text(key, given, at.spec, Some(&request.arguments));
        let arguments = Arguments::Value(replaced.unwrap_or(request.arguments));
        let command = JsonCommand::new(request.tool.name, arguments, request.caller)
            .decided(key, Standing::Approved);
        self.submit(command, responder);
    }

    /// Records a denial, unless the command has run.
    fn deny(
        &mut self,
        at: ResolvedAction,
        request: ApprovalRequest,
        reason: Cow<'static, str>,
        is_abort: bool,
        responder: Responder<String, CallError>,
    ) {
        let key = match &request.command.key {
            Some((key, _)) => key.clone(),
            None => approval_key(&request.id),
        };
        if self.recent.is_running(&key) {
            let retry = move |owner: &mut Self| {
                owner.deny(at, request, reason, is_abort, responder);
            };
            return self.recent.wait(&key, Box::new(retry));
        }
        if self.recent.answer(&key).is_some() {
            // It was approved before: the guard and the recorded output decide.
            return self.approve(at, request, None, responder);
        }
        let reason = reason.into_owned();
        let denial = Denial { reason, is_abort };
        let answer = match encode(&denial) {
            Ok(answer) => answer,
            Err(error) => {
                let reason = error.to_string();
                return self
                    .respond_with_error(responder, ServeError::IdempotencyEncode { reason });
            }
        };
        let mut completed = CompletedCommand::new(RecordKind::Approval, self.stamp().id);
        completed.keyed = Some(Keyed {
            key: denial_key(&request.id),
            answer,
            arguments: None,
        });
        let error = self.failed(denial.into_error(request.tool.name));
        self.finish(completed, move |_, kept| {
            responder.respond(Err(kept.map_or_else(ServeError::not_kept, |()| error)));
        });
    }
}

/// The error of a signal as that of a call by name.
fn by_name(at: ResolvedAction, error: ServeError<SignalError>) -> CallJsonError {
    let action = at.spec.name;
    error.map(|error| match error {
        SignalError::Run(error) => error.source,
        error => CallFailure::Action(Box::new(error)).with_action(action),
    })
}

/// A secret that cannot be guessed: 244 random bits.
fn new_secret() -> Vec<u8> {
    let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    halves.iter().flat_map(|half| *half.as_bytes()).collect()
}
