//! Methods of [`Chat`] that activate documents.

use crate::history::{context, groups};
use crate::{Chat, ContextOrigin, ContextPart, MessagePart};
use skill_agent_documents::selection::{Activations, Disclosure, SelectionPolicy};
use skill_agent_documents::{ActivateDocumentError, Catalog, CommandError, CommandOutcome};
use std::sync::Arc;

/// The error of [`Chat::activate`] and [`Chat::command`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActivateError {
    /// The toolbox of the chat has no catalog.
    #[error("the toolbox has no catalog; add one with `Toolbox::builder().catalog(…)`")]
    NoCatalog,
    /// The toolbox withholds the documents from the model: because of a data flow, as its
    /// [list](skill_agent_toolbox::ToolList::withheld) says, by
    /// [`without_documents`](skill_agent_toolbox::Toolbox::without_documents), or because the chat's AGENT.md does
    /// not allow documents.
    #[error(
        "the documents are withheld from this chat: by a data flow, which `withheld` in the list of the tools names, by \
         `Toolbox::without_documents`, or by an AGENT.md without `allow_skills: true`"
    )]
    Withheld,
    /// The document cannot be read, or another one is active.
    #[error(transparent)]
    Document(#[from] ActivateDocumentError),
    /// The command line is wrong.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The task that read the document has panicked, or the runtime has ended. The log says which.
    #[error("the document was not read: the task that reads it has failed")]
    Ended,
}

/// Reads documents on a thread that may block.
async fn read<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, ActivateError> + Send + 'static,
) -> Result<T, ActivateError> {
    let read = tokio::task::spawn_blocking(read).await;
    read.unwrap_or_else(|error| {
        tracing::error!(%error, "a document was not read");
        Err(ActivateError::Ended)
    })
}

/// Returns the text of a document, and notes its activation.
fn activated(
    catalog: &Catalog,
    id: &str,
    body: Option<&str>,
    activations: &mut Activations,
    policy: &SelectionPolicy,
) -> Result<String, ActivateDocumentError> {
    let text = catalog.prompt_text(id, body)?;
    catalog.note_activation(id, activations, policy)?;
    Ok(text)
}

impl Chat {
    /// Activates a document. The next message has the document's text for the model, and the activation counts from that message
    /// on, for the period of the toolbox's [policy](skill_agent_toolbox::ToolboxBuilder::selection_policy). A turn that is resumed
    /// or decided before does not have the document yet. The guard is not asked, because your program chooses the document.
    ///
    /// Returns `false` if the document is already active. The activation then begins anew, and the text is not repeated.
    ///
    /// # Errors
    ///
    /// Returns [`ActivateError::NoCatalog`] if the toolbox has no catalog, and [`ActivateError::Withheld`] if it withholds the
    /// documents. Returns [`ActivateError::Document`] if the document does not exist, is not trusted or cannot be read, or if the
    /// policy allows one active document and another one is active.
    pub async fn activate(&mut self, id: &str) -> Result<bool, ActivateError> {
        let catalog = self.documents().await?;
        let policy = self.setup.toolbox.selection_policy();
        let mut activations = self.next_activations();
        if activations.is_active(id) {
            let mut waiting = self.contexts.iter().flat_map(|part| &part.loaded);
            let list = self.setup.toolbox.known_list();
            let loaded = groups::loaded(&self.history);
            let loads = groups::has_group(&list, id) && !loaded.iter().any(|name| name == id);
            let counts = context::turns_of(&policy).is_some() || loads;
            if waiting.all(|waiting| waiting != id) && counts {
                self.push_activation(id.to_owned(), String::new());
            }
            return Ok(false);
        }
        let wanted = id.to_owned();
        let text = read(move || {
            Ok(activated(
                &catalog,
                &wanted,
                None,
                &mut activations,
                &policy,
            )?)
        });
        let text = text.await?;
        self.push_activation(id.to_owned(), text);
        Ok(true)
    }

    /// Runs a person's command line, such as `/plan the release`, with the toolbox's catalog; see
    /// [`Catalog::command`](skill_agent_documents::Catalog::command).
    ///
    /// If the line activates a document, the next message has the instructions with the typed words, as after
    /// [`activate`](Self::activate). The line itself is not sent: send the words, or a text of your own. `/reload_skills`
    /// [replaces](skill_agent_toolbox::Toolbox::set_catalog) the catalog in the toolbox. A call of an action is returned and not
    /// run.
    ///
    /// # Errors
    ///
    /// Returns [`ActivateError::NoCatalog`] if the toolbox has no catalog, and [`ActivateError::Withheld`] if it withholds the
    /// documents. Returns [`ActivateError::Command`] if the line is wrong, and [`ActivateError::Document`] if the policy allows one
    /// active document and another one is active.
    pub async fn command(&mut self, line: &str) -> Result<CommandOutcome, ActivateError> {
        let mut catalog = self.documents().await?;
        let toolbox = self.setup.toolbox.clone();
        let policy = toolbox.selection_policy();
        let mut activations = self.next_activations();
        let line = line.to_owned();
        let ran = read(move || {
            let generation = catalog.generation();
            let outcome = catalog.command(&line)?;
            let text = match &outcome {
                CommandOutcome::Activate { id, body, .. } => Some(activated(
                    &catalog,
                    id,
                    Some(body),
                    &mut activations,
                    &policy,
                )?),
                _ => None,
            };
            if catalog.generation() != generation {
                toolbox.set_catalog(catalog);
            }
            Ok((outcome, text))
        });
        let (outcome, text) = ran.await?;
        if let (CommandOutcome::Activate { id, .. }, Some(text)) = (&outcome, text) {
            self.push_activation(id.clone(), text);
        }
        Ok(outcome)
    }

    /// Returns the catalog.
    async fn documents(&self) -> Result<Catalog, ActivateError> {
        let (toolbox, caller) = (&self.setup.toolbox, &self.setup.caller);
        let rights = toolbox.session(caller.clone()).into_document_rights().await;
        let rights = rights.ok_or(ActivateError::NoCatalog)?;
        if rights.are_withheld() {
            return Err(ActivateError::Withheld);
        }
        Ok(rights.catalog().clone())
    }

    /// Adds a part for an activated document to the next message.
    fn push_activation(&mut self, id: String, text: String) {
        self.contexts.retain(|part| !part.loaded.contains(&id));
        let loaded = vec![id];
        self.contexts.push(ContextPart {
            text,
            groups: groups::among(&self.setup.toolbox.known_list(), &loaded),
            loaded,
            turns: context::turns_of(&self.setup.toolbox.selection_policy()),
            ..ContextPart::new(ContextOrigin::Program)
        });
    }

    /// Ends the activation of a document with the next message. Returns whether the document would be active then.
    pub fn deactivate(&mut self, id: &str) -> bool {
        if !self.next_activations().is_active(id) {
            return false;
        }
        let is_other = |part: &ContextPart| part.loaded.iter().all(|loaded| loaded != id);
        self.contexts.retain(is_other);
        if self.next_activations().is_active(id) {
            self.contexts.push(ContextPart {
                ended: vec![id.to_owned()],
                ..ContextPart::new(ContextOrigin::Program)
            });
        }
        true
    }

    /// Returns the documents that are active in the conversation. They follow from the [history](Self::history), and from the
    /// documents that wait for the next message.
    #[must_use]
    pub fn activations(&self) -> Activations {
        self.with_waiting(context::activations(&self.history))
    }

    /// Explains which documents a message would select, and why. Sends nothing, and does not ask the guard. Returns `None` if no
    /// message selects documents: without a catalog, or with a policy that leaves the choice to the model.
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
        let mut activations = context::activations(&self.history);
        activations.start_turn();
        self.with_waiting(activations)
    }

    fn with_waiting(&self, mut activations: Activations) -> Activations {
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
