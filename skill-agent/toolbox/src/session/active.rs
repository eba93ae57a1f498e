//! Methods of [`ToolSession`] for the active documents of its conversation.

use super::ToolSession;
use skill_agent_documents::selection::Activations;

impl ToolSession {
    /// Returns the conversation's active documents, to save together with the conversation.
    pub fn activations(&self) -> Activations {
        self.inner.state().activations.clone()
    }

    /// Sets the active documents when a conversation is resumed.
    pub fn set_activations(&self, activations: Activations) {
        self.inner.state().activations = activations;
    }

    /// Starts the next turn, which is one request from the user. Ends the activations whose period is over.
    pub fn start_turn(&self) {
        self.inner.state().activations.start_turn();
    }
}
