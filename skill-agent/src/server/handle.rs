//! The handle to a server.

use super::error::{SendError, SignalError};
use super::idempotency::IdempotencyKey;
use super::journal::Recovery;
use super::mailbox::ResponseFuture;
use super::mailbox::message::{BoxEnvelope, signal_envelope};
use super::mailbox::responder::Responder;
use super::mailbox::shutdown::StopLevel;
use super::owner::{JsonCommand, Owner, TypedCommand};
use super::shared::Shared;
use super::stats::Stats;
use super::stop_reason::{ServerEnd, StopReason};
use super::stop_report::StopReport;
use super::subscription::Subscription;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_core::bounds::SkillOf;
use skill_core::process;
use skill_core::routing::PatternError;
use skill_core::{Action, Agent, CallError, Caller, Pattern, Signal};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

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

    /// Returns a handle that calls on behalf of another caller, which the guard sees.
    #[must_use]
    pub fn on_behalf_of(&self, caller: impl Into<Caller>) -> Self {
        Self {
            caller: caller.into(),
            ..self.clone()
        }
    }

    /// Runs an action, after waiting for room in the mailbox if it is full. With a store, the changes are on disk when this
    /// returns.
    ///
    /// Dropping the future revokes a pure action that has not begun, and has no effect on one that has. It cancels an async
    /// action together with what that queued.
    ///
    /// # Errors
    /// The action's own error as [`ServeError::Action`](crate::ServeError::Action), or another variant of [`ServeError`](crate::ServeError).
    pub fn call<A>(&self, action: A) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
    {
        self.call_instance::<A, 0>(action)
    }

    pub(super) fn call_instance<A, const AT: usize>(
        &self,
        action: A,
    ) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        let command = self.command(action, None);
        self.exchange(move |owner, responder| owner.call::<A, AT>(command, responder))
    }

    /// Like [`call`](Self::call), at most once for each idempotency key: a second call with the key returns the output of the
    /// first one, and waits for it while the first one runs. With a store that holds across restarts and new builds. The last
    /// 10,000 outputs are kept.
    ///
    /// A key belongs to the action of one instance, and to the caller: a foreign caller
    /// ([`Caller::is_foreign`](skill_core::Caller::is_foreign)) has keys of its own for each principal. It covers the state and the
    /// directives of the agent, not what an async action does in the world; [`Context::idempotency_key`](skill_core::Context::idempotency_key)
    /// passes it on.
    ///
    /// # Errors
    /// As [`call`](Self::call), and [`IdempotencyMismatch`](super::ServeError::IdempotencyMismatch) when the key was used with other
    /// arguments. The output of a call that failed is not kept.
    pub fn call_with_key<A>(
        &self,
        key: impl Into<String>,
        action: A,
    ) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
        A::Output: Serialize + DeserializeOwned,
    {
        self.call_instance_with_key::<A, 0>(key.into(), action)
    }

    pub(super) fn call_instance_with_key<A, const AT: usize>(
        &self,
        given: String,
        action: A,
    ) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
        A::Output: Serialize + DeserializeOwned,
    {
        let state_key = process::instance_key::<G, A::Skill, AT>();
        let key = IdempotencyKey::new(&self.caller, state_key, given, &action);
        let command = self.command(action, Some(Box::new(key)));
        let response =
            self.exchange(move |owner, responder| owner.call::<A, AT>(command, responder));
        response.with_key()
    }

    fn command<A: Action>(
        &self,
        action: A,
        key: Option<Box<IdempotencyKey<A::Output>>>,
    ) -> TypedCommand<A> {
        TypedCommand {
            action,
            caller: self.caller.clone(),
            is_approved: false,
            key,
        }
    }

    /// Runs an action by name on the JSON text of its arguments, and returns JSON text. For the tool calls of a model, use a
    /// handle [`on_behalf_of`](Self::on_behalf_of) the model.
    ///
    /// # Errors
    /// As [`call`](Self::call), with the errors of [`Agent::call_json`].
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let command = JsonCommand {
            action: action.into(),
            arguments: arguments.into(),
            caller: self.caller.clone(),
            is_approved: false,
        };
        self.exchange(move |owner, responder| owner.call_json(command, responder))
    }

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

    /// Sends a signal and waits for the response: the data of the first reply; without a reply the output of the only
    /// instruction, or the outputs of several in the order of the routes; without instructions `null`.
    ///
    /// # Errors
    /// When no skill handles the signal, a hook fails, or an action fails; the agent is unchanged then.
    pub fn request(&self, signal: Signal) -> ResponseFuture<'_, G, Value, SignalError> {
        let caller = self.caller.clone();
        let has_key = signal.source().is_some() && signal.id().is_some();
        let response = self.exchange(move |owner, responder| {
            owner.signal(signal, Some(responder), caller, Default::default());
        });
        if has_key {
            response.with_key()
        } else {
            response
        }
    }

    /// Sends a signal after waiting for room in the mailbox, and does not wait for the response. The error policy applies to a
    /// signal that fails.
    ///
    /// # Errors
    /// [`SendError::Stopped`], and [`SendError::Refused`] for a signal without a type.
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        let envelope = self.signal_envelope(signal)?;
        let sent = self.mailbox.send(envelope).await;
        sent.map_err(|_| SendError::Stopped)
    }

    /// Like [`send`](Self::send), but fails when the mailbox is full.
    ///
    /// # Errors
    /// As [`send`](Self::send), and [`SendError::Full`].
    pub fn try_send(&self, signal: Signal) -> Result<(), SendError> {
        self.mailbox
            .try_send(self.signal_envelope(signal)?)
            .map_err(|error| match error {
                TrySendError::Full(_) => SendError::Full,
                TrySendError::Closed(_) => SendError::Stopped,
            })
    }

    fn signal_envelope(&self, signal: Signal) -> Result<BoxEnvelope<G>, SendError> {
        if signal.ty().is_empty() {
            return Err(SendError::Refused("its type is empty".into()));
        }
        Ok(signal_envelope(signal, self.caller.clone()))
    }

    /// Subscribes to the signals that the agent emits from now on and whose type matches. Signals that the agent receives are
    /// not among them.
    ///
    /// # Errors
    /// When the pattern breaks the grammar.
    pub fn subscribe<P>(&self, pattern: P) -> Result<Subscription, PatternError>
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        let pattern = pattern.try_into().map_err(Into::into)?;
        Ok(self.shared.hub.subscribe(pattern, self.shared.subscription))
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
