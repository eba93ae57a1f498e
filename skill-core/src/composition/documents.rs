//! The documents that an agent lists, behind a trait because this crate knows no format of documents.

use crate::SkillSpec;
use std::any::Any;

/// The documents in `documents: [...]` of an agent.
#[doc(hidden)]
pub trait DocumentTable: Any + Send + Sync {
    /// Whether a document other than the one that `skill` was made from has an id that compares equal to `key`.
    fn has_key(&self, key: &str, skill: Option<&SkillSpec>) -> bool;

    /// The version of the document with that id; `None` if there is no such document.
    fn version_of(&self, id: &str) -> Option<Option<&'static str>>;
}
