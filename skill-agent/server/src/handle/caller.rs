//! The handle of a foreign caller.

use super::AgentServer;
use crate::SignalError;
use crate::error::SendError;
use crate::idempotency::CallKey;
use crate::mailbox::ResponseFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_core::bounds::SkillOf;
use skill_core::spec::AgentSpec;
use skill_core::{Action, Agent, CallError, Signal, ToolBuf};
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

/// A handle that calls on behalf of a model, an MCP client or a document. Created by
/// [`AgentServer::on_behalf_of`](super::AgentServer::on_behalf_of).
///
/// The handle can call actions, send signals and list tools. The guard decides on every action. The handle cannot decide on
/// approvals, change the state or stop the server. Each principal has its own idempotency keys.
///
/// The handle cannot be converted to the handle of a different caller:
///
/// ```compile_fail,E0599
/// fn escape(handle: &skill_agent::server::ErasedCallerHandle) {
///     let _ = handle.on_behalf_of(skill_agent::ForeignCaller::Model);
/// }
/// ```
pub struct CallerHandle<G> {
    pub(super) server: AgentServer<G>,
}

// not derived, because the derives would add bounds on `G`
impl<G> Clone for CallerHandle<G> {
    fn clone(&self) -> Self {
        Self::new(self.server.clone())
    }
}

impl<G> fmt::Debug for CallerHandle<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerHandle")
            .field("server", &self.server)
            .finish()
    }
}

impl<G> CallerHandle<G> {
    pub(super) fn new(server: AgentServer<G>) -> Self {
        Self { server }
    }

    /// Returns the agent's metadata.
    pub fn spec(&self) -> &'static AgentSpec {
        self.server.spec()
    }

    /// Does the same as [`AgentServer::within`] for this caller.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self::new(self.server.within(time))
    }

    /// Does the same as [`AgentServer::call_json`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_json`].
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        self.server.call_json(action, arguments)
    }

    /// Does the same as [`AgentServer::call_json_with_key`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_json_with_key`].
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        self.server.call_json_with_key(key, action, arguments)
    }

    /// Does the same as [`AgentServer::call_json_holding`] for this caller.
    #[doc(hidden)]
    pub fn call_json_holding(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        self.server.call_json_holding(key, action, arguments)
    }

    /// Does the same as [`AgentServer::call_json_reading`] for this caller.
    #[doc(hidden)]
    pub fn call_json_reading(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        self.server.call_json_reading(key, action, arguments)
    }

    /// Does the same as [`AgentServer::request`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::request`].
    pub fn request(&self, signal: Signal) -> ResponseFuture<'_, G, Value, SignalError> {
        self.server.request(signal)
    }

    /// Does the same as [`AgentServer::send`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::send`].
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        self.server.send(signal).await
    }

    /// Does the same as [`AgentServer::tools`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::tools`].
    pub fn tools(&self) -> ResponseFuture<'_, G, Vec<ToolBuf>, Infallible> {
        self.server.tools()
    }
}

impl<G: Agent> CallerHandle<G> {
    /// Does the same as [`AgentServer::call`] for this caller. A typed call can also run internal actions, because the program
    /// itself contains the call. A call by name cannot run them. The guard checks both.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call`].
    pub fn call<A>(&self, action: A) -> ResponseFuture<'_, G, A::Output, A::Error>
    where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G>,
    {
        self.server.call(action)
    }

    /// Does the same as [`AgentServer::call_with_key`] for this caller.
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_with_key`].
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
        self.server.call_with_key(key, action)
    }
}
