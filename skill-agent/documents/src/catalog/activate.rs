//! Activates documents in a conversation.

use super::Catalog;
use crate::selection::{ActivationError, Activations, SelectionPolicy};
use crate::{DocumentReadError, SkillDoc};

/// The error returned by [`Catalog::activate`].
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ActivateDocumentError {
    /// The document cannot be read. For [`DocumentReadError::Untrusted`], ask a person; if they agree, pass the document's hash
    /// to [`Catalog::trust`] and try again.
    #[error(transparent)]
    Read(#[from] DocumentReadError),
    /// The policy allows only one active document, and a different one is already active.
    #[error(transparent)]
    Refused(#[from] ActivationError),
}

impl Catalog {
    /// Activates an offered document in a conversation for the policy's period, and returns it with its body.
    ///
    /// A document from a discovered source needs a person's trust first. Ask once for each version of the content:
    /// [`trust`](Self::trust) is valid until the document changes.
    ///
    /// ```
    /// use skill_agent::manifest::selection::{Activations, SelectionPolicy};
    /// use skill_agent::manifest::{ActivateDocumentError, Catalog, Dialect, DocumentReadError, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("plan"))?;
    /// # std::fs::write(path.join("plan/SKILL.md"), "# Plan\n")?;
    /// let mut catalog = Catalog::builder(Dialect::LILY)
    ///     .source(Source::project(path).discovered()) // path/plan/SKILL.md
    ///     .load();
    /// let (mut activations, policy) = (Activations::default(), SelectionPolicy::INDEX);
    /// match catalog.activate("plan", &mut activations, &policy) {
    ///     Err(ActivateDocumentError::Read(DocumentReadError::Untrusted { id, hash, .. })) => {
    ///         // show it to a person, who says yes
    ///         catalog.trust(&id, hash)?;
    ///     }
    ///     other => panic!("it is not trusted yet: {other:?}"),
    /// }
    /// let plan = catalog.activate("plan", &mut activations, &policy)?;
    /// assert_eq!(plan.body, "# Plan");
    /// assert!(activations.is_active("plan"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the document is not offered, not trusted or not readable. Also returns an error if the policy allows
    /// one active document and a different one is active. On failure, the activations are unchanged.
    pub fn activate(
        &self,
        id: &str,
        activations: &mut Activations,
        policy: &SelectionPolicy,
    ) -> Result<SkillDoc, ActivateDocumentError> {
        let doc = self.read(id)?;
        self.note_activation(id, activations, policy)?;
        Ok(doc)
    }

    /// Activates a document that the caller has already read.
    #[doc(hidden)]
    pub fn note_activation(
        &self,
        id: &str,
        activations: &mut Activations,
        policy: &SelectionPolicy,
    ) -> Result<(), ActivationError> {
        let selector = self.selector();
        // a person may also run documents that are hidden from models
        let is_known = |active: &str| self.get(active).is_some() || selector.get(active).is_some();
        activations.activate_among(id, policy, is_known)
    }
}
