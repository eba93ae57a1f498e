//! The builder of a server.

mod by_id;
mod durability;
mod guard;
mod start_future;

pub use start_future::StartFuture;

use crate::children::{Backoff, RestartLimits};
use crate::clock::Clock;
use crate::error::StartError;
use crate::guard::Decision;
use crate::handle::AgentServer;
use crate::lifecycle::launch;
use crate::lifecycle::settings::{ErrorPolicy, InvalidPattern, Settings};
use crate::panics::catch_async;
use crate::signals::misspelled::warn_of_pattern;
use crate::signals::signal_sink::SignalSink;
use crate::signals::subscription::Subscription;
use skill_core::bounds::{AgentRunsWith, ListedIn};
use skill_core::process::AsyncRequest;
use skill_core::routing::PatternError;
use skill_core::{Action, Agent, ChildSpec, Pattern, Provide, Resources};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Configures a server and starts it with [`start`](Self::start). `R` is the type of the server's resources.
#[must_use = "a server runs when it is started"]
pub struct AgentServerBuilder<G: Agent, R = ()> {
    agent: G,
    resources: Arc<R>,
    settings: Settings<G>,
}

impl<G: Agent> AgentServer<G> {
    /// Returns a builder for a server that will own `agent`.
    pub fn builder(agent: G) -> AgentServerBuilder<G> {
        AgentServerBuilder {
            settings: Settings::new(&agent),
            agent,
            resources: Arc::new(()),
        }
    }
}

impl<G: Agent, R: Resources> AgentServerBuilder<G, R> {
    /// Sets the resources for the async actions. The type must [`Provide`] every resource that they use.
    pub fn resources<W: Resources>(self, resources: W) -> AgentServerBuilder<G, W> {
        AgentServerBuilder {
            agent: self.agent,
            resources: Arc::new(resources),
            settings: self.settings,
        }
    }

    /// Shares one resource with the children. Each child gets a clone of the resource by its type.
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

    /// Sets the clock. The default is [`SystemClock`](crate::clock::SystemClock).
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Asks the [`Approver`](crate::Approver) about each action `A` for which `is_risky` returns `true`. The rule applies to every
    /// caller and every instance of the skill. If there is also a [`guard`](Self::guard), the stricter decision applies.
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
    /// If the agent does not list the skill of `A`, the call does not compile.
    // This method is not in `guard.rs`, because compile errors show the path of the `impl`.
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

    /// Denies each action `A` for which `reason` returns a reason, and allows it if `reason` returns `None`. The rule applies to
    /// every caller and every instance of the skill. If there is also a [`guard`](Self::guard), the stricter decision applies.
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
    ///     .deny_when::<Transfer>(|transfer| (transfer.cents < 0).then(|| "below zero".into()));
    /// # let _ = builder;
    /// ```
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

    /// Sets the sink for signals that leave the agent.
    pub fn signal_sink(mut self, sink: impl SignalSink) -> Self {
        self.settings.signal_sink = Some(Arc::new(sink));
        self
    }

    /// Subscribes to emitted signals before the server starts, and passes the subscription to `receive` at once.
    ///
    /// The subscription receives every matching signal, including those from `on_mount` and those from a store. If the pattern is
    /// invalid, [`start`](Self::start) fails and `receive` is not called.
    ///
    /// ```
    /// # use skill_agent::prelude::*;
    /// # agent! { pub struct Clerk { name: "clerk", skills: [] } }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = AgentServer::builder(Clerk::new())
    ///     .subscribe("clerk.**", |mut signals| {
    ///         tokio::spawn(async move {
    ///             while let Some(signal) = signals.next().await {
    ///                 println!("{}", signal.ty());
    ///             }
    ///         });
    ///     })
    ///     .start()
    ///     .await?;
    /// # server.stop().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn subscribe<P>(mut self, pattern: P, receive: impl FnOnce(Subscription)) -> Self
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        if let Some(pattern) = self.pattern("subscribe", pattern) {
            let capacity = self.settings.subscription;
            receive(self.settings.hub.subscribe(pattern, capacity));
        }
        self
    }

    /// Delivers emitted signals with a matching type to the agent itself.
    ///
    /// If the pattern is invalid, [`start`](Self::start) fails.
    pub fn loopback<P>(mut self, pattern: P) -> Self
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        let pattern = self.pattern("loopback", pattern);
        self.settings.loopback.extend(pattern);
        self
    }

    /// Parses a pattern. If it is invalid, returns `None` and keeps the error for `start`.
    fn pattern<P>(&mut self, method: &'static str, pattern: P) -> Option<Pattern>
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        match pattern.try_into() {
            Ok(pattern) => {
                warn_of_pattern::<G>(pattern.as_str());
                Some(pattern)
            }
            Err(error) => {
                let error = error.into();
                self.settings
                    .invalid_pattern
                    .get_or_insert(InvalidPattern { method, error });
                None
            }
        }
    }

    /// Sets how the server handles errors that no caller waits for.
    pub fn error_policy(mut self, policy: ErrorPolicy) -> Self {
        self.settings.error_policy = policy;
        self
    }

    /// Sets the mailbox capacity in messages, between 1 and [`Semaphore::MAX_PERMITS`]. The default is
    /// [`MAILBOX_CAPACITY`](crate::MAILBOX_CAPACITY).
    pub fn mailbox_capacity(mut self, messages: usize) -> Self {
        let messages = at_least_one("mailbox_capacity", messages);
        self.settings.mailbox = messages.min(Semaphore::MAX_PERMITS);
        self
    }

    /// Sets the capacity of each subscription in signals, at least 1. A full subscription drops its oldest signal. The default is
    /// [`SUBSCRIPTION_CAPACITY`](crate::SUBSCRIPTION_CAPACITY).
    pub fn subscription_capacity(mut self, signals: usize) -> Self {
        self.settings.subscription = at_least_one("subscription_capacity", signals);
        self.settings.hub.set_capacity(self.settings.subscription);
        self
    }

    /// Sets the maximum number of async actions that run at the same time, at least 1. The default is
    /// [`CONCURRENT_ACTIONS`](crate::CONCURRENT_ACTIONS).
    pub fn concurrent_actions(mut self, actions: usize) -> Self {
        self.settings.concurrency = at_least_one("concurrent_actions", actions);
        self
    }

    /// Sets the time limit for each async action. The default is 60 seconds.
    ///
    /// The limit ends an action only at an `.await`. Code that blocks its thread, such as `std::thread::sleep` or a blocking
    /// client, continues after the limit and delays other tasks. Run such code in `tokio::task::spawn_blocking(...).await`.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.settings.time_limit = time;
        self
    }

    /// Sets the grace period: the time for which an async action may continue after its cancellation. After a stop, the follow-ups
    /// and then the signal sink each get the same time. The default is 5 seconds.
    pub fn grace(mut self, time: Duration) -> Self {
        self.settings.grace = time;
        self
    }

    /// Adds a child that is not declared by any skill.
    pub fn child(mut self, spec: ChildSpec) -> Self {
        self.settings.children.push(spec);
        self
    }

    /// Sets how many restarts of children are allowed within a given time.
    pub fn restart_limits(mut self, limits: RestartLimits) -> Self {
        self.settings.restart_limits = limits;
        self
    }

    /// Sets the delays before a child restarts, and before a signal is offered to the sink again.
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.settings.backoff = backoff;
        self
    }

    /// Includes arguments in `tracing` events, and values of stored states in errors. By default, events contain no arguments,
    /// states or outputs, and errors contain no values of states. Secrets never appear in either.
    pub fn trace_payloads(mut self, payloads: bool) -> Self {
        self.settings.trace_payloads = payloads;
        self
    }

    /// Starts the server: restores the stored state, calls each skill's `on_mount`, sends `agent.init` to the agent's own hooks,
    /// starts the children, and executes the pending directives.
    ///
    /// # Errors
    /// Returns an error if the server could not be started. In that case, no task is left running.
    // `start` is not an `async fn`, so that a missing resource causes only one compile error.
    pub fn start(mut self) -> StartFuture<G>
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
        let started = catch_async(Box::pin(launch::start(self.agent, self.settings)));
        StartFuture::new(async {
            let panicked = |message| Err(StartError::Panicked { message });
            started.await.unwrap_or_else(panicked)
        })
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

fn at_least_one(method: &str, capacity: usize) -> usize {
    if capacity == 0 {
        tracing::warn!("`{method}(0)` allows one at a time; for no limit, pass a large number");
    }
    capacity.max(1)
}
