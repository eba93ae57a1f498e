//! Handles to agents that are awake only while they are used.

use super::AgentServer;
use crate::clock::{CaughtClock, Clock};
use crate::lifecycle::settings::DEFAULT_GRACE;
use crate::lifecycle::shared::{AgentFacts, Shared};
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::lifecycle::stop_report::StopReport;
use crate::mailbox::{Mailbox, Started, Wake};
use crate::signals::subscription::SUBSCRIPTION_CAPACITY;
use skill_core::Agent;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;

/// The facts and subscriptions that the handles to one id share, while the agent is awake and while it sleeps.
#[doc(hidden)]
#[derive(Clone)]
pub struct ById(pub(crate) Arc<Shared>);

/// Ends all handles by id that share it.
#[doc(hidden)]
#[derive(Debug)]
pub struct HandlesEnd(watch::Sender<Option<ServerEnd>>);

impl ById {
    /// Creates the facts of an agent.
    pub fn new<G: Agent>(clock: Arc<dyn Clock>, end: &HandlesEnd) -> Self {
        Self(Arc::new(Shared {
            agent: AgentFacts::of::<G>(),
            hub: Default::default(),
            counters: Default::default(),
            clock: CaughtClock(clock),
            stop_flag: Default::default(),
            closed: end.0.subscribe(),
            recovery: Default::default(),
            has_store: true,
            rows_claim: Default::default(),
            grace: DEFAULT_GRACE,
            subscription: SUBSCRIPTION_CAPACITY,
            pattern_warnings: Default::default(),
        }))
    }

    /// Ends the subscriptions.
    pub fn close(&self) {
        self.0.hub.close();
    }
}

impl Default for HandlesEnd {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl HandlesEnd {
    /// Ends the handles.
    pub fn end(&self) {
        self.0.send_replace(Some(ServerEnd {
            reason: StopReason::Stopped,
            report: StopReport::default(),
            rest: None,
        }));
    }
}

// Not functions of `AgentServer`, because rustc would suggest them to programs that look for `builder`.
impl ById {
    /// Creates a handle that wakes its agent when it is used.
    pub fn handle<G: Agent>(&self, wake: Arc<dyn Wake>) -> AgentServer<G> {
        AgentServer::of_mailbox(Mailbox::ById(wake), Arc::clone(&self.0))
    }
}

impl Started {
    /// Returns a handle. The agent must have the type `G`.
    pub fn handle<G>(self) -> AgentServer<G> {
        AgentServer::of_mailbox(Mailbox::Of(self.mailbox), self.shared)
    }
}

#[doc(hidden)]
impl<G> AgentServer<G> {
    /// Returns the server, or `None` if the agent sleeps.
    pub fn started(&self) -> Option<Started> {
        match &self.mailbox {
            Mailbox::Of(mailbox) => Some(Started {
                mailbox: mailbox.clone(),
                shared: Arc::clone(&self.shared),
            }),
            Mailbox::ById(wake) => wake.server(),
        }
    }
}

impl fmt::Debug for ById {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ById")
            .field(&self.0.agent.spec.name)
            .finish()
    }
}
