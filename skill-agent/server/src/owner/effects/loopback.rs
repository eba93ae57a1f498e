//! Decides which emitted signals return to the agent.

use crate::owner::Owner;
use crate::owner::signal::pipeline::is_reserved;
use skill_core::Agent;

impl<G: Agent> Owner<G> {
    /// Returns whether an emitted signal of this type is delivered to the agent itself.
    pub(super) fn is_looped_back(&self, ty: &str) -> bool {
        self.settings
            .loopback
            .iter()
            .any(|pattern| pattern.matches(ty))
    }

    /// Warns once about an emitted type that nothing receives, although the agent has a route for it.
    pub(super) fn warn_of_unheard(&mut self, ty: &str) {
        let has_route = self.routing.router.has_route(ty) && !is_reserved(ty);
        if has_route && !self.is_looped_back(ty) && !self.unheard.contains(ty) {
            self.unheard.insert(ty.to_owned());
            tracing::warn!(
                agent = G::SPEC.name,
                ty,
                "nothing receives an emitted signal that has a route in this agent; deliver it with `AgentServer::builder(...).loopback(\"{ty}\")`, or queue the action itself with `cx.run(...)`"
            );
        }
    }
}
