//! Signals from one agent to another.

use crate::pool::Pool;
use crate::wake::{AgentHandle, Hold};
use serde_json::Value;
use skill_agent_server::__private::{GivenUp, Wake, catch};
use skill_agent_server::children::Backoff;
use skill_agent_server::clock::Clock;
use skill_agent_server::{
    AgentServer, Applied, OutboundSignal, PublishFuture, SendError, ServeError, SignalError,
    SignalSink,
};
use skill_core::process::full_text;
use skill_core::{Agent, HookError, Pattern, Signal};
use std::marker::PhantomData;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The time limit for a signal from an agent to itself.
const OWN_LIMIT: Duration = Duration::from_secs(30);

/// The rules of delivery.
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    pub(crate) backoff: Backoff,
    /// How often a signal is offered to an agent.
    pub(crate) attempts: u32,
    pub(crate) undelivered: Option<Undelivered>,
}

/// Names the agent for the signals of a pattern.
pub(crate) struct Rule {
    pub(crate) pattern: Pattern,
    pub(crate) name: NameAgent,
}

/// Returns the id of the agent for a signal.
pub(crate) type NameAgent = Box<dyn Fn(&Signal) -> Option<String> + Send + Sync>;

/// Takes signals that no agent took.
pub(crate) type Undelivered = Box<dyn Fn(&Signal, &ServeError<SignalError>) + Send + Sync>;

impl Rules {
    /// Returns the agent for a signal. Returns `None` if no rule is for its type.
    pub(crate) fn receiver(&self, signal: &Signal) -> Option<Result<String, SignalError>> {
        let rule = self
            .rules
            .iter()
            .find(|rule| rule.pattern.matches(signal.ty()))?;
        let named = catch(|| (rule.name)(signal)).unwrap_or_else(|message| {
            tracing::error!(ty = signal.ty(), %message, "the function of `deliver` panicked");
            None
        });
        Some(named.ok_or_else(|| SignalError::no_agent(signal.ty())))
    }

    /// Returns the agent for a signal of the program.
    pub(crate) fn named(&self, signal: &Signal) -> Result<String, SignalError> {
        match self.receiver(signal) {
            Some(named) => named,
            None => Err(SignalError::no_agent(signal.ty())),
        }
    }
}

/// The signal sink of an agent, which delivers to other agents.
pub(crate) struct DeliverSink<G> {
    pub(crate) pool: Weak<Pool>,
    pub(crate) rules: Arc<Rules>,
    /// The id of the agent.
    pub(crate) own_id: Arc<str>,
    /// The sink of the agent's builder, for all other signals.
    pub(crate) own: Option<Arc<dyn SignalSink>>,
    pub(crate) agent: PhantomData<fn() -> G>,
}

impl<G: Agent> SignalSink for DeliverSink<G> {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        Box::pin(async move {
            let receiver = match &outbound {
                OutboundSignal::Emitted(signal) => self
                    .rules
                    .receiver(signal)
                    .map(|receiver| (Arc::clone(signal), receiver)),
                _ => None,
            };
            match (receiver, &self.own) {
                (Some((signal, Ok(id))), _) => self.deliver(id, &signal).await,
                (Some((signal, Err(error))), _) => {
                    self.give_up(&signal, &ServeError::Action(error))
                }
                (None, Some(own)) => own.publish(outbound).await,
                (None, None) => Ok(()),
            }
        })
    }

    fn lane(&self, outbound: &OutboundSignal) -> Option<String> {
        let receiver = match outbound {
            OutboundSignal::Emitted(signal) => self.rules.receiver(signal),
            _ => None,
        };
        match (receiver, &self.own) {
            (Some(receiver), _) => Some(receiver.unwrap_or_default()),
            // no id begins with a blank
            (None, Some(own)) => Some(format!(" {}", own.lane(outbound).unwrap_or_default())),
            (None, None) => None,
        }
    }
}

impl<G: Agent> DeliverSink<G> {
    /// Offers a signal to an agent. It keeps the signal's id, so a signal that is offered twice has one effect.
    async fn deliver(&self, id: String, signal: &Signal) -> Result<(), HookError> {
        let mut attempt = 1;
        loop {
            let Some(pool) = self.pool.upgrade() else {
                return Err(SendError::stopped().into());
            };
            let clock = pool.clock.clone();
            let agent = handle::<G>(&Hold::Weak(Weak::clone(&self.pool)), &pool, &id);
            drop(pool);
            let delivered = if *id == *self.own_id {
                request_of_own_task(agent, signal.clone()).await
            } else {
                agent.request(signal.clone()).await
            };
            let Err(error) = delivered else { return Ok(()) };
            match error {
                // the next start delivers it
                ServeError::Stopped { .. } if self.is_over() => return Err(error.into()),
                error if attempt >= self.rules.attempts => return self.give_up(signal, &error),
                error => {
                    tracing::warn!(to = id, ty = signal.ty(), %error, attempt, "an agent did not take a signal");
                }
            }
            attempt += 1;
            clock.sleep(self.rules.backoff.wait(attempt)).await;
        }
    }

    /// Returns whether the agents stop or have stopped.
    fn is_over(&self) -> bool {
        self.pool.upgrade().is_none_or(|pool| pool.is_stopping())
    }

    /// Passes a signal on that no agent takes.
    fn give_up(&self, signal: &Signal, error: &ServeError<SignalError>) -> Result<(), HookError> {
        match &self.rules.undelivered {
            Some(undelivered) => {
                if let Err(message) = catch(|| undelivered(signal, error)) {
                    tracing::error!(ty = signal.ty(), %message, "the function of `undelivered` panicked");
                }
                Ok(())
            }
            None => Err(GivenUp(full_text(error)).into()),
        }
    }
}

/// Sends a signal to the agent that emitted it. A sink must not wait for its own server, which may wait for the sink, so another task
/// waits, and not without a limit.
async fn request_of_own_task<G: Agent>(
    agent: AgentServer<G>,
    signal: Signal,
) -> Result<Value, ServeError<SignalError>> {
    let agent = agent.within(OWN_LIMIT);
    let task = tokio::spawn(async move { agent.request(signal).await });
    let stopped = |_| Err(ServeError::stopped(Applied::Unknown));
    task.await.unwrap_or_else(stopped)
}

/// Returns a handle to an agent.
pub(crate) fn handle<G: Agent>(hold: &Hold, pool: &Arc<Pool>, id: &str) -> AgentServer<G> {
    let entry = pool.entry(id);
    let by_id = entry.by_id.clone();
    let wake: Arc<dyn Wake> = Arc::new(AgentHandle {
        hold: hold.clone(),
        // the caller keeps its own place meanwhile
        is_urgent: matches!(hold, Hold::Weak(_)),
        entry,
    });
    by_id.handle(wake)
}

/// Sends a signal of the program to the agent that it names.
pub(crate) async fn send<G: Agent>(
    hold: &Hold,
    rules: &Rules,
    signal: Signal,
) -> Result<(), SendError> {
    let pool = hold.pool().ok_or_else(SendError::stopped)?;
    let id = rules.named(&signal);
    let id = id.map_err(|error| SendError::Refused(error.to_string().into()))?;
    handle::<G>(hold, &pool, &id).send(signal).await
}

/// Like [`send`], but waits for the response.
pub(crate) async fn request<G: Agent>(
    hold: &Hold,
    rules: &Rules,
    signal: Signal,
) -> Result<Value, ServeError<SignalError>> {
    let stopped = || ServeError::stopped(Applied::No);
    let pool = hold.pool().ok_or_else(stopped)?;
    let id = rules.named(&signal).map_err(ServeError::Action)?;
    handle::<G>(hold, &pool, &id).request(signal).await
}
