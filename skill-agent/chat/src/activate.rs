//! Methods of [`Chat`] that activate documents.

use crate::history::context;
use crate::{Chat, ContextOrigin, ContextPart, MessagePart};
use skill_agent_documents::ActivateDocumentError;
use skill_agent_documents::selection::{Activations, Disclosure};
use std::sync::Arc;

/// The error of [`Chat::activate`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActivateError {
    /// The toolbox of the chat has no catalog.
    #[error("the toolbox has no catalog; add one with `Toolbox::builder().catalog(…)`")]
    NoCatalog,
    /// The document cannot be read, or another one is active.
    #[error(transparent)]
    Document(#[from] ActivateDocumentError),
    /// The task that read the document has panicked, or the runtime has ended. The log says which.
    #[error("the document was not read: the task that reads it has failed")]
    Ended,
}

impl Chat {
    /// Activates a document. The next message has the document's text for the model, and the activation counts from that message
    /// on, for the period of the toolbox's [policy](skill_agent_toolbox::ToolboxBuilder::selection_policy). Returns `false` if the
    /// document is already active.
    ///
    /// # Errors
    ///
    /// Returns [`ActivateError::NoCatalog`] if the toolbox has no catalog, and [`ActivateError::Document`] if the document does
    /// not exist, is not trusted or cannot be read, or if the policy allows one active document and another one is active.
    pub async fn activate(&mut self, id: &str) -> Result<bool, ActivateError> {
        let toolbox = &self.setup.toolbox;
        let catalog = toolbox.catalog().ok_or(ActivateError::NoCatalog)?;
        let policy = toolbox.selection_policy();
        let mut activations = self.next_activations();
        if activations.is_active(id) {
            return Ok(false);
        }
        let wanted = id.to_owned();
        let read = move || {
            let text = catalog.prompt_text(&wanted)?;
            let noted = catalog.note_activation(&wanted, &mut activations, &policy);
            noted.map(|()| text).map_err(ActivateDocumentError::from)
        };
        let text = tokio::task::spawn_blocking(read).await;
        let text = text.map_err(|error| {
            tracing::error!(%error, "a document was not read");
            ActivateError::Ended
        })??;
        self.contexts.push(ContextPart {
            text,
            loaded: vec![id.to_owned()],
            turns: context::turns_of(&policy),
            ..ContextPart::new(ContextOrigin::Program)
        });
        Ok(true)
    }

    /// Ends the activation of a document with the next message. Returns whether the document would be active then.
    pub fn deactivate(&mut self, id: &str) -> bool {
        if !self.next_activations().is_active(id) {
            return false;
        }
        self.contexts
            .retain(|part| !part.loaded.iter().any(|loaded| loaded == id));
        if self.next_activations().is_active(id) {
            self.contexts.push(ContextPart {
                ended: vec![id.to_owned()],
                ..ContextPart::new(ContextOrigin::Program)
            });
        }
        true
    }

    /// Returns the documents that are active in the conversation. They follow from the [history](Self::history).
    #[must_use]
    pub fn activations(&self) -> Activations {
        context::activations(&self.history)
    }

    /// Explains which documents a message would select, and why. Sends nothing. Returns `None` if no message selects documents:
    /// without a catalog, or with a policy that leaves the choice to the model.
    #[must_use]
    pub fn explain(&self, message: &str) -> Option<String> {
        let catalog = self.setup.toolbox.catalog()?;
        let policy = catalog.configured(self.setup.toolbox.selection_policy());
        if policy.disclosure == Disclosure::LazyTool {
            return None;
        }
        let selection = catalog.select(message, &self.next_activations(), &policy);
        Some(selection.to_string())
    }

    /// Returns the documents that are active in the turn of the next message.
    fn next_activations(&self) -> Activations {
        let mut activations = self.activations();
        activations.start_turn();
        for part in &self.contexts {
            context::apply(part, &mut activations);
        }
        activations
    }

    /// Adds parts for the activations that an earlier version kept beside the history.
    pub(crate) fn with_stored(mut self, stored: Vec<ContextPart>) -> Self {
        match Arc::make_mut(&mut self.history).last_mut() {
            Some(last) => last
                .parts
                .extend(stored.into_iter().map(MessagePart::Context)),
            None => self.contexts = stored,
        }
        self
    }
}
