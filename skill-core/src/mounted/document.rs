//! Documents among the mounted skills.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

/// A document that can be mounted beside skills: instructions for a model, with neither state nor actions. It goes by the
/// same rules: its name is free, what it requires is there, and stays as long as it does.
///
/// This crate knows no format of documents. `skill_agent::manifest::MountDocs` mounts a SKILL.md.
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
///     "the skill `review` cannot be unmounted, because `release` requires it; unmount `release` first",
/// );
/// # Ok::<(), skill_core::MountError>(())
/// ```
pub trait Document: Any + fmt::Debug + Send + Sync {
    /// The name it goes by: one line, and not blank.
    fn id(&self) -> &str;

    /// The id in the form in which names are compared: two that a person takes for one have the same. The form is that of all
    /// documents of a program; an id that is a name of a skill, in whatever case, has the form of that name.
    fn key(&self) -> Cow<'_, str>;

    /// A semantic version.
    fn version(&self) -> Option<&str> {
        None
    }

    /// The skills and documents without which it cannot be mounted, each `name` or `name@version`.
    fn requires(&self) -> &[Cow<'static, str>] {
        &[]
    }

    /// The tools without which it cannot be mounted.
    fn tools(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The toolsets without which it cannot be mounted, each `path:Type`: a skill of that Rust type.
    fn toolsets(&self) -> &[Cow<'static, str>] {
        &[]
    }

    /// Whether it says the same as another one, id and all: mounting then takes the one for the other.
    fn is_same(&self, other: &dyn Document) -> bool;
}
