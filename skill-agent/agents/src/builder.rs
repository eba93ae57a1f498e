//! The builder of agents.

use crate::agents::Agents;
use crate::deliver::{DeliverSink, Rule, Rules};
use crate::due::Due;
use crate::housekeeper;
use crate::index::{Index, Listed};
use crate::into_server::{IntoServer, Starting, Wiring};
use crate::places::Places;
use crate::pool::{Activity, Ids, Pool};
use crate::wake::Hold;
use skill_agent_server::__private::{ById, CaughtClock, HandlesEnd};
use skill_agent_server::children::Backoff;
use skill_agent_server::clock::{Clock, SystemClock};
use skill_agent_server::{ServeError, SignalError, SignalSink, StartError};
use skill_agent_store::Store;
use skill_core::routing::PatternError;
use skill_core::{Agent, Pattern, Signal};
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore, watch};

/// The default number of places for agents that are awake.
pub const MOST_AWAKE: usize = 1_000;

/// The default time after which an idle agent sleeps.
pub const IDLE_AFTER: Duration = Duration::from_secs(5 * 60);

/// The default time for which a call waits for a place.
pub const WITHIN: Duration = Duration::from_secs(30);

/// The default number of attempts to deliver a signal to an agent.
pub const ATTEMPTS: u32 = 5;

type Make<G> = Box<dyn Fn(Agents<G>, Wiring<'_>) -> Result<Starting, StartError> + Send + Sync>;

/// Configures agents, and starts them with [`start`](Self::start). Created by [`Agents::builder`].
#[must_use = "agents run when they are started"]
pub struct AgentsBuilder<G: Agent> {
    store: Arc<dyn Store>,
    make: Make<G>,
    clock: Arc<dyn Clock>,
    idle_after: Duration,
    within: Duration,
    most_awake: usize,
    rules: Rules,
    invalid: Option<PatternError>,
}

impl<G: Agent> Agents<G> {
    /// Returns a builder. `make` is called with the id of an agent that wakes, and returns the builder of its server, or an error,
    /// which the call gets as [`ServeError::NotStarted`].
    ///
    /// Each server gets the store and the clock of the agents. The second argument of `make` is for the resources of the server: its
    /// calls wake other agents. It does not keep the agents running.
    pub fn builder<B, F>(store: impl Store, make: F) -> AgentsBuilder<G>
    where
        F: Fn(&str, Self) -> B + Send + Sync + 'static,
        B: IntoServer<Agent = G>,
    {
        AgentsBuilder {
            store: Arc::new(store),
            make: Box::new(move |agents, wiring| make(wiring.id, agents).into_server(wiring)),
            clock: Arc::new(SystemClock),
            idle_after: IDLE_AFTER,
            within: WITHIN,
            most_awake: MOST_AWAKE,
            rules: Rules {
                rules: Vec::new(),
                backoff: Backoff::default(),
                attempts: ATTEMPTS,
                undelivered: None,
            },
            invalid: None,
        }
    }
}

impl<G: Agent> AgentsBuilder<G> {
    /// Sets the clock of all agents. The default is [`SystemClock`].
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the time after which an idle agent sleeps. The default is [`IDLE_AFTER`].
    pub fn idle_after(mut self, time: Duration) -> Self {
        self.idle_after = time;
        self
    }

    /// Sets the number of places for agents that are awake, at least 1. The default is [`MOST_AWAKE`].
    ///
    /// If all places are taken, the agent that has been idle for the longest time sleeps. A call from an agent to another one gets
    /// a place beyond this number, because otherwise two agents that call each other would wait for ever.
    pub fn most_awake(mut self, agents: usize) -> Self {
        self.most_awake = agents;
        self
    }

    /// Sets how long a call waits for a place. The default is [`WITHIN`].
    pub fn within(mut self, time: Duration) -> Self {
        self.within = time;
        self
    }

    /// Delivers the signals of a type that an agent emits to the agent with the id that `name` returns. If several patterns match,
    /// the first one counts.
    ///
    /// A signal is delivered once, even after a crash, because the receiver keeps its id for 24 hours. The signals from one agent
    /// to another arrive in order. An agent that does not take a signal holds up no other agent.
    ///
    /// If the pattern is invalid, [`start`](Self::start) fails.
    pub fn deliver<P>(
        mut self,
        pattern: P,
        name: impl Fn(&Signal) -> Option<String> + Send + Sync + 'static,
    ) -> Self
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        match pattern.try_into() {
            Ok(pattern) => self.rules.rules.push(Rule {
                pattern,
                name: Box::new(name),
            }),
            Err(error) => {
                self.invalid.get_or_insert(error.into());
            }
        }
        self
    }

    /// Sets how often a signal is offered to an agent that does not take it, at least once, and the delays between the attempts.
    /// The defaults are [`ATTEMPTS`] and `Backoff::default()`.
    pub fn backoff(mut self, attempts: u32, delays: Backoff) -> Self {
        self.rules.attempts = attempts;
        self.rules.backoff = delays;
        self
    }

    /// Passes a signal that no agent took to `take`. By default, the error policy of the sender applies.
    pub fn undelivered(
        mut self,
        take: impl Fn(&Signal, &ServeError<SignalError>) + Send + Sync + 'static,
    ) -> Self {
        self.rules.undelivered = Some(Box::new(take));
        self
    }

    /// Starts: reads the index of all agents, and wakes those that have something to do. No other agent is read.
    ///
    /// # Errors
    /// Returns [`StartError::Store`] if the index cannot be read, for example because other `Agents` use it, and
    /// [`StartError::Pattern`] for an invalid pattern.
    pub async fn start(self) -> Result<Agents<G>, StartError> {
        if let Some(error) = self.invalid {
            return Err(StartError::invalid_pattern("deliver", error));
        }
        let runtime = Handle::try_current().map_err(|_| StartError::NoRuntime)?;
        let clock = CaughtClock(self.clock);
        if !clock.can_sleep() {
            return Err(StartError::NoTimer);
        }
        let id = format!(" {}", G::SPEC.name);
        let mut due = Due::default();
        let read = |id, listed| match listed {
            Listed::Awake => due.set(&id, Some(SystemTime::UNIX_EPOCH)),
            Listed::Asleep(time) => due.set(&id, time),
        };
        let index = Index::open(&*self.store, &id, read).await;
        let index = index.map_err(|source| StartError::store(&id, source))?;
        let rules = Arc::new(self.rules);
        let (make, store, wired) = (self.make, self.store, Arc::clone(&rules));
        let pool = Arc::new(Pool {
            name: G::SPEC.name,
            make: Box::new(move |pool, entry| {
                let agents = Agents::new(Hold::Weak(Arc::downgrade(pool)), Arc::clone(&wired));
                let wiring = Wiring {
                    id: &entry.id,
                    by_id: &entry.by_id,
                    store: Arc::clone(&store),
                    clock: pool.clock.clone(),
                    sink: Box::new(|own| sink::<G>(pool, &wired, &entry.id, own)),
                };
                make(agents, wiring)
            }),
            facts: |clock, end| ById::new::<G>(Arc::clone(&clock.0), end),
            clock,
            idle_after: self.idle_after,
            within: self.within,
            places: Places::new(self.most_awake),
            due_wakes: Arc::new(Semaphore::new((self.most_awake / 2).clamp(1, 256))),
            index,
            ids: Mutex::new(Ids::default()),
            due: Mutex::new(due),
            activity: Arc::new(Activity::new()),
            housekeeping: Arc::new(Notify::new()),
            stopping: watch::Sender::new(false),
            end: HandlesEnd::default(),
            runtime,
        });
        tokio::spawn(housekeeper::run(Arc::downgrade(&pool)));
        Ok(Agents::new(Hold::Strong(pool), rules))
    }
}

/// Returns the sink of an agent: its own one, if there is no rule of delivery.
fn sink<G: Agent>(
    pool: &Arc<Pool>,
    rules: &Arc<Rules>,
    id: &Arc<str>,
    own: Option<Arc<dyn SignalSink>>,
) -> Option<Arc<dyn SignalSink>> {
    if rules.rules.is_empty() {
        return own;
    }
    Some(Arc::new(DeliverSink::<G> {
        pool: Arc::downgrade(pool),
        rules: Arc::clone(rules),
        own_id: Arc::clone(id),
        own,
        agent: PhantomData,
    }))
}

impl<G: Agent> fmt::Debug for AgentsBuilder<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentsBuilder")
            .field("agent", &G::SPEC.name)
            .finish_non_exhaustive()
    }
}
