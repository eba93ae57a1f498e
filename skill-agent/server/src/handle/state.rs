//! Access to the state of a served agent as a whole, and to its mounted skills.

use super::AgentServer;
use crate::error::ServeError;
use crate::mailbox::ResponseFuture;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::panics::catch;
use serde_json::Value;
use skill_core::process::MountOp;
use skill_core::{Agent, MountError, StateError, Tool, ToolBuf};
use std::convert::Infallible;

impl<G: Agent> AgentServer<G> {
    /// Returns a copy of the agent, after all messages before this one.
    ///
    /// # Errors
    /// When the server has stopped, or the deadline passes.
    pub fn agent(&self) -> ResponseFuture<'_, G, G, Infallible> {
        self.read(|agent| Ok(agent.clone()))
    }

    /// Returns the state of the agent as JSON text, after all messages before this one. Secrets are in it, as in
    /// [`Agent::state_json`].
    ///
    /// # Errors
    /// As [`Agent::state_json`], and when the server has stopped, or the deadline passes.
    pub fn state_json(&self) -> ResponseFuture<'_, G, String, StateError> {
        self.read(G::state_json)
    }

    /// Returns the tools of the agent and its mounted skills, after all messages before this one.
    ///
    /// # Errors
    /// When the server has stopped, or the deadline passes.
    pub fn tools(&self) -> ResponseFuture<'_, G, Vec<ToolBuf>, Infallible> {
        self.read(|agent| Ok(agent.all_tools().iter().map(Tool::to_buf).collect()))
    }

    /// Reads something of the agent. `read` may call user code, such as `Clone`.
    pub(super) fn read<T, E>(
        &self,
        read: impl Fn(&G) -> Result<T, E> + Send + 'static,
    ) -> ResponseFuture<'_, G, T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let read = move |owner: &Owner<G>| match catch(|| read(&owner.agent)) {
            Ok(value) => value.map_err(ServeError::Action),
            Err(message) => Err(ServeError::Panicked { message }),
        };
        self.exchange(move |owner: &mut Owner<G>, responder: Responder<T, E>| {
            let value = read(owner);
            owner.answer_in_turn(move |owner, kept| {
                // After a failed write the value shows changes that were undone.
                responder.respond(kept.map_or_else(|_| read(owner), |()| value));
            });
        })
    }

    /// Merges a partial state into the state, as [`Agent::set`] does.
    ///
    /// # Errors
    /// Every problem with its path; the state is unchanged then.
    pub fn set(&self, patch: Value) -> ResponseFuture<'_, G, (), StateError> {
        self.exchange(move |owner, responder| owner.set(&patch, responder))
    }

    /// Mounts a skill of the agent's `mounted: [...]`, or a registered document, with options. Has no effect when it is mounted
    /// already.
    ///
    /// # Errors
    /// Those of [`Mounted::mount`](skill_core::Mounted::mount), and for a name that is not in the list.
    pub fn mount(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Mount { skill, options })
    }

    /// Mounts several skills and registered documents together with those that they require: all of them, or none. `options` is
    /// an object with the options of skills by state key.
    ///
    /// # Errors
    /// Those of [`Mounted::mount_all_named`](skill_core::Mounted::mount_all_named).
    pub fn mount_all(
        &self,
        skills: impl IntoIterator<Item = impl Into<String>>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        self.change_mounted(MountOp::mount_all(skills, options))
    }

    /// Replaces the skill or document that is mounted under a name by the one of `mounted: [...]` or of the registered documents.
    /// The skill has a new state with these options, and is enabled.
    ///
    /// # Errors
    /// Those of [`Mounted::replace_named`](skill_core::Mounted::replace_named).
    pub fn replace(
        &self,
        skill: impl Into<String>,
        options: Value,
    ) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Replace { skill, options })
    }

    /// Unmounts a skill and drops its state. Has no effect when it is not mounted.
    ///
    /// # Errors
    /// When another mounted skill requires it.
    pub fn unmount(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Unmount { skill })
    }

    /// Enables a disabled skill or document. Has no effect when it is enabled already.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn enable(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Enable { skill })
    }

    /// Disables a mounted skill or document, and keeps its state: its tools are hidden, calls of its actions fail, and it gets no
    /// signals. With a store, it is still disabled after a restart. Has no effect when it is disabled already.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn disable(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.change_mounted(MountOp::Disable { skill })
    }

    pub(super) fn change_mounted(&self, op: MountOp) -> ResponseFuture<'_, G, (), MountError> {
        self.exchange(move |owner, responder| owner.change_mounted(&op, responder))
    }
}
