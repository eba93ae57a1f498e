//! Handles without the type of their agent.

use super::{AgentServer, CallerHandle};
use crate::mailbox::ResponseFuture;
use std::marker::PhantomData;
use std::pin::Pin;

/// A placeholder for the agent's type in an erased handle. It has no values, and does not implement `Agent`.
#[derive(Debug)]
pub enum AnyAgent {}

/// A server handle without the type of its agent, so that a `Vec<ErasedServer>` can contain servers of different agents. Created
/// by [`AgentServer::erase`].
///
/// Has the methods of [`AgentServer`] that do not depend on the agent's type, with the same errors. Clones and the original
/// handle share one server, which stops when the last handle is dropped.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_agent::ErasedServer;
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
/// #[action]
/// pub fn increment(counter: &mut Counter, by: u32) -> u32 {
///     counter.count += by;
///     counter.count
/// }
///
/// agent! {
///     pub struct Clerk { name: "clerk", skills: [Counter] }
/// }
/// agent! {
///     pub struct Porter { name: "porter", skills: [Counter] }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let servers: Vec<ErasedServer> = vec![
///     AgentServer::builder(Clerk::new()).start().await?.erase(),
///     AgentServer::builder(Porter::new()).start().await?.erase(),
/// ];
/// for server in &servers {
///     assert_eq!(server.call_json("increment", r#"{"by":2}"#).await?, "2");
/// }
/// assert_eq!(servers[1].spec().name, "porter");
/// # Ok(())
/// # }
/// ```
pub type ErasedServer = AgentServer<AnyAgent>;

/// A [`CallerHandle`] without the type of the agent. Created by [`on_behalf_of`](AgentServer::on_behalf_of) of an
/// [`ErasedServer`], or by [`CallerHandle::erase`].
pub type ErasedCallerHandle = CallerHandle<AnyAgent>;

/// The response to a request through an [`ErasedServer`]. Nothing is sent before the first poll.
pub type ErasedResponseFuture<'a, T, E> = ResponseFuture<'a, AnyAgent, T, E>;

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl<G> AgentServer<G> {
    /// Erases the agent's type from this handle. The deadline is kept.
    pub fn erase(self) -> ErasedServer {
        AgentServer {
            mailbox: self.mailbox,
            shared: self.shared,
            deadline: self.deadline,
            caller: self.caller,
            agent: PhantomData,
        }
    }
}

impl<G> CallerHandle<G> {
    /// Erases the agent's type from this handle. The deadline is kept.
    pub fn erase(self) -> ErasedCallerHandle {
        CallerHandle::new(self.server.erase())
    }
}
