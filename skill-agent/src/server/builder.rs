//! How a server is set up.

use super::guard::{Approver, Attempt, Caller, ConfirmDestructive, Decision, Guard, Pass};
use super::outlet::Outlet;
use super::owner::JobStarter;
use super::panics::catch;
use super::subscription::{Hub, SUBSCRIPTION_CAPACITY, Subscription};
use super::{AgentServer, StartError, life};
use crate::children::{Backoff, RestartLimits};
use crate::clock::{Clock, SystemClock};
use crate::store::Store;
use serde_json::Value;
use skill_core::process::AsyncRequest;
use skill_core::{
    ActionSpec, Agent, AgentRunsWith, BoxFuture, ChildSpec, Pattern, PatternError, Provide,
    Resources,
};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How many messages wait in a mailbox before senders do, unless the builder says otherwise.
pub const MAILBOX_CAPACITY: usize = 1024;

/// How many async actions run at once, unless the builder says otherwise; further ones wait.
pub const CONCURRENT_ACTIONS: usize = 64;

/// What a server does with errors that nobody waits for: a [`Directive::Error`](skill_core::Directive::Error), a `Run` that
/// failed, a signal that was sent without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorPolicy {
    /// Writes them to the log (`tracing`, level error).
    #[default]
    Log,
    /// The same, and emits a signal `agent.error` with the message.
    Emit,
    /// The same, and stops.
    Stop,
}

/// Everything but the agent.
pub(crate) struct Settings<G: Agent> {
    pub(crate) store: Option<Box<dyn Store>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) outlet: Option<Arc<dyn Outlet>>,
    pub(crate) hub: Hub,
    pub(crate) error_policy: ErrorPolicy,
    pub(crate) loopback: Vec<Pattern>,
    pub(crate) mailbox: usize,
    pub(crate) subscription: usize,
    pub(crate) concurrency: usize,
    pub(crate) time_limit: Duration,
    pub(crate) grace: Duration,
    pub(crate) restart_limits: RestartLimits,
    pub(crate) backoff: Backoff,
    pub(crate) children: Vec<ChildSpec>,
    pub(crate) shared: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
    pub(crate) forget: Vec<String>,
    pub(crate) trace_payloads: bool,
    /// The `source` of the agent's signals.
    pub(crate) source: String,
    pub(crate) starter: Option<JobStarter<G>>,
}

impl<G: Agent> Settings<G> {
    fn new(agent: &G) -> Self {
        let name = G::SPEC.name;
        Self {
            store: None,
            clock: Arc::new(SystemClock),
            guard: None,
            approver: None,
            outlet: None,
            hub: Hub::default(),
            error_policy: ErrorPolicy::default(),
            loopback: Vec::new(),
            mailbox: MAILBOX_CAPACITY,
            subscription: SUBSCRIPTION_CAPACITY,
            concurrency: CONCURRENT_ACTIONS,
            time_limit: Duration::from_secs(60),
            grace: Duration::from_secs(5),
            restart_limits: RestartLimits::default(),
            backoff: Backoff::default(),
            children: Vec::new(),
            shared: HashMap::new(),
            forget: Vec::new(),
            trace_payloads: false,
            source: match agent.id() {
                Some(id) => format!("/{name}/{id}"),
                None => format!("/{name}"),
            },
            starter: None,
        }
    }

    /// Asks the guard. One that panics has decided nothing, and what nobody allowed does not run.
    pub(crate) fn guard(
        &self,
        caller: Caller,
        is_approved: bool,
        action: &ActionSpec,
        arguments: &dyn Fn() -> Value,
    ) -> Pass {
        if is_approved {
            return Pass::Go;
        }
        let attempt = Attempt {
            caller,
            action,
            arguments,
        };
        let decision = match &self.guard {
            Some(guard) => catch(|| guard.check(&attempt)).unwrap_or_else(|message| {
                tracing::error!(action = action.name, %message, "the guard panicked");
                Decision::Deny("the guard panicked".into())
            }),
            // ours, and it does not panic
            None => ConfirmDestructive.check(&attempt),
        };
        match decision {
            Decision::Allow => Pass::Go,
            Decision::Deny(reason) => Pass::No(reason),
            Decision::Ask if self.approver.is_none() => {
                Pass::No("it has to be approved, and the server has no approver".into())
            }
            Decision::Ask => Pass::Ask,
        }
    }
}

/// Sets up a server; [`start`](Self::start) starts it. `R` is the type of its resources.
#[must_use = "a server runs when it is started"]
pub struct AgentServerBuilder<G: Agent, R = ()> {
    agent: G,
    resources: Arc<R>,
    settings: Settings<G>,
}

impl<G: Agent> AgentServerBuilder<G> {
    pub(super) fn new(agent: G) -> Self {
        Self {
            settings: Settings::new(&agent),
            agent,
            resources: Arc::new(()),
        }
    }
}

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Gives the server what its async actions reach the world with; the type has to [`Provide`] everything they ask for.
    pub fn resources<W: Resources>(self, resources: W) -> AgentServerBuilder<G, W> {
        AgentServerBuilder {
            agent: self.agent,
            resources: Arc::new(resources),
            settings: self.settings,
        }
    }

    /// Shares one of the resources with the children: they find a clone of it by its type.
    pub fn share<T: Clone + Send + Sync + 'static>(mut self) -> Self
    where
        R: Provide<T>,
    {
        let resource = Arc::new(self.resources.provide().clone());
        self.settings
            .shared
            .insert(TypeId::of::<T>(), Box::new(resource));
        self
    }

    /// Keeps the agent in a store, under its id. An acknowledged command is then on disk, and the next start goes on from it.
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Box::new(store));
        self
    }

    /// Gives up the stored state under a key, when the agent no longer has the skill that it belongs to: `ledger`, or
    /// `skills.ledger` for a mounted one. `skills` are all that are mounted.
    pub fn forget(mut self, key: impl Into<String>) -> Self {
        self.settings.forget.push(key.into());
        self
    }

    /// Takes the time from another clock.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Decides on every action before it runs; [`ConfirmDestructive`] holds where there is none.
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.settings.guard = Some(Arc::new(guard));
        self
    }

    /// Asks a person when the guard says so.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.settings.approver = Some(Arc::new(approver));
        self
    }

    /// Gives what the agent emits to the world.
    pub fn outlet(mut self, outlet: impl Outlet) -> Self {
        self.settings.outlet = Some(Arc::new(outlet));
        self
    }

    /// Subscribes before the start, so that nothing is missed: neither what `on_mount` emits nor what a store brings back.
    ///
    /// # Errors
    /// When the pattern breaks its grammar.
    pub fn subscribe(&mut self, pattern: &str) -> Result<Subscription, PatternError> {
        let pattern = Pattern::parse(pattern)?;
        Ok(self
            .settings
            .hub
            .subscribe(pattern, self.settings.subscription))
    }

    /// Lets emitted signals whose type matches come back to the agent itself.
    ///
    /// # Errors
    /// When the pattern breaks its grammar.
    pub fn loopback(mut self, pattern: &str) -> Result<Self, PatternError> {
        self.settings.loopback.push(Pattern::parse(pattern)?);
        Ok(self)
    }

    /// Says what becomes of errors that nobody waits for.
    pub fn error_policy(mut self, policy: ErrorPolicy) -> Self {
        self.settings.error_policy = policy;
        self
    }

    /// Sets how many messages wait before senders do; at least 1.
    pub fn mailbox_capacity(mut self, messages: usize) -> Self {
        self.settings.mailbox = messages.max(1);
        self
    }

    /// Sets how many signals wait for one subscriber before the oldest is pushed out; at least 1.
    pub fn subscription_capacity(mut self, signals: usize) -> Self {
        self.settings.subscription = signals.max(1);
        self
    }

    /// Sets how many async actions run at once; at least 1.
    pub fn concurrent_actions(mut self, actions: usize) -> Self {
        self.settings.concurrency = actions.max(1);
        self
    }

    /// Sets how long an async action may take: 60 seconds where nobody says.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.settings.time_limit = time;
        self
    }

    /// Sets how long what runs beside the mailbox may take to end when it is cancelled or the server stops: 5 seconds where
    /// nobody says.
    pub fn grace(mut self, time: Duration) -> Self {
        self.settings.grace = time;
        self
    }

    /// Adds a child that no skill declares.
    pub fn child(mut self, spec: ChildSpec) -> Self {
        self.settings.children.push(spec);
        self
    }

    /// Sets how many restarts of children are borne.
    pub fn restart_limits(mut self, limits: RestartLimits) -> Self {
        self.settings.restart_limits = limits;
        self
    }

    /// Sets how long restarts of children wait.
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.settings.backoff = backoff;
        self
    }

    /// Lets arguments into `tracing` events. Off, nothing of arguments, state or outputs is in them.
    pub fn trace_payloads(mut self, payloads: bool) -> Self {
        self.settings.trace_payloads = payloads;
        self
    }

    /// Starts the server: recovers what is stored, calls `on_mount` of each skill, sends the agent's own hooks `agent.init`,
    /// starts the children, and carries out the directives that were not done.
    ///
    /// # Errors
    /// The future answers why it did not start; nothing runs then.
    // a plain function, so that a resource that is missing is one error
    pub fn start(mut self) -> BoxFuture<Result<AgentServer<G>, StartError>>
    where
        G: AgentRunsWith<R>,
    {
        let resources = self.resources;
        self.settings.starter = Some(Arc::new(move |agent: &G, at, input, meta, host| {
            let request = AsyncRequest {
                input,
                meta: Some(meta),
                host: Some(host),
                resources: &resources,
            };
            agent.__start(at, request)
        }));
        Box::pin(life::start(self.agent, self.settings))
    }
}

impl<G: Agent, R> fmt::Debug for AgentServerBuilder<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentServerBuilder")
            .field("agent", &G::SPEC.name)
            .field("source", &self.settings.source)
            .finish_non_exhaustive()
    }
}
