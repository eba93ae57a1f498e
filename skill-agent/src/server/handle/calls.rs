//! Calls, typed and by name, their previews, and decisions on them.

use super::AgentServer;
use crate::server::guard::{ApprovalRequest, GuardCheck, Verdict};
use crate::server::idempotency::IdempotencyKey;
use crate::server::mailbox::ResponseFuture;
use crate::server::owner::{Arguments, JsonCommand, TypedCommand};
use crate::server::preview::{Preview, PreviewError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skill_core::bounds::SkillOf;
use skill_core::process;
use skill_core::{Action, Agent, CallError};

impl<G: Agent> AgentServer<G> {
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
        let command = self.command::<A, AT>(action, None);
        self.exchange(move |owner, responder| owner.submit(command, responder))
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
        let command = self.command::<A, AT>(action, Some(Box::new(key)));
        let response = self.exchange(move |owner, responder| owner.submit(command, responder));
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
        let command = self.json_command(action.into(), arguments.into());
        self.exchange(move |owner, responder| owner.submit(command, responder))
    }

    /// Like [`call_json`](Self::call_json), at most once for each idempotency key, as [`call_with_key`](Self::call_with_key). A key
    /// is the same for typed calls of the action and for calls by name.
    ///
    /// # Errors
    /// Those of [`call_with_key`](Self::call_with_key) and [`call_json`](Self::call_json).
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let command = self.json_command(action.into(), arguments.into());
        let command = command.with_key(key.into());
        let response = self.exchange(move |owner, responder| owner.submit(command, responder));
        response.with_key()
    }

    fn json_command(&self, action: String, arguments: String) -> JsonCommand {
        JsonCommand::new(action, Arguments::Text(arguments), self.caller.clone())
    }

    /// Carries out the verdict on an approval request that was [put off](super::Verdict::Later): an approved action runs on behalf
    /// of the caller of the request, and its output is returned as JSON text.
    ///
    /// The guard is asked again, and may deny the action. A request is decided once: later decisions on it return the first result,
    /// with a store also after a restart. [`Verdict::Later`](super::Verdict::Later) puts it off again.
    ///
    /// # Errors
    /// As [`call_json`](Self::call_json); [`Denied`](super::ServeError::Denied) and [`Aborted`](super::ServeError::Aborted) for
    /// such a verdict, and `Denied` for a request that was changed, or that a server with another
    /// [secret](super::AgentServerBuilder::approval_secret) made.
    pub fn decide(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let verdict = verdict.into();
        let response =
            self.exchange(move |owner, responder| owner.decide(request, verdict, responder));
        response.with_key()
    }

    /// Returns what a pure action would do in the present state. Nothing is done, recorded or guarded.
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
    /// [`PreviewError`]: for an async action, and when the action would fail.
    pub fn preview<A>(&self, action: A) -> ResponseFuture<'_, G, Preview, PreviewError>
    where
        A: Action + Send,
        A::Skill: SkillOf<G>,
    {
        let name = process::spec_of::<G, A, 0>().name.to_owned();
        let arguments = Arguments::of(action);
        self.exchange(move |owner, responder| owner.preview(name, arguments, responder))
    }

    /// Like [`preview`](Self::preview), by name and with JSON text.
    ///
    /// # Errors
    /// As [`preview`](Self::preview).
    pub fn preview_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, Preview, PreviewError> {
        let (action, arguments) = (action.into(), Arguments::Text(arguments.into()));
        self.exchange(move |owner, responder| owner.preview(action, arguments, responder))
    }
}
