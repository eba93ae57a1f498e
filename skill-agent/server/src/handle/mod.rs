//! The handle to a server.

mod by_id;
mod by_name;
mod caller;
mod erased;
mod instance;
mod lifecycle;
mod rows;
mod signals;
mod state;

pub use by_id::{ById, HandlesEnd};
pub use caller::CallerHandle;
pub use erased::{AnyAgent, BoxFuture, ErasedCallerHandle, ErasedResponseFuture, ErasedServer};
pub use instance::ServerInstance;
pub use rows::RowsClaim;

use super::guard::GuardCheck;
use super::idempotency::{CallKey, IdempotencyKey};
use super::mailbox::any_owner::AnyOwner;
use super::mailbox::responder::Responder;
use super::mailbox::{Mailbox, ResponseFuture};
use super::misused::HasCmd;
use super::owner::{Arguments, Owner, TypedCommand};
use super::preview::{Preview, PreviewError};
use crate::lifecycle::shared::Shared;
use serde::Serialize;
use serde::de::DeserializeOwned;
use skill_core::bounds::SkillOf;
use skill_core::process;
use skill_core::{Action, Agent, Caller, ForeignCaller};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// A handle to a server. Clones are cheap and share the server, which stops when the last handle is dropped.
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
pub struct AgentServer<G> {
    mailbox: Mailbox,
    pub(super) shared: Arc<Shared>,
    pub(super) deadline: Option<Duration>,
    caller: Caller,
    agent: PhantomData<fn() -> G>,
}

// not derived, because the derives would add bounds on `G`
impl<G> Clone for AgentServer<G> {
    fn clone(&self) -> Self {
        Self {
            mailbox: self.mailbox.clone(),
            shared: self.shared.clone(),
            deadline: self.deadline,
            caller: self.caller.clone(),
            agent: PhantomData,
        }
    }
}

impl<G> fmt::Debug for AgentServer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentServer")
            .field("agent", &self.shared.agent.spec.name)
            .field("deadline", &self.deadline)
            .field("caller", &self.caller)
            .field("closed", &self.shared.stop_reason())
            .finish_non_exhaustive()
    }
}

impl<G> AgentServer<G> {
    /// Creates a handle. Not named `new`, because rustc would suggest it to programs that look for [`builder`](Self::builder).
    pub(super) fn of_mailbox(mailbox: Mailbox, shared: Arc<Shared>) -> Self {
        Self {
            mailbox,
            shared,
            deadline: None,
            caller: Caller::Code,
            agent: PhantomData,
        }
    }

    /// Returns a handle whose calls and requests have a deadline: each must complete within `time`.
    ///
    /// If the deadline passes before the call's record is written, the call has no effect. If the record is being written at that
    /// time, the call waits for the write, at most for the server's grace period, and then fails: with
    /// [`Applied::Yes`](super::Applied::Yes) if the record was written, and with [`Applied::Unknown`](super::Applied::Unknown) if
    /// the write has not ended.
    ///
    /// If the clock cannot represent the deadline, as with `Duration::MAX`, the handle has no deadline.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            deadline: Some(time),
            ..self.clone()
        }
    }

    /// Returns a handle for calls on behalf of a model, an MCP client or a document. The guard sees this caller.
    pub fn on_behalf_of(&self, caller: ForeignCaller) -> CallerHandle<G> {
        CallerHandle::new(Self {
            caller: caller.into(),
            ..self.clone()
        })
    }

    /// Sends work to the server task, and returns the response.
    fn exchange<T, E>(
        &self,
        work: impl FnOnce(&mut dyn AnyOwner, Responder<T, E>) + Send + 'static,
    ) -> ResponseFuture<'_, G, T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        ResponseFuture::new(&self.mailbox, &self.shared, self.deadline, work)
    }
}

impl<G: Agent> AgentServer<G> {
    /// Runs an action. If the mailbox is full, waits for room first. With a store, the changes are on disk when the call returns.
    ///
    /// If the future is dropped, a pure action that has not started is revoked, and one that has started completes. An async
    /// action is cancelled, together with everything that it queued.
    ///
    /// # Errors
    /// Returns [`ServeError::Action`](crate::ServeError::Action) with the action's own error. See
    /// [`ServeError`](crate::ServeError) for the other variants.
    pub fn call<A>(&self, action: A) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
    {
        self.call_instance::<A, 0>(action)
    }

    #[doc(hidden)]
    pub fn cmd(&self, action: impl Sized) -> <Self as HasCmd>::Output
    where
        Self: HasCmd,
    {
        drop(action);
        self.output()
    }

    pub(super) fn call_instance<A, const AT: usize>(
        &self,
        action: A,
    ) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        let command = self.command::<A, AT>(action, None);
        self.exchange_typed(move |owner, responder| owner.submit(command, responder))
    }

    /// Like [`call`](Self::call), but runs at most once for each idempotency key. A second call with the same key returns the
    /// first call's output, and waits as long as the first call is running. With a store, this holds across restarts and new
    /// builds.
    ///
    /// Give each command its own key, such as the id of an order. Never use the id of a user.
    ///
    /// Each key is kept for at least 24 hours, and the newest 100,000 keys are kept longer. The newest 16 MiB of outputs are
    /// kept, and a key may have at most [`MAX_KEY_BYTES`](super::MAX_KEY_BYTES) bytes.
    ///
    /// A key belongs to an action of one instance and to the caller. A foreign caller
    /// ([`Caller::is_foreign`](skill_core::Caller::is_foreign)) has separate keys for each principal. The key covers the agent's
    /// state and directives, but not an async action's external effects. To pass the key on to other systems, use
    /// [`Context::idempotency_key`](skill_core::Context::idempotency_key).
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call). Also returns
    /// [`IdempotencyMismatch`](super::ServeError::IdempotencyMismatch) if the key was used with different arguments,
    /// [`AnswerGone`](super::ServeError::AnswerGone) if the output is no longer kept, and [`Limit`](super::ServeError::Limit) if
    /// the key is too long or if [`MAX_KEYS`](super::MAX_KEYS) keys were used within 24 hours. The output of a failed call is not
    /// kept.
    pub fn call_with_key<A>(
        &self,
        key: impl CallKey,
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
        let command = self.command::<A, AT>(action, Some(Box::new(key)));
        let response =
            self.exchange_typed(move |owner, responder| owner.submit(command, responder));
        response.with_key()
    }

    fn command<A: Action, const AT: usize>(
        &self,
        action: A,
        key: Option<Box<IdempotencyKey<A::Output>>>,
    ) -> TypedCommand<A, AT> {
        TypedCommand {
            action,
            caller: self.caller.clone(),
            check: GuardCheck::Full,
            key,
        }
    }

    /// Returns the output and the effects that a pure action would have on the current state. Nothing is changed or recorded, and
    /// the guard is not asked.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use serde_json::json;
    /// # use skill_agent::prelude::*;
    /// # /// Counts.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "counter", actions(Increment))]
    /// # pub struct Counter { count: u32 }
    /// # /// Add to the counter.
    /// # #[action]
    /// # pub fn increment(counter: &mut Counter, by: u32) -> u32 { counter.count += by; counter.count }
    /// # agent! { pub struct Clerk { name: "clerk", skills: [Counter] } }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = AgentServer::builder(Clerk::new()).start().await?;
    /// let preview = server.preview(Increment { by: 2 }).await?;
    /// assert_eq!(preview.output, json!(2));
    /// let patch = json!([{ "op": "replace", "path": "/count", "value": 2 }]);
    /// assert_eq!(preview.changes["counter"], patch);
    /// assert_eq!(server.agent().await?.state().counter.count, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`PreviewError`] if the action is async or would fail, or if JSON cannot represent the state.
    pub fn preview<A>(&self, action: A) -> ResponseFuture<'_, G, Preview, PreviewError>
    where
        A: Action + Send,
        A::Skill: SkillOf<G>,
    {
        let name = process::spec_of::<G, A, 0>().name.to_owned();
        let arguments = Arguments::of(action);
        self.exchange_typed(move |owner, responder| owner.preview(name, arguments, responder))
    }

    /// Like [`exchange`](Self::exchange), for work that needs the agent's type.
    fn exchange_typed<T, E>(
        &self,
        work: impl FnOnce(&mut Owner<G>, Responder<T, E>) + Send + 'static,
    ) -> ResponseFuture<'_, G, T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        self.exchange(move |owner, responder| work(Owner::of(owner), responder))
    }
}
