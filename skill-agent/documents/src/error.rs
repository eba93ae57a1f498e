//! Errors from a catalog, one type per operation. Problems that a load finds in single documents are diagnostics instead.

use super::escape::as_typed;
use super::{ContentHash, Diagnostic, PathProblem};
use skill_agent_schema::suggest;
use skill_manifest::__private::sanitize_message;
use std::fmt;
use std::io;

/// The error returned by [`CatalogBuilder::try_load`](super::CatalogBuilder::try_load).
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The folder of a [`required`](super::Source::required) source cannot be read.
    #[error(
        "the source `{source_name}` is required, and its folder `{path}` cannot be read: {why}"
    )]
    Required {
        /// The source's name.
        source_name: String,
        /// The path of the source's folder.
        path: String,
        /// The reason as text.
        why: String,
    },
}

/// The error for a document or bundled file that cannot be read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum DocumentReadError {
    /// No document with this id is offered.
    #[error("no skill `{}` is offered{}", as_typed(.id), suggest(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested id.
        id: String,
        /// The most similar id.
        nearest: Option<String>,
    },
    /// The catalog no longer lists the document, or never did. The entry comes from an earlier load or from a different catalog.
    #[error("the skill `{}` is not listed here; take it from `listed` of this catalog", as_typed(.id))]
    NotListed {
        /// The document's id.
        id: String,
    },
    /// The document is listed but not trusted.
    #[error("the skill `{id}` in `{path}` is not trusted; trust its content `{hash}` first")]
    Untrusted {
        /// The requested id.
        id: String,
        /// The path of the document's file.
        path: String,
        /// The document's hash at load time.
        hash: ContentHash,
    },
    /// The document's file no longer exists.
    #[error("`{path}` of the skill `{id}` has been removed; reload the catalog")]
    Removed {
        /// The document's id.
        id: String,
        /// The path of the document's file.
        path: String,
    },
    /// The file was edited and is no longer a valid document with this id.
    #[error("`{path}` of the skill `{id}` is no longer valid: {why}")]
    Invalid {
        /// The document's id.
        id: String,
        /// The path of the document's file.
        path: String,
        /// The file's first error.
        why: String,
    },
    /// The files of a document from a discovered source have changed since the load, or the document has changed since the entry
    /// was created.
    #[error("`{path}` has changed since the skill `{id}` was loaded; reload the catalog")]
    Changed {
        /// The requested id.
        id: String,
        /// The path of the changed file.
        path: String,
    },
    /// The path is invalid for a bundled file.
    #[error("`{}` is not a valid path of a file of the skill `{id}`: {problem}", sanitize_message(.path.clone()))]
    Path {
        /// The document's id.
        id: String,
        /// The requested path.
        path: String,
        /// Why the path is invalid.
        problem: PathProblem,
    },
    /// The document has no such bundled file.
    #[error("the skill `{id}` has no file `{}`", sanitize_message(.path.clone()))]
    NoResource {
        /// The document's id.
        id: String,
        /// The requested path.
        path: String,
    },
    /// The file or folder is not allowed, for example because it is a link or a device, has several hard links, or exceeds a
    /// limit of the dialect.
    #[error("`{path}` of the skill `{id}` is refused: {why}")]
    Refused {
        /// The document's id.
        id: String,
        /// The path of the file or folder.
        path: String,
        /// The reason as text.
        why: String,
    },
    /// The file or folder cannot be read.
    #[error("`{path}` of the skill `{id}` cannot be read")]
    Io {
        /// The document's id.
        id: String,
        /// The path of the file or folder.
        path: String,
        /// The operating system's error.
        source: io::Error,
    },
}

/// The error for a document that cannot be trusted.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// No document with this id is listed.
    #[error("no skill `{}` is listed", as_typed(.id))]
    Unknown {
        /// The requested id.
        id: String,
    },
    /// No document with this id has the given hash.
    #[error("the skill `{}` does not hold `{given}`: it holds `{}`", as_typed(.id), join(.found))]
    OtherContent {
        /// The requested id.
        id: String,
        /// The hash passed to [`Catalog::trust`](super::Catalog::trust).
        given: ContentHash,
        /// The hashes of the documents with this id.
        found: Vec<ContentHash>,
    },
}

/// The error for a document that cannot be enabled or disabled.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnableError {
    /// No document has this id.
    #[error("no document has the id `{}`{}", as_typed(.id), suggest(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested id.
        id: String,
        /// The most similar id.
        nearest: Option<String>,
    },
}

fn join(hashes: &[ContentHash]) -> String {
    let hashes: Vec<_> = hashes.iter().map(ContentHash::to_string).collect();
    hashes.join("`, `")
}

/// The error for an invalid configuration, with all problems in both of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    diagnostics: Vec<Diagnostic>,
}

impl ConfigError {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics }
    }

    /// Returns the problems, beginning with the problems in the system's file.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration of documents is wrong")?;
        self.diagnostics
            .iter()
            .try_for_each(|diagnostic| write!(f, "\n{diagnostic}"))
    }
}

impl std::error::Error for ConfigError {}
