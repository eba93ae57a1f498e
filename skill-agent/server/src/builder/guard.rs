//! The settings of the guard and of approvals.

use super::AgentServerBuilder;
use crate::guard::{Approver, Guard};
use skill_core::{Agent, Resources};
use std::sync::Arc;
use std::time::Duration;

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Sets the guard, which decides on every action before it runs; the default is
    /// [`ConfirmDestructive`](crate::ConfirmDestructive).
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.settings.guard.set_guard(guard);
        self
    }

    /// Sets the approver, which decides when the guard says [`Decision::Ask`](crate::Decision::Ask).
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.settings.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how long the approver may take; the default is [`APPROVER_TIME_LIMIT`](crate::APPROVER_TIME_LIMIT).
    pub fn approver_time_limit(mut self, time: Duration) -> Self {
        self.settings.approver_time_limit = time;
        self
    }

    /// Sets the secret that seals approval requests which are [deferred](crate::Verdict::Later). With the same secret, another
    /// process can [decide](crate::AgentServer::decide) on them.
    ///
    /// The default is a random secret, which is kept in the store, or without one until the server stops. A secret of less than
    /// 16 bytes makes [`start`](Self::start) fail.
    pub fn approval_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.settings.approval_secret = Some(secret.into());
        self
    }
}
