//! Typed calls to one instance of a skill.

use super::AgentServer;
use crate::idempotency::CallKey;
use crate::mailbox::ResponseFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use skill_core::bounds::SkillOf;
use skill_core::{Action, Agent, Instance, Tool, ToolBuf, process};
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

/// Typed access to one instance of a skill through a server: `server.instance(MathAgent::calc)` for `Calculator as calc`. Created
/// by [`AgentServer::instance`].
///
/// `AT` is the number of the instance among the instances of `S` in `G`: 0 for the instance without an alias or for the only one,
/// and 1 or more for the others.
pub struct ServerInstance<'a, G: Agent, S, const AT: usize> {
    server: &'a AgentServer<G>,
    skill: PhantomData<fn() -> S>,
}

// not derived, because the derives would add bounds on `G` and `S`
impl<G: Agent, S, const AT: usize> Clone for ServerInstance<'_, G, S, AT> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Agent, S, const AT: usize> Copy for ServerInstance<'_, G, S, AT> {}

impl<G: Agent, S, const AT: usize> fmt::Debug for ServerInstance<'_, G, S, AT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerInstance")
            .field("server", self.server)
            .finish_non_exhaustive()
    }
}

impl<G: Agent> AgentServer<G> {
    /// Returns typed access to one instance of a skill. Pass the accessor that `agent!` generates, such as `MathAgent::calc` for
    /// `Calculator as calc`. The accessor only selects the instance and is never called.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_agent::prelude::*;
    /// # /// Counts.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "counter", actions(Increment))]
    /// # pub struct Counter {
    /// #     count: u32,
    /// # }
    /// # /// Add to the counter.
    /// # #[action]
    /// # pub fn increment(counter: &mut Counter, by: u32) -> u32 {
    /// #     counter.count += by;
    /// #     counter.count
    /// # }
    /// agent! {
    ///     pub struct Door {
    ///         name: "door",
    ///         skills: [Counter as entries, Counter as exits],
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = AgentServer::builder(Door::new()).start().await?;
    /// assert_eq!(server.instance(Door::entries).call(Increment { by: 3 }).await?, 3);
    /// assert_eq!(server.instance(Door::exits).call(Increment { by: 1 }).await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn instance<S: SkillOf<G, AT>, const AT: usize>(
        &self,
        accessor: fn(&mut G) -> Instance<'_, G, S, AT>,
    ) -> ServerInstance<'_, G, S, AT> {
        let _ = accessor;
        ServerInstance {
            server: self,
            skill: PhantomData,
        }
    }
}

impl<'a, G: Agent, S: SkillOf<G, AT>, const AT: usize> ServerInstance<'a, G, S, AT> {
    /// Runs one of the skill's actions on this instance; see [`AgentServer::call`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call`].
    pub fn call<A>(&self, action: A) -> ResponseFuture<'a, G, A::Output, A::Error>
    where
        A: Action<Skill = S, Error: Send + 'static> + Send,
    {
        self.server.call_instance::<A, AT>(action)
    }

    /// Returns this instance's tools with their names in the agent, such as `calc_add`; see [`AgentServer::tools`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::tools`].
    pub fn tools(&self) -> ResponseFuture<'a, G, Vec<ToolBuf>, Infallible> {
        let tools = |_: &G| {
            let tools = process::tools_of::<G, S, AT>();
            Ok(tools.iter().map(Tool::to_buf).collect())
        };
        self.server
            .exchange_typed(move |owner, responder| owner.read(tools, responder))
    }

    /// Runs one of the skill's actions on this instance, at most once for each idempotency key; see
    /// [`AgentServer::call_with_key`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_with_key`].
    pub fn call_with_key<A>(
        &self,
        key: impl CallKey,
        action: A,
    ) -> ResponseFuture<'a, G, A::Output, A::Error>
    where
        A: Action<Skill = S, Error: Send + 'static> + Send,
        A::Output: Serialize + DeserializeOwned,
    {
        self.server
            .call_instance_with_key::<A, AT>(key.into(), action)
    }
}
