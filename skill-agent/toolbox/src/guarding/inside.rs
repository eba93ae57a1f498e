//! Decides on calls that wait for approval of calls inside them.

use super::{Guarding, Once, Subject, seal_of};
use crate::error::{PendingInside, ToolError};
use serde_json::Value;
use skill_agent_server::{Applied, ApprovalRequest};
use std::collections::HashSet;

impl Guarding {
    /// Creates the error for a call that waits for approval of calls inside it.
    pub(crate) fn waiting_inside(
        &self,
        subject: Subject<'_>,
        arguments: Value,
        requests: Vec<ApprovalRequest>,
        state: Value,
    ) -> ToolError {
        let failed = |problem: &str| {
            let message = format!("it waits for approval, but {problem}");
            ToolError::failed(&subject.tool.name, message, Applied::Unknown)
        };
        if requests.is_empty() {
            return failed("for no request");
        }
        let mut ids = HashSet::new();
        if !requests
            .iter()
            .all(|request| !request.id.is_empty() && ids.insert(&request.id))
        {
            return failed("its requests have no ids of their own");
        }
        let mut pending = PendingInside {
            request: self.request(subject, arguments),
            requests,
            state,
        };
        pending.request.seal = seal_of(&pending.sealed()).by(&self.secret());
        ToolError::PendingInside(Box::new(pending))
    }

    /// Checks that a call that waits for calls inside it may continue, and marks it as decided.
    ///
    /// # Errors
    /// Returns an error if the request is invalid or the guard denies the call.
    pub(crate) fn decide_inside(
        &self,
        subject: Subject<'_>,
        pending: &PendingInside,
    ) -> Result<Once<'_>, ToolError> {
        self.check_sealed(subject, &pending.sealed())?;
        let once = self.reserve(&pending.request.id)?;
        self.admit_approved(subject, pending.request.arguments.clone())?;
        Ok(once)
    }
}
