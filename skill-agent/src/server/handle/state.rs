//! Access to the state of a served agent as a whole, and to its mounted skills.

use super::AgentServer;
use crate::panics::catch;
use crate::server::error::ServeError;
use crate::server::mailbox::ResponseFuture;
use crate::server::mailbox::responder::Responder;
use crate::server::owner::Owner;
use serde_json::Value;
use skill_core::{Agent, MountError, StateError};

impl<G: Agent> AgentServer<G> {
    /// Returns a copy of the agent, after all messages before this one.
    ///
    /// # Errors
    /// When the server has stopped, or the deadline passes.
    pub fn agent(&self) -> ResponseFuture<'_, G, G, std::convert::Infallible> {
        self.exchange(|owner: &mut Owner<G>, responder: Responder<G, _>| {
            let copy = |owner: &Owner<G>| {
                // `Clone` is user code.
                let copy = catch(|| owner.agent.clone());
                copy.map_err(|message| ServeError::Panicked { message })
            };
            let agent = copy(owner);
            owner.answer_in_turn(move |owner, kept| {
                // After a failed write the copy contains changes that were undone.
                responder.respond(kept.map_or_else(|_| copy(owner), |()| agent));
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
        self.exchange(move |owner, responder| owner.mount_named(&skill, Some(&options), responder))
    }

    /// Unmounts a skill and drops its state. Has no effect when it is not mounted.
    ///
    /// # Errors
    /// When another mounted skill requires it.
    pub fn unmount(&self, skill: impl Into<String>) -> ResponseFuture<'_, G, (), MountError> {
        let skill = skill.into();
        self.exchange(move |owner, responder| owner.mount_named(&skill, None, responder))
    }
}
