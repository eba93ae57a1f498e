//! Typed calls to an agent behind an MCP server.

use super::{McpClient, content};
use crate::tool::converted;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_agent_contract::{Change, ChangeClass, Contract};
use skill_agent_server::{Applied, BoxFuture, CallKey};
use skill_agent_toolbox::SourceError;
use skill_core::bounds::SkillOf;
use skill_core::{Action, Agent, Instance, Instruction, StateError, ToolBuf, WriteError, process};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The agent `G` behind an MCP server, for typed calls. Created by [`McpClient::typed`].
///
/// The server decides on each call as on any other client's, by its guard and its approver.
pub struct RemoteAgent<G> {
    client: McpClient,
    agent: PhantomData<fn() -> G>,
}

/// One instance of a skill of a [`RemoteAgent`]. Created by [`RemoteAgent::instance`].
pub struct RemoteInstance<'a, G, S, const AT: usize> {
    agent: &'a RemoteAgent<G>,
    skill: PhantomData<fn() -> S>,
}

impl McpClient {
    /// Compares the server's tools with the tools of the agent `G`, for typed calls.
    ///
    /// The server may have more tools, and its tools may accept more. Its hints and descriptions are not compared, and its outputs
    /// only if it describes them.
    ///
    /// # Errors
    /// Returns [`TypedError::Different`] with each tool that callers of `G` cannot call as before, or an error if the server
    /// cannot list its tools.
    ///
    /// ```no_run
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_agent::mcp::McpClient;
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
    /// # agent! {
    /// #     pub struct Clerk {
    /// #         name: "clerk",
    /// #         skills: [Counter],
    /// #     }
    /// # }
    /// # async fn count() -> Result<(), Box<dyn std::error::Error>> {
    /// let office = McpClient::http("https://office.example.com/mcp").await?;
    /// let clerk = office.typed::<Clerk>().await?;
    /// let count: u32 = clerk.call(Increment { by: 2 }).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn typed<G: Agent>(&self) -> BoxFuture<'_, Result<RemoteAgent<G>, TypedError>> {
        // not an `async fn`, because rustc reports an unmet bound of one three times
        Box::pin(async {
            let tools = self.tools().await.map_err(TypedError::List)?;
            compare::<G>(tools)?;
            Ok(RemoteAgent {
                client: self.clone(),
                agent: PhantomData,
            })
        })
    }
}

/// Compares a server's tools with the agent's.
fn compare<G: Agent>(tools: Vec<rmcp::model::Tool>) -> Result<(), TypedError> {
    // the form of MCP lacks some keywords, such as a bound that a JSON number cannot hold
    let ours = G::tools().iter();
    // a server lists no tool that MCP cannot express, so such a tool is missing
    let ours = ours.map(|tool| converted(tool).map_or_else(|_| tool.to_buf(), compared));
    let ours = Contract::of::<G>().with_tools(ours);
    let theirs = ours.with_tools(tools.into_iter().map(compared));
    let mut changes = ours.changes_to(&theirs).list;
    changes.retain(|change| change.class == ChangeClass::Breaking);
    if changes.is_empty() {
        return Ok(());
    }
    let agent = G::SPEC.name;
    Err(TypedError::Different { agent, changes })
}

impl<G: Agent> RemoteAgent<G> {
    /// Runs an action.
    ///
    /// # Errors
    /// See [`RemoteCallError`].
    pub fn call<A>(&self, action: A) -> BoxFuture<'_, Result<A::Output, RemoteCallError>>
    where
        A: Action<Output: DeserializeOwned>,
        A::Skill: SkillOf<G>,
    {
        self.run::<A, 0>(&action, None)
    }

    /// Runs an action at most once for each idempotency key, provided that the server supports the key, as a served agent does.
    ///
    /// # Errors
    /// See [`RemoteCallError`].
    pub fn call_with_key<A>(
        &self,
        key: impl CallKey,
        action: A,
    ) -> BoxFuture<'_, Result<A::Output, RemoteCallError>>
    where
        A: Action<Output: DeserializeOwned>,
        A::Skill: SkillOf<G>,
    {
        self.run::<A, 0>(&action, Some(key.into()))
    }

    /// Returns one instance of a skill, by the accessor that `agent!` generates, such as `MathAgent::calc` for `Calculator as calc`.
    pub fn instance<S: SkillOf<G, AT>, const AT: usize>(
        &self,
        accessor: fn(&mut G) -> Instance<'_, G, S, AT>,
    ) -> RemoteInstance<'_, G, S, AT> {
        let _ = accessor;
        RemoteInstance {
            agent: self,
            skill: PhantomData,
        }
    }

    fn run<A, const AT: usize>(
        &self,
        action: &A,
        key: Option<String>,
    ) -> BoxFuture<'_, Result<A::Output, RemoteCallError>>
    where
        A: Action<Output: DeserializeOwned>,
        A::Skill: SkillOf<G, AT>,
    {
        let name = match <A::Skill as SkillOf<G, AT>>::ALIAS {
            Some(alias) => format!("{alias}_{}", A::NAME),
            None => A::NAME.to_owned(),
        };
        let instruction = Instruction::of(action);
        Box::pin(async move {
            let arguments = instruction.map_err(RemoteCallError::Arguments)?.params;
            let text = self.text_of(name, arguments, key).await;
            let text = text.map_err(RemoteCallError::Failed)?;
            process::read_typed(&text, A::schemas().output()).map_err(RemoteCallError::Output)
        })
    }

    /// Calls a tool, and returns its output as JSON text.
    async fn text_of(
        &self,
        name: String,
        arguments: Value,
        key: Option<String>,
    ) -> Result<String, SourceError> {
        let called = self.client.call(name, &arguments, key.as_deref(), None);
        let mut result = called.await?;
        let structured = result.structured_content.take();
        let output = content::output(result)?;
        Ok(structured.map_or_else(|| output.text().into_owned(), |value| value.to_string()))
    }
}

impl<G: Agent, S: SkillOf<G, AT>, const AT: usize> RemoteInstance<'_, G, S, AT> {
    /// Runs one of the skill's actions on this instance; see [`RemoteAgent::call`].
    ///
    /// # Errors
    /// See [`RemoteCallError`].
    pub fn call<A>(&self, action: A) -> BoxFuture<'_, Result<A::Output, RemoteCallError>>
    where
        A: Action<Skill = S, Output: DeserializeOwned>,
    {
        self.agent.run::<A, AT>(&action, None)
    }

    /// Runs one of the skill's actions on this instance, at most once for each idempotency key; see [`RemoteAgent::call_with_key`].
    ///
    /// # Errors
    /// See [`RemoteCallError`].
    pub fn call_with_key<A>(
        &self,
        key: impl CallKey,
        action: A,
    ) -> BoxFuture<'_, Result<A::Output, RemoteCallError>>
    where
        A: Action<Skill = S, Output: DeserializeOwned>,
    {
        self.agent.run::<A, AT>(&action, Some(key.into()))
    }
}

// not derived, because the derives would add bounds on `G` and `S`
impl<G> Clone for RemoteAgent<G> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            agent: PhantomData,
        }
    }
}

impl<G> fmt::Debug for RemoteAgent<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteAgent").field(&self.client).finish()
    }
}

impl<G, S, const AT: usize> fmt::Debug for RemoteInstance<'_, G, S, AT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteInstance").field(self.agent).finish()
    }
}

/// The error of [`McpClient::typed`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TypedError {
    /// The server cannot list its tools.
    #[error(transparent)]
    List(SourceError),
    /// The server lacks some of the agent's tools, or they differ from this program's.
    #[error("the MCP server does not serve the agent `{agent}` of this program:{}", lines(.changes))]
    #[non_exhaustive]
    Different {
        /// The name of the agent.
        agent: &'static str,
        /// The differences from the agent of this program to the one of the server.
        changes: Vec<Change>,
    },
}

/// Returns the name and the schemas of a tool.
fn compared(tool: rmcp::model::Tool) -> ToolBuf {
    let value = |schema| Value::Object(Arc::unwrap_or_clone(schema));
    let mut compared = ToolBuf::new(tool.name, "", value(tool.input_schema));
    compared.output_schema = tool.output_schema.map(value);
    compared
}

fn lines(changes: &[Change]) -> String {
    changes
        .iter()
        .map(|change| format!("\n  {change}"))
        .collect()
}

/// The error of a call to a [`RemoteAgent`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteCallError {
    /// An argument cannot be written as JSON. Nothing was sent.
    #[error(transparent)]
    Arguments(WriteError),
    /// The call failed.
    #[error(transparent)]
    Failed(SourceError),
    /// The action has run, but its output is not the one of this program.
    #[error("the action has run, but its output is malformed: {0}")]
    Output(StateError),
}

impl RemoteCallError {
    /// Returns whether the action took effect.
    pub fn applied(&self) -> Applied {
        match self {
            Self::Arguments(_) => Applied::No,
            Self::Failed(error) => error.applied(),
            Self::Output(_) => Applied::Yes,
        }
    }
}
