//! Builder methods for the guard and for approvals.

use super::AgentServerBuilder;
use crate::guard::{Approver, Guard};
use skill_core::{Agent, Resources};
use std::sync::Arc;
use std::time::Duration;

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Adds a guard. It decides on every action before the action runs. If there are several guards, the strictest decision
    /// counts. Without a guard, [`ConfirmDestructive`](crate::ConfirmDestructive) decides.
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.settings.guard.add_guard(guard);
        self
    }

    /// Sets the approver, and replaces an earlier one. The approver decides whenever the guard returns
    /// [`Decision::Ask`](crate::Decision::Ask).
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.settings.approver = Some(Arc::new(approver));
        self
    }

    /// Sets the approver's time limit. The default is [`APPROVER_TIME_LIMIT`](crate::APPROVER_TIME_LIMIT).
    pub fn approver_time_limit(mut self, time: Duration) -> Self {
        self.settings.approver_time_limit = time;
        self
    }

    /// Sets the secret that seals [deferred](crate::Verdict::Later) approval requests. A different process with the same secret
    /// can also [decide](crate::AgentServer::decide) on them.
    ///
    /// The default is a random secret. The store keeps it; without a store, it lasts until the server stops. If the secret is
    /// shorter than 16 bytes, [`start`](Self::start) fails.
    pub fn approval_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.settings.approval_secret = Some(secret.into());
        self
    }
}
