//! Documents in `Mounted`, beside skills.

use super::SkillDoc;
use super::compose::dispatches;
use super::key::key;
use skill_core::{Directive, Document, MountError, Mounted};
use skill_manifest::__private::wrong_id;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

/// SKILL.md documents in [`Mounted`], which goes by one set of rules for them and for skills: an id is the name of one thing,
/// also of what the agent lists; what a document requires is there, and nothing that it requires is unmounted.
///
/// A document has no state, so none of it is in the state of the agent. A store keeps that it is mounted, and takes what it says
/// from the [registry](skill_core::Registry) when it starts: mount or [register](Self::register_doc) it before.
///
/// Whether a document is trusted and eligible is asked by a [`Catalog`](super::Catalog), and is not asked here again. A skill
/// that requires a document can be mounted in a `Mounted` without an agent only: `agent!` has to know what its skills require.
///
/// ```
/// use skill_agent::manifest::{Dialect, MountDocs, check};
/// use skill_agent::prelude::*;
///
/// let text = "---\nname: review\ndescription: Review a change.\n---\nRead it twice.\n";
/// let report = check(text, &Dialect::AGENT_SKILLS);
/// let review = report.doc().ok_or("it is valid")?;
///
/// let mut skills = Mounted::new();
/// skills.mount_doc(review.clone())?;
/// assert!(skills.is_mounted("review"));
/// assert_eq!(skills.offered_docs().map(|it| &*it.body).collect::<Vec<_>>(), ["Read it twice."]);
///
/// skills.disable("review")?;
/// assert_eq!(skills.offered_docs().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MountDocs {
    /// Mounts a document, and registers it; nothing is done when it is mounted already.
    ///
    /// # Errors
    /// An id that is none, or is taken; what it requires is not there, or not in that version; a tool in `requires_tools` or
    /// `command_tool`, or a toolset, that no mounted skill has and not the agent either.
    fn mount_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError>;

    /// Puts a document in the place of what is mounted under its id: a skill, or an earlier reading of the document, which stays
    /// disabled if it is. Gives the directives of unmounting a skill.
    ///
    /// # Errors
    /// When nothing is mounted under its id; as [`mount_doc`](Self::mount_doc); when its version will not do for what requires it.
    fn replace_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<Vec<Directive>, MountError>;

    /// Adds a document to the registry, or a later reading of one in its place, so that a signal can have it mounted by its id,
    /// and a store again.
    ///
    /// # Errors
    /// An id that is none.
    fn register_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError>;

    /// The mounted document of that id, be it disabled.
    fn doc(&self, id: &str) -> Option<&SkillDoc>;

    /// The mounted documents, be they disabled, in the order of mounting.
    fn docs(&self) -> impl Iterator<Item = &SkillDoc>;

    /// Those that may be offered to a model: they are enabled, and so is every skill whose tools they need, and their mode is
    /// not `tool_dispatch`.
    fn offered_docs(&self) -> impl Iterator<Item = &SkillDoc>;
}

impl MountDocs for Mounted {
    fn mount_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError> {
        self.mount_document(held(doc.into())?)
    }

    fn replace_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<Vec<Directive>, MountError> {
        self.replace_document(held(doc.into())?)
    }

    fn register_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError> {
        self.register_document(held(doc.into())?);
        Ok(())
    }

    fn doc(&self, id: &str) -> Option<&SkillDoc> {
        doc(self.document(id)?)
    }

    fn docs(&self) -> impl Iterator<Item = &SkillDoc> {
        self.documents().filter_map(doc)
    }

    fn offered_docs(&self) -> impl Iterator<Item = &SkillDoc> {
        let offered = self.offered_documents().filter_map(doc);
        offered.filter(|it| !dispatches(it))
    }
}

/// A document as `Mounted` takes it; a loader refuses ids that are none, and whoever makes a document himself may not.
fn held(doc: Arc<SkillDoc>) -> Result<Arc<dyn Document>, MountError> {
    match wrong_id(&doc.id) {
        Some(wrong) => Err(MountError::wrong_name(&wrong.message)),
        None => Ok(Arc::new(Held(doc))),
    }
}

/// The SKILL.md in a mounted document, if it is one.
fn doc(document: &dyn Document) -> Option<&SkillDoc> {
    let document: &dyn Any = document;
    document.downcast_ref().map(|Held(doc)| &**doc)
}

#[derive(Debug, PartialEq, Eq)]
struct Held(Arc<SkillDoc>);

impl Document for Held {
    fn id(&self) -> &str {
        &self.0.id
    }

    fn key(&self) -> Cow<'_, str> {
        key(&self.0.id)
    }

    fn version(&self) -> Option<&str> {
        self.0.version.as_deref()
    }

    fn requires(&self) -> &[Cow<'static, str>] {
        &self.0.requires
    }

    fn tools(&self) -> Vec<&str> {
        let command = self.0.command_tool.as_deref();
        let command = command.filter(|_| dispatches(&self.0));
        let required = self.0.requires_tools.iter().map(|it| &**it);
        required.chain(command).collect()
    }

    fn toolsets(&self) -> &[Cow<'static, str>] {
        &self.0.toolsets
    }

    fn is_same(&self, other: &dyn Document) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}
