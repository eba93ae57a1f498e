//! Stamps signals, and decides which emitted signals return to the agent.

use crate::chain;
use crate::error::NotKept;
use crate::owner::Owner;
use crate::owner::signal::pipeline::is_reserved;
use skill_core::process::SignalOf;
use skill_core::{Agent, Directive, Signal};

impl<G: Agent> Owner<G> {
    /// Stamps signals before they are logged, so that a signal that is published twice keeps its id. Also adds a schedule for
    /// each signal that loops back.
    pub(in crate::owner) fn stamp_directives(
        &mut self,
        directives: &mut Vec<Directive>,
    ) -> Result<(), NotKept> {
        let is_observed = self.journal.is_some()
            || self.outbox.is_some()
            || !self.settings.loopback.is_empty()
            || !self.shared.hub.is_empty();
        let mut loopbacks = Vec::new();
        for directive in directives.iter_mut() {
            self.plan_first_run(directive)?;
            match directive.signal_mut() {
                SignalOf::Published(signal) if is_observed => self.stamp_signal(signal),
                SignalOf::Delivered(signal) => self.stamp_signal(signal),
                SignalOf::Published(_) | SignalOf::None => {}
            }
            if let Directive::Emit(emit) = directive
                && self.is_looped_back(emit.ty())
            {
                loopbacks.push(Directive::Schedule(chain::loopback(emit)));
            }
        }
        directives.append(&mut loopbacks);
        Ok(())
    }

    pub(super) fn stamp_signal(&mut self, signal: &mut Signal) {
        let stamp = self.stamp();
        signal.stamp(&stamp.id, &self.settings.source, stamp.now);
    }

    /// Returns whether an emitted signal of this type is delivered to the agent itself.
    fn is_looped_back(&self, ty: &str) -> bool {
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
