//! Requests to the approver.

use super::Owner;
use crate::server::error::ServeError;
use crate::server::guard::ApprovalRequest;
use crate::server::mailbox::responder::Responder;
use crate::server::stats::add;
use skill_core::{Agent, CallError};
use std::borrow::Cow;

/// The reason in the error of an action that the approver denied.
pub(super) const DENIED_BY_APPROVER: &str = "the approver denied it";

impl<G: Agent> Owner<G> {
    /// Like [`request_approval_for`](Self::request_approval_for), without a responder.
    pub(super) fn request_approval(
        &mut self,
        request: ApprovalRequest,
        then: impl FnOnce(&mut Self, bool) + Send + 'static,
    ) {
        let no_responder: Option<Responder<(), CallError>> = None;
        self.request_approval_for(request, no_responder, |owner, _, is_approved| {
            then(owner, is_approved);
        });
    }

    /// Asks the approver without blocking the server, then calls `then` with the decision. If the receiver of `responder` is
    /// dropped first, the request is dropped and the decision is `false`. The request must not contain unrecorded state.
    pub(super) fn request_approval_for<T: Send + 'static, E: Send + 'static>(
        &mut self,
        request: ApprovalRequest,
        responder: Option<Responder<T, E>>,
        then: impl FnOnce(&mut Self, Option<Responder<T, E>>, bool) + Send + 'static,
    ) {
        let Some(approver) = self.settings.approver.clone() else {
            return;
        };
        let decision = async move { approver.approve(request).await };
        self.tasks
            .spawn_uncounted(decision, responder, |owner, responder, decision| {
                let is_approved = decision.is_some_and(|decision| {
                    decision.unwrap_or_else(|message| {
                        owner.report(&format!("the approver panicked: {message}"));
                        false
                    })
                });
                then(owner, responder, is_approved);
            });
    }

    /// Returns the responder of a call that the approver approved, and responds to one that was denied.
    pub(super) fn approved<T, E>(
        &self,
        action: &'static str,
        responder: Option<Responder<T, E>>,
        is_approved: bool,
    ) -> Option<Responder<T, E>> {
        let responder = responder?;
        if is_approved {
            return Some(responder);
        }
        responder.respond(Err(self.denied(action, DENIED_BY_APPROVER.into())));
        None
    }

    /// The error of a call that the guard or the approver denied.
    pub(super) fn denied<E>(
        &self,
        action: &'static str,
        reason: Cow<'static, str>,
    ) -> ServeError<E> {
        add(&self.shared.counters.failed, 1);
        tracing::info!(agent = G::SPEC.name, action, %reason, "denied");
        ServeError::Denied {
            action: action.into(),
            reason,
        }
    }
}
