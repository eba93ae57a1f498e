//! The settings of the guard and of approvals.

use super::AgentServerBuilder;
use crate::server::guard::{Approver, Decision, Guard};
use skill_core::bounds::ListedIn;
use skill_core::{Action, Agent, Resources};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Sets the guard, which decides on every action before it runs; the default is
    /// [`ConfirmDestructive`](crate::server::ConfirmDestructive).
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.settings.guard.set_guard(guard);
        self
    }

    /// Asks the [`Approver`] about the actions `A` for which `is_risky` returns true, for every caller and every instance of the
    /// skill. With a [`guard`](Self::guard) the stricter decision counts.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_agent::prelude::*;
    /// # /// An account.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "account", actions(Transfer))]
    /// # pub struct Account { cents: i64 }
    /// # /// Transfer money.
    /// # #[action]
    /// # pub fn transfer(account: &mut Account, cents: i64) { account.cents -= cents; }
    /// # agent! { pub struct Bank { name: "bank", skills: [Account] } }
    /// let builder = AgentServer::builder(Bank::new())
    ///     .ask_when::<Transfer>(|transfer| transfer.cents > 100_00);
    /// # let _ = builder;
    /// ```
    ///
    /// An action of a skill that the agent does not list is a compile error.
    pub fn ask_when<A>(mut self, is_risky: impl Fn(&A) -> bool + Send + Sync + 'static) -> Self
    where
        A: Action<Skill: ListedIn<G>>,
    {
        let decide = move |action: &A| {
            if is_risky(action) {
                Decision::Ask
            } else {
                Decision::Allow
            }
        };
        self.settings.guard.add_rule(decide);
        self
    }

    /// Denies the actions `A` for which `reason` returns a reason, for every caller and every instance of the skill. With a
    /// [`guard`](Self::guard) the stricter decision counts.
    pub fn deny_when<A>(
        mut self,
        reason: impl Fn(&A) -> Option<Cow<'static, str>> + Send + Sync + 'static,
    ) -> Self
    where
        A: Action<Skill: ListedIn<G>>,
    {
        let decide = move |action: &A| reason(action).map_or(Decision::Allow, Decision::Deny);
        self.settings.guard.add_rule(decide);
        self
    }

    /// Sets the approver, which decides when the guard says [`Decision::Ask`](crate::server::Decision::Ask).
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.settings.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how long the approver may take; the default is [`APPROVER_TIME_LIMIT`](crate::server::APPROVER_TIME_LIMIT).
    pub fn approver_time_limit(mut self, time: Duration) -> Self {
        self.settings.approver_time_limit = time;
        self
    }

    /// Sets the secret that seals approval requests which are [deferred](crate::server::Verdict::Later). With the same secret, another
    /// process can [decide](crate::AgentServer::decide) on them.
    ///
    /// The default is a random secret, which is kept in the store, or without one until the server stops. A secret of less than
    /// 16 bytes makes [`start`](Self::start) fail.
    pub fn approval_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.settings.approval_secret = Some(secret.into());
        self
    }
}
