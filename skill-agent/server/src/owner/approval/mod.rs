//! Asks the approver, and handles the verdicts.

pub(crate) mod decide;

use super::Owner;
use crate::error::ServeError;
use crate::guard::{ApprovalRequest, Asked, OPEN_APPROVALS, Ruling, TOO_MANY_OPEN, Verdict, ask};
use crate::mailbox::responder::Responder;
use crate::owner::call::admission::{NO_APPROVER, Refusal};
use serde_json::Value;
use skill_core::{Agent, CallError};

/// The reason for a denial if the approver defers a decision and no caller can receive the request.
pub(super) const NO_CALLER: &str = "the decision was deferred, but no caller is waiting for it";

fn denial(reason: &'static str) -> Verdict {
    Verdict::Deny(reason.into())
}

impl<G: Agent> Owner<G> {
    /// Like [`request_approval_for`](Self::request_approval_for), for an action that no caller waits for. `then` gets the
    /// approver's arguments if they replace the original ones.
    pub(super) fn request_approval(
        &mut self,
        request: ApprovalRequest,
        then: impl FnOnce(&mut Self, Result<Option<Value>, ServeError<CallError>>) + Send + 'static,
    ) {
        let no_responder: Option<Responder<(), CallError>> = None;
        self.request_approval_for(request, no_responder, |owner, _, request, verdict| {
            let action = request.tool.name;
            let result = match Ruling::from(verdict) {
                Ruling::Run(replaced) => Ok(replaced),
                Ruling::Reject(rejection) => Err(ServeError::rejected(rejection, action)),
                Ruling::Defer { .. } => Err(Refusal::Denied(NO_CALLER.into()).into_error(action)),
            };
            then(owner, result);
        });
    }

    /// Asks the approver without blocking the server, then calls `then` with the request and the verdict. If the receiver of
    /// `responder` is dropped first, the request is dropped and the verdict is a denial.
    pub(super) fn request_approval_for<T: Send + 'static, E: Send + 'static>(
        &mut self,
        request: ApprovalRequest,
        responder: Option<Responder<T, E>>,
        then: impl FnOnce(&mut Self, Option<Responder<T, E>>, ApprovalRequest, Verdict) + Send + 'static,
    ) {
        // The preview shows the state, so the state must be recorded.
        self.when_recorded(move |owner, unusable| match unusable {
            None => owner.ask(request, responder, then),
            Some(_) => then(
                owner,
                responder,
                request,
                denial("approval is required, but the store failed"),
            ),
        });
    }

    fn ask<T: Send + 'static, E: Send + 'static>(
        &mut self,
        mut request: ApprovalRequest,
        responder: Option<Responder<T, E>>,
        then: impl FnOnce(&mut Self, Option<Responder<T, E>>, ApprovalRequest, Verdict) + Send + 'static,
    ) {
        // Without an approver, `Decision::Ask` is a denial.
        let Some(approver) = self.settings.approver.clone() else {
            return then(self, responder, request, denial(NO_APPROVER));
        };
        if self.tasks.open_approvals >= OPEN_APPROVALS {
            return then(self, responder, request, denial(TOO_MANY_OPEN));
        }
        request.id = self.stamp().id;
        request.preview = self.preview_request(&request);
        let (clock, limit) = (
            self.shared.clock.0.clone(),
            self.settings.approver_time_limit,
        );
        let decision = ask(approver, request.clone(), clock, limit);
        // Counted only after all user code has run.
        self.tasks.open_approvals += 1;
        self.tasks
            .spawn_uncounted(decision, responder, move |owner, responder, decision| {
                owner.tasks.open_approvals -= 1;
                let verdict = match decision {
                    Some(Ok(asked)) => {
                        if let Asked::Panicked(message) = &asked {
                            owner.report(&format!("the approver panicked: {message}"));
                        }
                        asked.into()
                    }
                    Some(Err(message)) => {
                        owner.report(&format!("the clock panicked: {message}"));
                        denial("approval is required, but the clock panicked")
                    }
                    None => denial("the caller no longer waits"),
                };
                then(owner, responder, request, verdict);
            });
    }
}
