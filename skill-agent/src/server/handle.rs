//! The handle to a served agent.

use super::ask::Asked;
use super::letter::Message;
use super::orders::Order;
use super::owner::{Command, Key, Named, Owner};
use super::{
    AgentServerBuilder, Caller, Recovery, ServeError, Shared, SignalError, Stats, StopReason,
    Subscription, panics, signal_letter,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_core::{
    Action, Agent, CallError, MountError, Pattern, PatternError, Signal, SkillOf, StateError,
};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// A handle to a served agent. Clones are cheap and mean the same server, which stops when the last of them is dropped.
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
    pub(super) mailbox: mpsc::Sender<Message<G>>,
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
            caller: self.caller,
        }
    }
}

impl<G: Agent> fmt::Debug for AgentServer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentServer")
            .field("agent", &G::SPEC.name)
            .field("deadline", &self.deadline)
            .field("caller", &self.caller)
            .field("closed", &*self.shared.closed.borrow())
            .finish_non_exhaustive()
    }
}

impl<G: Agent> AgentServer<G> {
    /// Begins a server of an agent.
    pub fn builder(agent: G) -> AgentServerBuilder<G> {
        AgentServerBuilder::new(agent)
    }

    pub(super) fn new(mailbox: mpsc::Sender<Message<G>>, shared: Arc<Shared>) -> Self {
        Self {
            mailbox,
            shared,
            deadline: None,
            caller: Caller::Code,
        }
    }

    /// A handle whose calls and requests have so much time each, from the moment they are made.
    ///
    /// One whose time is up before it was recorded has no effect: `Deadline { applied: false }`.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            deadline: Some(time),
            ..self.clone()
        }
    }

    /// A handle that asks in the name of somebody else; the guard sees who.
    #[must_use]
    pub fn on_behalf_of(&self, caller: Caller) -> Self {
        Self {
            caller,
            ..self.clone()
        }
    }

    /// Runs an action, waiting for room in the mailbox. With a store, what it changed is on disk when it answers.
    ///
    /// Dropping the future takes back a pure action that has not begun, and has no effect after; it cancels an async one
    /// together with what that queued.
    ///
    /// # Errors
    /// The action's own as [`ServeError::Action`], and everything else that can keep a server from answering.
    pub async fn call<A>(&self, action: A) -> Result<A::Output, ServeError<A::Error>>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
    {
        self.call_at::<A, 0>(action).await
    }

    /// The same for an instance of the skill; `AT` is the one of its typed access.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_at<A, const AT: usize>(
        &self,
        action: A,
    ) -> Result<A::Output, ServeError<A::Error>>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        let command = self.command(action, None);
        self.exchange(move |owner, asked| owner.call::<A, AT>(command, asked))
            .await
    }

    /// The same, at most once for each key: a second call with the key is given the answer of the first, also after a restart
    /// of a server with a store. The last 10,000 answers are kept.
    ///
    /// # Errors
    /// As [`call`](Self::call); nothing is kept then.
    pub async fn call_with_key<A>(
        &self,
        key: impl Into<String>,
        action: A,
    ) -> Result<A::Output, ServeError<A::Error>>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
        A::Output: Serialize + DeserializeOwned,
    {
        let key = Key {
            // apart from the keys of signals
            key: format!("call\n{}\n{}", A::SPEC.type_path, key.into()),
            write: |output| crate::store::encode(output).map_err(|error| error.to_string()),
            read: |bytes| crate::store::decode(bytes).map_err(|error| error.to_string()),
        };
        let command = self.command(action, Some(Box::new(key)));
        self.exchange(move |owner, asked| owner.call::<A, 0>(command, asked))
            .await
    }

    fn command<A: Action>(&self, action: A, key: Option<Box<Key<A::Output>>>) -> Command<A> {
        Command {
            action,
            caller: self.caller,
            is_approved: false,
            key,
        }
    }

    /// Runs an action by name on the JSON text of its arguments; the answer is JSON text. For the tool calls of a model take
    /// a handle [`on_behalf_of`](Self::on_behalf_of) it.
    ///
    /// # Errors
    /// As [`call`](Self::call), with the errors of [`Agent::call`].
    pub async fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Result<String, ServeError<CallError>> {
        let named = Named {
            action: action.into(),
            arguments: arguments.into(),
            caller: self.caller,
            is_approved: false,
        };
        self.exchange(move |owner, asked| owner.call_named(named, asked))
            .await
    }

    /// Sends a signal and waits for the answer: the data of the first reply, else the output of the only instruction, else
    /// all outputs in the order of the routes, else `null`.
    ///
    /// # Errors
    /// When nobody handles it, a hook refuses it, or an action fails; the agent is as it was.
    pub async fn request(&self, signal: Signal) -> Result<Value, ServeError<SignalError>> {
        let caller = self.caller;
        self.exchange(move |owner, asked| {
            owner.signal(signal, Some(asked), caller, Default::default());
        })
        .await
    }

    /// Sends a signal, waiting for room in the mailbox and for nothing else. What becomes of it is told by the error policy.
    ///
    /// # Errors
    /// When the server has stopped.
    pub async fn send(&self, signal: Signal) -> Result<(), ServeError<SignalError>> {
        let sent = self.mailbox.send(signal_letter(signal, self.caller)).await;
        sent.map_err(|_| ServeError::Stopped)
    }

    /// Sends a signal if there is room in the mailbox.
    ///
    /// # Errors
    /// When there is none, or the server has stopped.
    pub fn try_send(&self, signal: Signal) -> Result<(), ServeError<SignalError>> {
        self.mailbox
            .try_send(signal_letter(signal, self.caller))
            .map_err(|error| match error {
                TrySendError::Full(_) => ServeError::Full,
                TrySendError::Closed(_) => ServeError::Stopped,
            })
    }

    /// Listens to what the agent emits, from now on, as far as the type matches. It does not hear what the agent receives.
    ///
    /// # Errors
    /// When the pattern breaks its grammar.
    pub fn subscribe(&self, pattern: &str) -> Result<Subscription, PatternError> {
        let pattern = Pattern::parse(pattern)?;
        Ok(self.shared.hub.subscribe(pattern, self.shared.subscription))
    }

    /// A copy of the agent as it is when its turn comes.
    ///
    /// # Errors
    /// When the server has stopped, or time runs out.
    pub async fn agent(&self) -> Result<G, ServeError<std::convert::Infallible>> {
        self.exchange(|owner: &mut Owner<G>, asked: Asked<G, _>| {
            // a copy is the user's code
            match panics::catch(|| owner.agent.clone()) {
                Err(message) => asked.tell(Err(ServeError::Panicked { message })),
                Ok(agent) => owner.answer_in_turn(move |owner, kept| {
                    // what it saw has been undone
                    let agent = kept.map_or_else(|_| owner.agent.clone(), |()| agent);
                    asked.tell(Ok(agent));
                }),
            }
        })
        .await
    }

    /// Lays a partial state over the present one, as [`Agent::set`] does.
    ///
    /// # Errors
    /// Every problem with its path; nothing has changed.
    pub async fn set(&self, patch: Value) -> Result<(), ServeError<StateError>> {
        self.exchange(move |owner, asked| owner.set(&patch, asked))
            .await
    }

    /// Mounts a skill of the agent's `mounted: [...]`, with options, or a registered document; nothing happens when it is mounted.
    ///
    /// # Errors
    /// Those of [`Mounted::mount`](skill_core::Mounted::mount), and a name that is not in the list.
    pub async fn mount(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> Result<(), ServeError<MountError>> {
        let skill = skill.into();
        self.exchange(move |owner, asked| owner.mount_named(&skill, Some(&options), asked))
            .await
    }

    /// Unmounts a skill and drops its state; nothing happens when it is not mounted.
    ///
    /// # Errors
    /// When another mounted skill requires it.
    pub async fn unmount(&self, skill: impl Into<String>) -> Result<(), ServeError<MountError>> {
        let skill = skill.into();
        self.exchange(move |owner, asked| owner.mount_named(&skill, None, asked))
            .await
    }

    /// What the server has done so far.
    pub fn stats(&self) -> Stats {
        let waiting = self.mailbox.max_capacity() - self.mailbox.capacity();
        self.shared.counters.read(waiting)
    }

    /// What was found in the store at the start.
    pub fn recovery(&self) -> &Recovery {
        &self.shared.recovery
    }

    /// Stops: no message is taken any more, those in the mailbox are answered, async actions are cancelled, the children stop in
    /// reverse order, each in its time, and what is to be kept is stored.
    ///
    /// # Errors
    /// Why the server stopped, when it was not this that stopped it.
    pub async fn stop(&self) -> Result<(), StopReason> {
        self.shared.orders.give(Order::Stop);
        match self.closed().await {
            StopReason::Stopped => Ok(()),
            reason => Err(reason),
        }
    }

    /// Stops without ado: what waits is not answered, what runs is dropped, nothing more is stored. What was acknowledged is.
    pub fn kill(&self) {
        self.shared.orders.give(Order::Kill);
    }

    /// Waits until the server is no more, and says why. Its store is free then.
    pub async fn closed(&self) -> StopReason {
        let mut closed = self.shared.closed.clone();
        match closed.wait_for(Option::is_some).await {
            Ok(reason) => reason.clone().unwrap_or(StopReason::Lost),
            Err(_) => StopReason::Lost,
        }
    }
}
