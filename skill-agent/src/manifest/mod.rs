//! SKILL.md documents: embedded at compile time, found in folders, offered to a model, invoked by a person.
//!
//! [`check`] checks one document; this module re-exports the public interface of the crate `skill-manifest`. [`Catalog`] holds
//! the documents of several [`Source`]s: those that are offered, and why the others are not.

mod catalog;
mod command;
mod compose;
mod documents;
mod error;
mod escape;
mod folder;
mod hash;
mod host;
mod key;
mod mounted;
mod prompt;
mod resource_path;
mod source;
mod sources;
mod tool;
#[cfg(feature = "watch")]
mod watch;

pub use catalog::{Catalog, CatalogBuilder, Changes, Entry};
pub use command::{ArgumentError, Command, CommandError};
pub use documents::Documents;
pub use error::{ConfigError, LoadError, ReadError, TrustError};
pub use hash::{ContentHash, ParseHashError};
pub use host::Machine;
pub use mounted::MountDocs;
pub use prompt::Prompt;
pub use resource_path::PathProblem;
pub use source::Source;
pub use sources::Sources;
#[cfg(feature = "watch")]
pub use watch::{WatchError, Watcher};

pub use skill_manifest::*;

/// For generated code. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use super::compose::{
        Candidate, Examined, Listed, Scene, candidates, count, examine, tell, tell_allow_skills,
        tool_names,
    };
    pub use super::documents::Table;
    pub use super::folder::inside;
    pub use skill_manifest::__private::*;
    pub use skill_manifest::SkillDoc;
}
