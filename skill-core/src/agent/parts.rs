//! [`AgentParts`]: the content of an agent's struct.

use crate::context::AgentEnv;

/// An agent's state, and the parts of the agent that commands do not change.
///
/// The fields are private to this crate. If they were fields of the user's struct, rustc would suggest `agent.state.counter` to a
/// user who looks for a field of the state. That would compile and change state without an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentParts<S> {
    state: S,
    env: AgentEnv,
}

impl<S> AgentParts<S> {
    /// Joins the parts.
    pub const fn new(state: S, env: AgentEnv) -> Self {
        Self { state, env }
    }

    /// Borrows the parts.
    #[inline]
    pub const fn split(&self) -> (&S, &AgentEnv) {
        (&self.state, &self.env)
    }

    /// Borrows the parts mutably.
    #[inline]
    pub const fn split_mut(&mut self) -> (&mut S, &mut AgentEnv) {
        (&mut self.state, &mut self.env)
    }
}
