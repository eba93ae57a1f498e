//! The handle to all agents.

use crate::deliver::{self, Rules};
use crate::pool::{Entry, Phase, Pool};
use crate::wake::{AgentHandle, Hold};
use serde_json::Value;
use skill_agent_server::__private::{ById, HandlesEnd, Wake};
use skill_agent_server::clock::{Clock, SystemClock};
use skill_agent_server::{
    AgentServer, AnyAgent, SendError, ServeError, SignalError, StopReason, StopReport,
};
use skill_agent_store::StoreError;
use skill_core::{Agent, Signal};
use std::fmt;
use std::marker::PhantomData;
use std::pin::pin;
use std::sync::{Arc, Weak};
use tokio::task::JoinSet;

/// An agent for each id, in one process and one store. An agent is awake while it works, and sleeps while it is idle. Clones are
/// cheap.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_agent::agents::Agents;
/// use skill_agent::prelude::*;
/// use skill_agent::store::Memory;
///
/// /// An account.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "account", actions(Deposit))]
/// pub struct Account {
///     cents: i64,
/// }
///
/// /// Put money into the account.
/// #[action]
/// pub fn deposit(account: &mut Account, cents: i64) -> i64 {
///     account.cents += cents;
///     account.cents
/// }
///
/// agent! {
///     pub struct Bank {
///         name: "bank",
///         skills: [Account],
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bank = Agents::builder(Memory::default(), |id, _| AgentServer::builder(Bank::with_id(id)))
///     .start()
///     .await?;
/// let alice = bank.agent("alice"); // wakes nothing
/// assert_eq!(alice.call(Deposit { cents: 5 }).await?, 5);
/// assert_eq!(bank.agent("bob").call(Deposit { cents: 3 }).await?, 3);
/// bank.stop().await?;
/// # Ok(())
/// # }
/// ```
pub struct Agents<G> {
    hold: Hold,
    rules: Arc<Rules>,
    agent: PhantomData<fn() -> G>,
}

// not derived, because the derive would add a bound on `G`
impl<G> Clone for Agents<G> {
    fn clone(&self) -> Self {
        Self {
            hold: self.hold.clone(),
            rules: Arc::clone(&self.rules),
            agent: PhantomData,
        }
    }
}

impl<G: Agent> Agents<G> {
    pub(crate) fn new(hold: Hold, rules: Arc<Rules>) -> Self {
        Self {
            hold,
            rules,
            agent: PhantomData,
        }
    }

    /// Returns a handle to the agent with an id. It wakes the agent when it is used, and not before.
    ///
    /// The handle has the methods of a server's handle. [`stop`](AgentServer::stop) and [`kill`](AgentServer::kill) end the current
    /// server, and the next call wakes the agent again. A [subscription](AgentServer::subscribe) lasts as long as a handle to the
    /// agent, and keeps the agent awake no longer.
    pub fn agent(&self, id: impl AsRef<str>) -> AgentServer<G> {
        let id = id.as_ref();
        match self.hold.pool() {
            Some(pool) => deliver::handle(&self.hold, &pool, id),
            None => stopped(id),
        }
    }

    /// Sends a signal to the agent that a rule of [`deliver`](crate::AgentsBuilder::deliver) names, like [`AgentServer::send`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::send`], and [`SendError::Refused`] for a signal that names no agent.
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        deliver::send::<G>(&self.hold, &self.rules, signal).await
    }

    /// Sends a signal to the agent that a rule of [`deliver`](crate::AgentsBuilder::deliver) names, and waits for the response, like
    /// [`AgentServer::request`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::request`], and [`SignalError::NoAgent`] for a signal that names no agent.
    pub async fn request(&self, signal: Signal) -> Result<Value, ServeError<SignalError>> {
        deliver::request::<G>(&self.hold, &self.rules, signal).await
    }

    /// Returns at most `limit` ids of agents that are stored or awake, after an id, in the order of their bytes. The first page begins after `""`.
    ///
    /// # Errors
    /// Returns an error if the index cannot be read, or if the agents have stopped.
    pub async fn ids(&self, after: &str, limit: usize) -> Result<Vec<String>, Arc<StoreError>> {
        match self.hold.pool() {
            Some(pool) => pool.index.ids(after, limit).await,
            None => Err(Arc::new(StoreError::failed(
                "",
                "the index",
                "it was closed",
            ))),
        }
    }
}

impl<G> Agents<G> {
    /// Returns the number of agents that are awake.
    pub fn awake(&self) -> usize {
        self.hold.pool().map_or(0, |pool| pool.ids().awake.len())
    }

    /// Waits until nothing is running, queued, under way or due: for tests.
    pub async fn settled(&self) {
        while let Some(pool) = self.hold.pool() {
            let before = pool.activity.changes();
            pool.tidy();
            pool.activity.tasks_ended().await;
            for entry in pool.awake() {
                let server = entry.state().server().cloned();
                if let Some(server) = server {
                    let server = server.handle::<AnyAgent>();
                    // a server that has stopped does nothing
                    let _ = server.when_idle().await;
                }
            }
            let now = pool.clock.now();
            let is_due = pool.due().next().is_some_and(|due| due <= now);
            if pool.activity.changes() == before && !is_due {
                return;
            }
        }
    }

    /// Stops all agents, each within its grace period. Returns how many directives were not done. From here on, calls fail with
    /// [`ServeError::Stopped`].
    ///
    /// # Errors
    /// Returns the first reason of a server that stopped for another reason.
    pub async fn stop(&self) -> Result<StopReport, StopReason> {
        let mut total = StopReport::default();
        let mut failed = None;
        let Some(pool) = self.hold.pool() else {
            return Ok(total);
        };
        pool.stopping.send_replace(true);
        pool.housekeeping.notify_one();
        // agents that are waking are awake after this
        pool.activity.tasks_ended().await;
        let mut stopping = JoinSet::new();
        for entry in pool.awake() {
            stopping.spawn(async move {
                let server = entry.state().server().cloned();
                let stopped = match server {
                    Some(server) => server.handle::<AnyAgent>().stop().await,
                    None => Ok(StopReport::default()),
                };
                asleep(&entry).await;
                stopped
            });
        }
        for stopped in stopping.join_all().await {
            match stopped {
                Ok(report) => {
                    total.pending += report.pending;
                    total.dropped += report.dropped;
                }
                Err(reason) => {
                    failed.get_or_insert(reason);
                }
            }
        }
        pool.index.close().await;
        pool.end_handles();
        failed.map_or(Ok(total), Err)
    }
}

/// Waits until an agent sleeps.
async fn asleep(entry: &Entry) {
    loop {
        let mut changed = pin!(entry.changed.notified());
        changed.as_mut().enable();
        if matches!(entry.state().phase, Phase::Asleep) {
            return;
        }
        changed.await;
    }
}

/// Returns a handle to an agent after the end of all agents.
fn stopped<G: Agent>(id: &str) -> AgentServer<G> {
    let end = HandlesEnd::default();
    let by_id = ById::new::<G>(Arc::new(SystemClock), &end);
    end.end();
    let wake: Arc<dyn Wake> = Arc::new(AgentHandle {
        hold: Hold::Weak(Weak::<Pool>::new()),
        is_urgent: true,
        entry: Arc::new(Entry::new(id, by_id.clone(), Weak::new())),
    });
    by_id.handle(wake)
}

impl<G: Agent> fmt::Debug for Agents<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agents")
            .field("agent", &G::SPEC.name)
            .field("awake", &self.awake())
            .finish_non_exhaustive()
    }
}
