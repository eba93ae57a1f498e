//! [`AgentParts`]: the content of the struct of an agent.

use crate::context::AgentEnv;

/// The state of an agent, and the part that commands do not change.
///
/// The fields are private to this crate. As fields of the struct in the user's crate, rustc would recommend them for a field of the
/// state: `agent.state.counter`, which compiles there and changes a state without an action.
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

    /// Borrows the parts to change them.
    #[inline]
    pub const fn split_mut(&mut self) -> (&mut S, &mut AgentEnv) {
        (&mut self.state, &mut self.env)
    }
}
