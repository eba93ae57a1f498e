//! Activates documents in a conversation.

use super::Catalog;
use crate::selection::{ActivationError, Activations, SelectionPolicy};
use crate::{DocumentReadError, SkillDoc};

/// Why [`Catalog::activate`] failed.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ActivateDocumentError {
    /// The document cannot be read. [`DocumentReadError::Untrusted`] is a question for a person. After a yes, [`Catalog::trust`] its hash, and activate it again.
    #[error(transparent)]
    Read(#[from] DocumentReadError),
    /// The policy does not allow it now.
    #[error(transparent)]
    Refused(#[from] ActivationError),
}

impl Catalog {
    /// Activates an offered document in a conversation, for the period of the policy, and returns it with its body.
    ///
    /// A document of a discovered source is activated only after a person has trusted it. This is asked once for each content:
    /// the answer is [`trust`](Self::trust), which holds until the document changes.
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
    /// Fails if no such document is offered, it is not trusted or cannot be read, or the policy allows one active document and
    /// another one is active. The activations are unchanged then.
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

    /// Activates a document that was read.
    #[doc(hidden)]
    pub fn note_activation(
        &self,
        id: &str,
        activations: &mut Activations,
        policy: &SelectionPolicy,
    ) -> Result<(), ActivationError> {
        let selector = self.selector();
        activations.activate_among(id, policy, |active| selector.get(active).is_some())
    }
}
