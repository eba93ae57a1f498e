//! A server behind a pointer, without the type of its agent.

use super::AgentServer;
use super::erased_response::{BoxFuture, ErasedResponseFuture};
use crate::error::{SendError, SignalError};
use crate::guard::{ApprovalRequest, Verdict};
use crate::journal::Recovery;
use crate::lifecycle::stop_reason::StopReason;
use crate::lifecycle::stop_report::StopReport;
use crate::preview::{Preview, PreviewError};
use crate::signals::subscription::Subscription;
use crate::stats::Stats;
use serde_json::Value;
use skill_core::process::{self, InstanceTools, MountOp};
use skill_core::routing::PatternError;
use skill_core::spec::AgentSpec;
use skill_core::{
    Agent, CallError, ForeignCaller, MountError, Pattern, Signal, SkillSpec, StateError, ToolBuf,
};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The methods of [`AgentServer`] that do not depend on the agent's type.
pub(super) trait AnyServer: fmt::Debug + Send + Sync {
    fn spec(&self) -> &'static AgentSpec;
    fn within(&self, time: Duration) -> Arc<dyn AnyServer>;
    fn on_behalf_of(&self, caller: ForeignCaller) -> Arc<dyn AnyServer>;
    fn call_json(
        &self,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, String, CallError>;
    fn call_json_with_key(
        &self,
        key: String,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, String, CallError>;
    fn decide(
        &self,
        request: ApprovalRequest,
        verdict: Verdict,
    ) -> ErasedResponseFuture<'_, String, CallError>;
    fn preview_json(
        &self,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, Preview, PreviewError>;
    fn request(&self, signal: Signal) -> ErasedResponseFuture<'_, Value, SignalError>;
    fn send(&self, signal: Signal) -> BoxFuture<'_, Result<(), SendError>>;
    fn try_send(&self, signal: Signal) -> Result<(), SendError>;
    fn subscribe(&self, pattern: Pattern) -> Result<Subscription, PatternError>;
    fn tools(&self) -> ErasedResponseFuture<'_, Vec<ToolBuf>, Infallible>;
    fn mounted_skills(&self) -> ErasedResponseFuture<'_, Vec<&'static SkillSpec>, Infallible>;
    fn listed_tools(&self) -> Vec<InstanceTools>;
    fn is_async(&self, action: &str) -> bool;
    fn mounts(&self) -> bool;
    fn stop_reason(&self) -> Option<StopReason>;
    fn state_json(&self) -> ErasedResponseFuture<'_, String, StateError>;
    fn set(&self, patch: Value) -> ErasedResponseFuture<'_, (), StateError>;
    fn change_mounted(&self, op: MountOp) -> ErasedResponseFuture<'_, (), MountError>;
    fn stats(&self) -> Stats;
    fn recovery(&self) -> &Recovery;
    fn stop(&self) -> BoxFuture<'_, Result<StopReport, StopReason>>;
    fn kill(&self);
    fn closed(&self) -> BoxFuture<'_, StopReason>;
}

// `self.name(…)` calls the inherent method, which takes precedence over the trait's
impl<G: Agent> AnyServer for AgentServer<G> {
    fn spec(&self) -> &'static AgentSpec {
        &G::SPEC
    }

    fn within(&self, time: Duration) -> Arc<dyn AnyServer> {
        Arc::new(self.within(time))
    }

    fn on_behalf_of(&self, caller: ForeignCaller) -> Arc<dyn AnyServer> {
        Arc::new(self.on_behalf_of(caller).server)
    }

    fn call_json(
        &self,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        ErasedResponseFuture::new(self.call_json(action, arguments))
    }

    fn call_json_with_key(
        &self,
        key: String,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        ErasedResponseFuture::new(self.call_json_with_key(key, action, arguments))
    }

    fn decide(
        &self,
        request: ApprovalRequest,
        verdict: Verdict,
    ) -> ErasedResponseFuture<'_, String, CallError> {
        ErasedResponseFuture::new(self.decide(request, verdict))
    }

    fn preview_json(
        &self,
        action: String,
        arguments: String,
    ) -> ErasedResponseFuture<'_, Preview, PreviewError> {
        ErasedResponseFuture::new(self.preview_json(action, arguments))
    }

    fn request(&self, signal: Signal) -> ErasedResponseFuture<'_, Value, SignalError> {
        ErasedResponseFuture::new(self.request(signal))
    }

    fn send(&self, signal: Signal) -> BoxFuture<'_, Result<(), SendError>> {
        Box::pin(self.send(signal))
    }

    fn try_send(&self, signal: Signal) -> Result<(), SendError> {
        self.try_send(signal)
    }

    fn subscribe(&self, pattern: Pattern) -> Result<Subscription, PatternError> {
        self.subscribe(pattern)
    }

    fn tools(&self) -> ErasedResponseFuture<'_, Vec<ToolBuf>, Infallible> {
        ErasedResponseFuture::new(self.tools())
    }

    fn mounted_skills(&self) -> ErasedResponseFuture<'_, Vec<&'static SkillSpec>, Infallible> {
        ErasedResponseFuture::new(self.read(|agent| Ok(process::mounted_skills(agent))))
    }

    fn listed_tools(&self) -> Vec<InstanceTools> {
        process::listed_tools::<G>()
    }

    fn is_async(&self, action: &str) -> bool {
        process::is_async::<G>(action)
    }

    fn mounts(&self) -> bool {
        process::mounts::<G>()
    }

    fn stop_reason(&self) -> Option<StopReason> {
        self.shared.stop_reason()
    }

    fn state_json(&self) -> ErasedResponseFuture<'_, String, StateError> {
        ErasedResponseFuture::new(self.state_json())
    }

    fn set(&self, patch: Value) -> ErasedResponseFuture<'_, (), StateError> {
        ErasedResponseFuture::new(self.set(patch))
    }

    fn change_mounted(&self, op: MountOp) -> ErasedResponseFuture<'_, (), MountError> {
        ErasedResponseFuture::new(self.change_mounted(op))
    }

    fn stats(&self) -> Stats {
        self.stats()
    }

    fn recovery(&self) -> &Recovery {
        self.recovery()
    }

    fn stop(&self) -> BoxFuture<'_, Result<StopReport, StopReason>> {
        Box::pin(self.stop())
    }

    fn kill(&self) {
        self.kill();
    }

    fn closed(&self) -> BoxFuture<'_, StopReason> {
        Box::pin(self.closed())
    }
}
