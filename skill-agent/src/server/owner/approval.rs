//! Requests to the approver, and what follows from its verdict.

use super::Owner;
use crate::panics::catch_async;
use crate::server::error::ServeError;
use crate::server::guard::{ApprovalRequest, OPEN_APPROVALS, Verdict};
use crate::server::mailbox::responder::Responder;
use crate::server::stats::add;
use skill_core::{Agent, CallError};
use std::borrow::Cow;

/// Why a verdict of [`Verdict::Later`] denies an action that no caller waits for.
pub(super) const NOBODY_WAITS: &str =
    "the approver put the decision off, and no caller waits for it";

fn denial(reason: &'static str) -> Verdict {
    Verdict::Deny(reason.into())
}

impl<G: Agent> Owner<G> {
    /// Like [`request_approval_for`](Self::request_approval_for), for an action that no caller waits for: it runs or is denied.
    pub(super) fn request_approval(
        &mut self,
        request: ApprovalRequest,
        then: impl FnOnce(&mut Self, Result<Option<serde_json::Value>, Cow<'static, str>>)
        + Send
        + 'static,
    ) {
        let no_responder: Option<Responder<(), CallError>> = None;
        self.request_approval_for(request, no_responder, |owner, _, _, verdict| {
            then(
                owner,
                match verdict {
                    Verdict::Approve => Ok(None),
                    Verdict::ApproveWith(arguments) => Ok(Some(arguments)),
                    Verdict::Deny(reason) | Verdict::Abort(reason) => Err(reason),
                    Verdict::Later => Err(NOBODY_WAITS.into()),
                },
            );
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
        // The preview shows the state.
        self.when_recorded(move |owner, unusable| match unusable {
            None => owner.ask(request, responder, then),
            Some(_) => then(
                owner,
                responder,
                request,
                denial("nobody could be asked: the store failed"),
            ),
        });
    }

    fn ask<T: Send + 'static, E: Send + 'static>(
        &mut self,
        mut request: ApprovalRequest,
        responder: Option<Responder<T, E>>,
        then: impl FnOnce(&mut Self, Option<Responder<T, E>>, ApprovalRequest, Verdict) + Send + 'static,
    ) {
        let Some(approver) = self.settings.approver.clone() else {
            return then(
                self,
                responder,
                request,
                denial("nobody could be asked: the server has no approver"),
            );
        };
        if self.tasks.open_approvals >= OPEN_APPROVALS {
            let reason = "nobody could be asked: too many requests wait for the approver";
            return then(self, responder, request, denial(reason));
        }
        self.tasks.open_approvals += 1;
        request.id = self.stamp().id;
        request.preview = self.preview_request(&request);
        let (clock, limit) = (
            self.shared.clock.0.clone(),
            self.settings.approver_time_limit,
        );
        let asked = request.clone();
        let decision = async move {
            let decided = catch_async(Box::pin(async move { approver.approve(asked).await }));
            tokio::select! {
                biased;
                verdict = decided => Some(verdict),
                () = clock.sleep(limit) => None,
            }
        };
        self.tasks
            .spawn_uncounted(decision, responder, move |owner, responder, decision| {
                owner.tasks.open_approvals -= 1;
                let verdict = match decision {
                    Some(Ok(Some(Ok(verdict)))) => verdict,
                    Some(Ok(Some(Err(message)))) | Some(Err(message)) => {
                        owner.report(&format!("the approver panicked: {message}"));
                        denial("nobody could be asked: the approver panicked")
                    }
                    Some(Ok(None)) => {
                        let seconds = limit.as_secs_f64();
                        Verdict::Deny(
                            format!("the approver did not decide within {seconds} seconds").into(),
                        )
                    }
                    None => denial("the caller no longer waits"),
                };
                then(owner, responder, request, verdict);
            });
    }

    /// The error of a call that the guard or the approver denied.
    pub(super) fn denied<E>(
        &self,
        action: impl Into<Cow<'static, str>>,
        reason: Cow<'static, str>,
    ) -> ServeError<E> {
        let action = action.into();
        add(&self.shared.counters.failed, 1);
        tracing::info!(agent = G::SPEC.name, %action, %reason, "denied");
        ServeError::Denied { action, reason }
    }
}
