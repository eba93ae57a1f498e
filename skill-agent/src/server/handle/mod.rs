//! The handle to a server.

mod caller;
mod calls;
mod instance;
mod signals;
mod state;

pub use caller::CallerHandle;
pub use instance::ServerInstance;

use super::journal::Recovery;
use super::mailbox::ResponseFuture;
use super::mailbox::message::BoxEnvelope;
use super::mailbox::responder::Responder;
use super::mailbox::shutdown::StopLevel;
use super::owner::Owner;
use super::shared::Shared;
use super::stats::Stats;
use super::stop_reason::{ServerEnd, StopReason};
use super::stop_report::StopReport;
use skill_core::{Agent, Caller, ForeignCaller};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A handle to a server. Clones are cheap and belong to the same server, which stops when the last of them is dropped.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use skill_agent::prelude::*;
///
/// /// Counts.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "counter", actions(Increment))]
/// pub struct Counter {
///     count: u32,
/// }
///
/// /// Add to the counter.
/// #[action(on("counter.increment"))]
/// pub fn increment(counter: &mut Counter, by: u32) -> u32 {
///     counter.count += by;
///     counter.count
/// }
///
/// agent! {
///     pub struct Clerk {
///         name: "clerk",
///         skills: [Counter],
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Clerk::new()).start().await?;
/// assert_eq!(server.call(Increment { by: 2 }).await?, 2);
/// let answer = server.request(Signal::new("counter.increment", json!({ "by": 3 }))).await?;
/// assert_eq!(answer, json!(5));
/// server.stop().await?;
/// # Ok(())
/// # }
/// ```
pub struct AgentServer<G: Agent> {
    mailbox: mpsc::Sender<BoxEnvelope<G>>,
    pub(super) shared: Arc<Shared>,
    pub(super) deadline: Option<Duration>,
    caller: Caller,
}

impl<G: Agent> Clone for AgentServer<G> {
    fn clone(&self) -> Self {
        Self {
            mailbox: self.mailbox.clone(),
            shared: self.shared.clone(),
            deadline: self.deadline,
            caller: self.caller.clone(),
        }
    }
}

impl<G: Agent> fmt::Debug for AgentServer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentServer")
            .field("agent", &G::SPEC.name)
            .field("deadline", &self.deadline)
            .field("caller", &self.caller)
            .field("closed", &self.shared.stop_reason())
            .finish_non_exhaustive()
    }
}

impl<G: Agent> AgentServer<G> {
    pub(super) fn new(mailbox: mpsc::Sender<BoxEnvelope<G>>, shared: Arc<Shared>) -> Self {
        Self {
            mailbox,
            shared,
            deadline: None,
            caller: Caller::Code,
        }
    }

    /// Returns a handle whose calls and requests have a deadline, counted from the moment each of them is made.
    ///
    /// A call whose deadline passes before its record is written has no effect. One whose record is being written is awaited for
    /// the grace time of the server, and then fails with [`Applied::Unknown`](super::Applied::Unknown).
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            deadline: Some(time),
            ..self.clone()
        }
    }

    /// Returns a handle that calls on behalf of a model, an MCP client or a document, which the guard sees.
    pub fn on_behalf_of(&self, caller: ForeignCaller) -> CallerHandle<G> {
        CallerHandle::new(Self {
            caller: caller.into(),
            ..self.clone()
        })
    }

    /// Sends work to the task, and returns its response.
    pub(super) fn exchange<T, E>(
        &self,
        work: impl FnOnce(&mut Owner<G>, Responder<T, E>) + Send + 'static,
    ) -> ResponseFuture<'_, G, T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let deadline = self.deadline.map(|time| (time, self.shared.grace));
        ResponseFuture::new(&self.mailbox, &*self.shared.clock.0, deadline, work)
    }

    /// Returns the figures of the server at this moment.
    pub fn stats(&self) -> Stats {
        let waiting = self.mailbox.max_capacity() - self.mailbox.capacity();
        self.shared.counters.read(waiting)
    }

    /// Returns what was found in the store at the start.
    pub fn recovery(&self) -> &Recovery {
        &self.shared.recovery
    }

    /// Stops the server: it accepts no more messages, responds to those in the mailbox, runs the follow-ups of commands for at most
    /// the grace time, cancels async actions, stops the children in reverse order, each within its own time, and writes a last
    /// snapshot. Returns how many directives were left undone.
    ///
    /// # Errors
    /// The reason, when the server stopped for another reason than this call.
    pub async fn stop(&self) -> Result<StopReport, StopReason> {
        self.shared.stop_flag.raise(StopLevel::Stop);
        let ServerEnd { reason, report } = self.shared.ended().await;
        match reason {
            StopReason::Stopped => Ok(report),
            reason => Err(reason),
        }
    }

    /// Stops the server at once: waiting messages get no response, running actions are dropped, and nothing more is stored.
    /// Acknowledged commands are stored already.
    pub fn kill(&self) {
        self.shared.stop_flag.raise(StopLevel::Kill);
    }

    /// Waits until the server has stopped and released its store, and returns the reason.
    pub async fn closed(&self) -> StopReason {
        self.shared.ended().await.reason
    }
}
