//! Access to the whole state of a served agent and to its mounted skills.

use super::AgentServer;
use crate::mailbox::ResponseFuture;
use serde_json::Value;
use skill_core::process::{InstanceTools, MountOp, RefusedTool, TurnContext};
use skill_core::spec::AgentSpec;
use skill_core::{Agent, MountError, SkillSpec, StateError, ToolBuf};
use std::convert::Infallible;

impl<G: Agent> AgentServer<G> {
    /// Returns a copy of the agent, once all earlier messages have been handled.
    ///
    /// # Errors
    /// Returns an error if the server has stopped, or if the deadline passes.
    pub fn agent(&self) -> ResponseFuture<'_, G, G, Infallible> {
        self.exchange_typed(|owner, responder| {
            owner.read(|agent: &G| Ok(agent.clone()), responder);
        })
    }
}

impl<G> AgentServer<G> {
    /// Returns the agent's metadata.
    pub fn spec(&self) -> &'static AgentSpec {
        self.shared.agent.spec
    }

    /// Returns the agent's state as JSON text, like [`Agent::state_json`], once all earlier messages have been handled. The text
    /// includes secrets.
    ///
    /// # Errors
    /// Returns the same errors as [`Agent::state_json`]. Also returns an error if the server has stopped, or if the deadline
    /// passes.
    pub fn state_json(&self) -> ResponseFuture<'_, G, String, StateError> {
        self.exchange(|owner, responder| owner.state_json(responder))
    }

    /// Returns the tools of the agent and its mounted skills, once all earlier messages have been handled.
    ///
    /// # Errors
    /// Returns an error if the server has stopped, or if the deadline passes.
    pub fn tools(&self) -> ResponseFuture<'_, G, Vec<ToolBuf>, Infallible> {
        self.exchange(|owner, responder| owner.tools(responder))
    }

    /// Returns the specs of the mounted skills that are enabled.
    #[doc(hidden)]
    pub fn mounted_skills(&self) -> ResponseFuture<'_, G, Vec<&'static SkillSpec>, Infallible> {
        self.exchange(|owner, responder| owner.mounted_skills(responder))
    }

    /// Returns the skills' texts from [`Hooks::turn_context`](skill_core::Hooks::turn_context).
    #[doc(hidden)]
    pub fn turn_contexts(&self) -> ResponseFuture<'_, G, Vec<TurnContext>, Infallible> {
        self.exchange(|owner, responder| owner.turn_contexts(responder))
    }

    /// Returns the tools whose conditions refuse a call in the current state.
    #[doc(hidden)]
    pub fn refused_tools(&self) -> ResponseFuture<'_, G, Vec<RefusedTool>, Infallible> {
        self.exchange(|owner, responder| owner.refused_tools(responder))
    }

    /// Returns whether a skill may have a text from `turn_context`.
    #[doc(hidden)]
    pub fn may_have_turn_contexts(&self) -> bool {
        self.shared.agent.has_hooks || self.shared.agent.mounts
    }

    /// Returns the tools of the listed skills.
    #[doc(hidden)]
    pub fn listed_tools(&self) -> Vec<InstanceTools> {
        (self.shared.agent.listed_tools)()
    }

    /// Returns whether the listed skills have an async action with this name.
    #[doc(hidden)]
    pub fn is_async(&self, action: &str) -> bool {
        (self.shared.agent.is_async)(action)
    }

    /// Returns whether the agent can mount skills.
    #[doc(hidden)]
    pub fn mounts(&self) -> bool {
        self.shared.agent.mounts
    }

    /// Merges a partial state into the state, like [`Agent::set`].
    ///
    /// # Errors
    /// Returns all problems with their paths, and leaves the state unchanged.
    pub fn set(&self, patch: Value) -> ResponseFuture<'_, G, (), StateError> {
        self.exchange(move |owner, responder| owner.set(&patch, responder))
    }

    /// Mounts a skill from the agent's `mounted: [...]`, or a registered document, with options. Does nothing if the skill or
    /// document is already mounted.
    ///
    /// # Errors
    /// Returns the same errors as [`Mounted::mount`](skill_core::Mounted::mount). Also returns an error if `mounted: [...]` does
    /// not contain the name.
    pub fn mount(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Mount { skill, options })
    }

    /// Mounts several skills and registered documents, and the skills that they require. Mounts all of them or none. The object
    /// `options` maps state keys to options.
    ///
    /// # Errors
    /// Returns the same errors as [`Mounted::mount_all_named`](skill_core::Mounted::mount_all_named).
    pub fn mount_all(
        &self,
        skills: impl IntoIterator<Item = impl Into<String>>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        self.change_mounted(MountOp::mount_all(skills, options))
    }

    /// Replaces a mounted skill or document with the current one of the same name, from `mounted: [...]` or from the registered
    /// documents. The skill gets a new state with these options, and is enabled.
    ///
    /// # Errors
    /// Returns the same errors as [`Mounted::replace_named`](skill_core::Mounted::replace_named).
    pub fn replace(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Replace { skill, options })
    }

    /// Unmounts a skill and drops its state, or does nothing if the skill is not mounted.
    ///
    /// # Errors
    /// Returns an error if another mounted skill requires it.
    pub fn unmount(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Unmount { skill })
    }

    /// Enables a disabled skill or document. Does nothing if it is already enabled.
    ///
    /// # Errors
    /// Returns an error if the skill or document is not mounted.
    pub fn enable(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Enable { skill })
    }

    /// Disables a mounted skill or document, but keeps its state. Its tools are hidden, calls to its actions fail, and it
    /// receives no signals. With a store, it stays disabled after a restart. Does nothing if it is already disabled.
    ///
    /// # Errors
    /// Returns an error if the skill or document is not mounted.
    pub fn disable(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Disable { skill })
    }

    fn change_mounted(&self, op: MountOp) -> ResponseFuture<'_, G, (), MountError> {
        self.exchange(move |owner, responder| owner.change_mounted(&op, responder))
    }
}
