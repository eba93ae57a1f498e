//! A server handle without the type of its agent.

use super::AgentServer;
use super::any_server::AnyServer;
use super::erased_response::ErasedResponseFuture;
use crate::error::{SendError, SignalError};
use crate::guard::{ApprovalRequest, Verdict};
use crate::journal::Recovery;
use crate::lifecycle::stop_reason::StopReason;
use crate::lifecycle::stop_report::StopReport;
use crate::preview::{Preview, PreviewError};
use crate::signals::subscription::Subscription;
use crate::stats::Stats;
use serde_json::Value;
use skill_core::process::{InstanceTools, MountOp};
use skill_core::routing::PatternError;
use skill_core::spec::AgentSpec;
use skill_core::{Agent, CallError, MountError, Pattern, Signal, SkillSpec, StateError, ToolBuf};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

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
#[derive(Clone)]
pub struct ErasedServer {
    pub(super) server: Arc<dyn AnyServer>,
}

impl fmt::Debug for ErasedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErasedServer").field(&self.server).finish()
    }
}

impl<G: Agent> AgentServer<G> {
    /// Erases the agent's type from this handle. The deadline is kept.
    pub fn erase(self) -> ErasedServer {
        ErasedServer {
            server: Arc::new(self),
        }
    }
}

impl ErasedServer {
    /// Returns the agent's metadata.
    pub fn spec(&self) -> &'static AgentSpec {
        self.server.spec()
    }

    /// Like [`AgentServer::within`].
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            server: self.server.within(time),
        }
    }

    /// Like [`AgentServer::call_json`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_json`].
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        self.server.call_json(action.into(), arguments.into())
    }

    /// Like [`AgentServer::call_json_with_key`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::call_json_with_key`].
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        self.server
            .call_json_with_key(key.into(), action.into(), arguments.into())
    }

    /// Like [`AgentServer::decide`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::decide`].
    pub fn decide(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        self.server.decide(request, verdict.into())
    }

    /// Like [`AgentServer::preview_json`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::preview_json`].
    pub fn preview_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ErasedResponseFuture<'_, Preview, PreviewError> {
        self.server.preview_json(action.into(), arguments.into())
    }

    /// Like [`AgentServer::request`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::request`].
    pub fn request(&self, signal: Signal) -> ErasedResponseFuture<'_, Value, SignalError> {
        self.server.request(signal)
    }

    /// Like [`AgentServer::send`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::send`].
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        self.server.send(signal).await
    }

    /// Like [`AgentServer::try_send`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::try_send`].
    pub fn try_send(&self, signal: Signal) -> Result<(), SendError> {
        self.server.try_send(signal)
    }

    /// Like [`AgentServer::subscribe`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::subscribe`].
    pub fn subscribe<P>(&self, pattern: P) -> Result<Subscription, PatternError>
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        self.server
            .subscribe(pattern.try_into().map_err(Into::into)?)
    }

    /// Like [`AgentServer::tools`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::tools`].
    pub fn tools(&self) -> ErasedResponseFuture<'_, Vec<ToolBuf>, Infallible> {
        self.server.tools()
    }

    /// Returns the specs of the mounted skills that are enabled.
    #[doc(hidden)]
    pub fn mounted_skills(&self) -> ErasedResponseFuture<'_, Vec<&'static SkillSpec>, Infallible> {
        self.server.mounted_skills()
    }

    /// Returns the tools of the listed skills.
    #[doc(hidden)]
    pub fn listed_tools(&self) -> Vec<InstanceTools> {
        self.server.listed_tools()
    }

    /// Returns whether the listed skills have an async action with this name.
    #[doc(hidden)]
    pub fn is_async(&self, action: &str) -> bool {
        self.server.is_async(action)
    }

    /// Returns whether the agent can mount skills.
    #[doc(hidden)]
    pub fn mounts(&self) -> bool {
        self.server.mounts()
    }

    /// Returns why the server has stopped, or `None` while it is running.
    #[doc(hidden)]
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.server.stop_reason()
    }

    /// Like [`AgentServer::state_json`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::state_json`].
    pub fn state_json(&self) -> ErasedResponseFuture<'_, String, StateError> {
        self.server.state_json()
    }

    /// Like [`AgentServer::set`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::set`].
    pub fn set(&self, patch: Value) -> ErasedResponseFuture<'_, (), StateError> {
        self.server.set(patch)
    }

    /// Like [`AgentServer::mount`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::mount`].
    pub fn mount(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ErasedResponseFuture<'_, (), MountError> {
        let skill = skill.into();
        self.server
            .change_mounted(MountOp::Mount { skill, options })
    }

    /// Like [`AgentServer::mount_all`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::mount_all`].
    pub fn mount_all(
        &self,
        skills: impl IntoIterator<Item = impl Into<String>>,
        options: Value,
    ) -> ErasedResponseFuture<'_, (), MountError> {
        self.server
            .change_mounted(MountOp::mount_all(skills, options))
    }

    /// Like [`AgentServer::replace`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::replace`].
    pub fn replace(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ErasedResponseFuture<'_, (), MountError> {
        let skill = skill.into();
        self.server
            .change_mounted(MountOp::Replace { skill, options })
    }

    /// Like [`AgentServer::unmount`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::unmount`].
    pub fn unmount(&self, skill: impl Into<String>) -> ErasedResponseFuture<'_, (), MountError> {
        let skill = skill.into();
        self.server.change_mounted(MountOp::Unmount { skill })
    }

    /// Like [`AgentServer::enable`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::enable`].
    pub fn enable(&self, skill: impl Into<String>) -> ErasedResponseFuture<'_, (), MountError> {
        let skill = skill.into();
        self.server.change_mounted(MountOp::Enable { skill })
    }

    /// Like [`AgentServer::disable`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::disable`].
    pub fn disable(&self, skill: impl Into<String>) -> ErasedResponseFuture<'_, (), MountError> {
        let skill = skill.into();
        self.server.change_mounted(MountOp::Disable { skill })
    }

    /// Like [`AgentServer::stats`].
    pub fn stats(&self) -> Stats {
        self.server.stats()
    }

    /// Like [`AgentServer::recovery`].
    pub fn recovery(&self) -> &Recovery {
        self.server.recovery()
    }

    /// Like [`AgentServer::stop`].
    ///
    /// # Errors
    /// Returns the same errors as [`AgentServer::stop`].
    pub async fn stop(&self) -> Result<StopReport, StopReason> {
        self.server.stop().await
    }

    /// Like [`AgentServer::kill`].
    pub fn kill(&self) {
        self.server.kill();
    }

    /// Like [`AgentServer::closed`].
    pub async fn closed(&self) -> StopReason {
        self.server.closed().await
    }
}
