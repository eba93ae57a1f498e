//! The active documents of a chat while a turn runs: they change with the history.

use skill_agent_documents::selection::Activations;
use skill_agent_toolbox::ToolSession;
use std::sync::Arc;

/// Keeps the activations as they were at the last end of a step, and puts them back when the turn ends or is dropped. Without it, a document
/// whose body is in no message would restrict the tools.
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

    /// Keeps the present ones: the messages that they belong to are in the history from now on.
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
