//! The options of the builder for agents by id.

use super::AgentServerBuilder;
use crate::handle::ById;
use crate::signals::signal_sink::SignalSink;
use skill_core::Agent;
use std::sync::Arc;

#[doc(hidden)]
impl<G: Agent, R> AgentServerBuilder<G, R> {
    /// Returns the id of the agent.
    pub fn id(&self) -> Option<&str> {
        self.agent.id()
    }

    /// Passes emitted signals on to the subscriptions of handles by id. Leaves the log empty if the agent changes nothing.
    pub fn serve_by_id(mut self, by_id: &ById) -> Self {
        self.settings.leaves_empty_log = true;
        self.settings.hub.forward_to(Arc::clone(&by_id.0.hub));
        self
    }

    /// Removes the sink for signals that leave the agent.
    pub fn take_signal_sink(&mut self) -> Option<Arc<dyn SignalSink>> {
        self.settings.signal_sink.take()
    }
}
