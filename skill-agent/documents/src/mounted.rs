//! Documents in `Mounted`, next to skills.

use super::SkillDoc;
use super::audience::is_for_models;
use super::composition::dispatches;
use super::key::key;
use skill_core::{Directive, Document, MountError, Mounted};
use skill_manifest::__private::id_problem;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

/// SKILL.md documents in [`Mounted`]. The same rules apply to documents and skills: each id may belong to only one skill or
/// document, including the agent's listed ones. A document's requirements must be mounted or listed, and cannot be unmounted.
///
/// A document has no state, so the agent's state does not contain it. A store records that the document is mounted, and restores
/// its contents from the [registry](skill_core::Registry) when the server starts. Mount or [register](Self::register_doc) the
/// document before then.
///
/// A [`Catalog`](super::Catalog) checks trust and eligibility; mounting does not check them again. A skill that requires a
/// document can only be mounted in a `Mounted` without an agent, because `agent!` must know its skills' requirements.
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
/// assert_eq!(skills.offered_docs().map(|doc| &*doc.body).collect::<Vec<_>>(), ["Read it twice."]);
///
/// skills.disable("review")?;
/// assert_eq!(skills.offered_docs().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MountDocs {
    /// Mounts and registers a document. Does nothing if the same document is already mounted.
    ///
    /// # Errors
    /// Returns an error if the id is invalid or taken, or if a requirement is missing or has a different version. Also returns an
    /// error if `requires_tools`, `command_tool` or `toolsets` names a tool or skill type that neither the agent nor a mounted
    /// skill has.
    fn mount_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError>;

    /// Replaces the skill or the earlier version of the document that is mounted under the document's id. A disabled document
    /// stays disabled. Returns the directives from unmounting the skill, if it replaces one.
    ///
    /// # Errors
    /// Returns an error if nothing is mounted under the id, if a mounted skill or document requires a different version, or for
    /// the same reasons as [`mount_doc`](Self::mount_doc).
    fn replace_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<Vec<Directive>, MountError>;

    /// Adds a document to the registry, replacing an earlier version. A signal can then mount it by its id, and a store can
    /// restore it.
    ///
    /// # Errors
    /// Returns an error if the id is invalid.
    fn register_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError>;

    /// Returns the mounted document with that id, even if it is disabled.
    fn doc(&self, id: &str) -> Option<&SkillDoc>;

    /// Returns the mounted documents, including disabled ones, in mounting order.
    fn docs(&self) -> impl Iterator<Item = &SkillDoc>;

    /// Returns the documents that may be offered to a model: those that are enabled together with their required skills, are not
    /// in `tool_dispatch` mode, and do not set `disable-model-invocation: true`.
    fn offered_docs(&self) -> impl Iterator<Item = &SkillDoc>;
}

impl MountDocs for Mounted {
    fn mount_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError> {
        self.mount_document(mounted_doc(doc.into())?)
    }

    fn replace_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<Vec<Directive>, MountError> {
        self.replace_document(mounted_doc(doc.into())?)
    }

    fn register_doc(&mut self, doc: impl Into<Arc<SkillDoc>>) -> Result<(), MountError> {
        self.register_document(mounted_doc(doc.into())?);
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
        offered.filter(|doc| is_for_models(doc))
    }
}

/// Wraps a document for `Mounted`. Returns an error for an invalid id: loaders reject such ids, but a document built in code may
/// have one.
fn mounted_doc(doc: Arc<SkillDoc>) -> Result<Arc<dyn Document>, MountError> {
    match id_problem(&doc.id) {
        Some(wrong) => Err(MountError::wrong_name(&wrong.message)),
        None => Ok(Arc::new(MountedDoc(doc))),
    }
}

/// Returns a mounted document as a SKILL.md document.
fn doc(document: &dyn Document) -> Option<&SkillDoc> {
    let document: &dyn Any = document;
    document.downcast_ref().map(|MountedDoc(doc)| &**doc)
}

#[derive(Debug, PartialEq, Eq)]
struct MountedDoc(Arc<SkillDoc>);

impl Document for MountedDoc {
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
        let required = self.0.requires_tools.iter().map(|tool| &**tool);
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
