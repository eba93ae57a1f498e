//! The active documents of a chat during a turn.

use skill_agent_documents::selection::Activations;
use skill_agent_toolbox::ToolSession;
use std::sync::Arc;

/// Remembers the activations at the end of the last step, and restores them when the turn ends or is dropped. Without this, a
/// document could restrict the tools although no message contains its body.
pub(super) struct StepActivations {
    session: Arc<ToolSession>,
    at_step_end: Activations,
}

impl StepActivations {
    pub(super) fn new(session: Arc<ToolSession>) -> Self {
        Self {
            at_step_end: session.activations(),
            session,
        }
    }

    /// Remembers the current activations, because their messages are now in the history.
    pub(super) fn keep(&mut self) {
        self.at_step_end = self.session.activations();
    }
}

impl Drop for StepActivations {
    fn drop(&mut self) {
        let activations = std::mem::take(&mut self.at_step_end);
        self.session.set_activations(activations);
    }
}
