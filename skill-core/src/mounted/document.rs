//! The trait for documents that can be mounted.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

/// A document that can be mounted like a skill: instructions for a model, without state or actions. The rules for skills also
/// apply to documents: the name must be unique, and the requirements must be mounted before the document and cannot be unmounted
/// while it is mounted.
///
/// This crate does not know any document format. `skill_agent::manifest::MountDocs` mounts SKILL.md files.
///
/// ```
/// use skill_core::{Document, Mounted};
/// use std::any::Any;
/// use std::borrow::Cow;
/// use std::sync::Arc;
///
/// #[derive(Debug, PartialEq)]
/// struct Note(&'static str, &'static [Cow<'static, str>]);
///
/// impl Document for Note {
///     fn id(&self) -> &str {
///         self.0
///     }
///     fn key(&self) -> Cow<'_, str> {
///         Cow::Owned(self.0.to_lowercase())
///     }
///     fn requires(&self) -> &[Cow<'static, str>] {
///         self.1
///     }
///     fn is_same(&self, other: &dyn Document) -> bool {
///         (other as &dyn Any).downcast_ref() == Some(self)
///     }
/// }
///
/// let mut skills = Mounted::new();
/// skills.mount_document(Arc::new(Note("review", &[])))?;
/// skills.mount_document(Arc::new(Note("release", &[Cow::Borrowed("review")])))?;
/// assert_eq!(skills.names().collect::<Vec<_>>(), ["review", "release"]);
/// assert_eq!(
///     skills.unmount_named("review").unwrap_err().to_string(),
///     "`review` cannot be unmounted, because `release` requires it; unmount `release` first",
/// );
/// # Ok::<(), skill_core::MountError>(())
/// ```
pub trait Document: Any + fmt::Debug + Send + Sync {
    /// Returns the document's name: one line that is not blank.
    fn id(&self) -> &str;

    /// Returns the id in a normalized form for comparison. Two ids that a person would confuse have the same normalized form. All
    /// documents in a program must use the same normalization. It must convert a skill's name in any case, such as upper case, to
    /// the name itself.
    fn key(&self) -> Cow<'_, str>;

    /// Returns the document's semantic version.
    fn version(&self) -> Option<&str> {
        None
    }

    /// Returns the required skills and documents, each as `name` or `name@version`.
    fn requires(&self) -> &[Cow<'static, str>] {
        &[]
    }

    /// Returns the names of the required tools.
    fn tools(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns the required toolsets. A toolset `path:Type` requires a skill of that Rust type.
    fn toolsets(&self) -> &[Cow<'static, str>] {
        &[]
    }

    /// Returns whether the other document has the same id and content. Mounting treats the two as one.
    fn is_same(&self, other: &dyn Document) -> bool;
}
