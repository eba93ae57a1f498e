//! The handle of a foreign caller, without the type of the agent.

use super::CallerHandle;
use super::erased::ErasedServer;
use super::erased_response::ErasedResponseFuture;
use crate::error::{SendError, SignalError};
use serde_json::Value;
use skill_core::spec::AgentSpec;
use skill_core::{Agent, CallError, ForeignCaller, Signal, ToolBuf};
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

/// A [`CallerHandle`] without the type of the agent. Created by [`ErasedServer::on_behalf_of`] or [`CallerHandle::erase`].
///
/// Like that handle, it cannot decide on approvals, change the state or stop the server. It cannot be converted to the handle of
/// a different caller:
///
/// ```compile_fail,E0599
/// fn escape(handle: &skill_agent::server::ErasedCallerHandle) {
///     let _ = handle.on_behalf_of(skill_agent::ForeignCaller::Model);
/// }
/// ```
#[derive(Clone)]
pub struct ErasedCallerHandle {
    server: ErasedServer,
}

impl fmt::Debug for ErasedCallerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErasedCallerHandle")
            .field(&self.server.server)
            .finish()
    }
}

impl ErasedCallerHandle {
    /// Returns the agent's metadata.
    pub fn spec(&self) -> &'static AgentSpec {
        self.server.spec()
    }

    /// Like [`CallerHandle::within`].
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            server: self.server.within(time),
        }
    }

    /// Like [`CallerHandle::call_json`].
    ///
    /// # Errors
    /// Returns the same errors as [`CallerHandle::call_json`].
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        self.server.call_json(action, arguments)
    }

    /// Like [`CallerHandle::call_json_with_key`].
    ///
    /// # Errors
    /// Returns the same errors as [`CallerHandle::call_json_with_key`].
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        self.server.call_json_with_key(key, action, arguments)
    }

    /// Like [`CallerHandle::request`].
    ///
    /// # Errors
    /// Returns the same errors as [`CallerHandle::request`].
    pub fn request(&self, signal: Signal) -> ErasedResponseFuture<'_, Value, SignalError> {
        self.server.request(signal)
    }

    /// Like [`CallerHandle::send`].
    ///
    /// # Errors
    /// Returns the same errors as [`CallerHandle::send`].
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        self.server.send(signal).await
    }

    /// Like [`CallerHandle::tools`].
    ///
    /// # Errors
    /// Returns the same errors as [`CallerHandle::tools`].
    pub fn tools(&self) -> ErasedResponseFuture<'_, Vec<ToolBuf>, Infallible> {
        self.server.tools()
    }
}

impl<G: Agent> CallerHandle<G> {
    /// Erases the agent's type from this handle. The deadline is kept.
    pub fn erase(self) -> ErasedCallerHandle {
        ErasedCallerHandle {
            server: self.server.erase(),
        }
    }
}

impl ErasedServer {
    /// Like [`AgentServer::on_behalf_of`](super::AgentServer::on_behalf_of).
    pub fn on_behalf_of(&self, caller: ForeignCaller) -> ErasedCallerHandle {
        ErasedCallerHandle {
            server: Self {
                server: self.server.on_behalf_of(caller),
            },
        }
    }
}
