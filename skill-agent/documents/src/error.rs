//! Errors of a catalog, one enum per operation. Problems with documents are diagnostics.

use super::escape::as_typed;
use super::{ContentHash, Diagnostic, PathProblem};
use skill_manifest::__private::sanitize_message;
use std::fmt;
use std::io;

/// Why [`CatalogBuilder::try_load`](super::CatalogBuilder::try_load) failed.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The folder of a source that is [`required`](super::Source::required) cannot be read.
    #[error(
        "the source `{source_name}` is required, and its folder `{path}` cannot be read: {why}"
    )]
    Required {
        /// The name of the source.
        source_name: String,
        /// Its folder.
        path: String,
        /// The reason.
        why: String,
    },
}

/// Why a document, or a file that it bundles, cannot be read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum DocumentReadError {
    /// No document with the id is offered.
    #[error("no skill `{}` is offered{}", as_typed(.id), suggestion(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested id.
        id: String,
        /// An id that is similar.
        nearest: Option<String>,
    },
    /// The catalog does not list the document: it has been removed, or the entry is from another catalog.
    #[error("the skill `{}` is not listed here; take it from `listed` of this catalog", as_typed(.id))]
    NotListed {
        /// The id of the document.
        id: String,
    },
    /// The document is listed, but not trusted.
    #[error("the skill `{id}` in `{path}` is not trusted; trust its content `{hash}` first")]
    Untrusted {
        /// The requested id.
        id: String,
        /// The file.
        path: String,
        /// The hash of the document when it was loaded.
        hash: ContentHash,
    },
    /// The file of the document no longer exists.
    #[error("`{path}` of the skill `{id}` has been removed; reload the catalog")]
    Removed {
        /// The id of the document.
        id: String,
        /// The file.
        path: String,
    },
    /// The file was edited, and is no longer a valid document with this id.
    #[error("`{path}` of the skill `{id}` is no longer valid: {why}")]
    Invalid {
        /// The id of the document.
        id: String,
        /// The file.
        path: String,
        /// The first error.
        why: String,
    },
    /// A file of a discovered source has changed since it was loaded, or a document since the requested entry was created.
    #[error("`{path}` has changed since the skill `{id}` was loaded; reload the catalog")]
    Changed {
        /// The requested id.
        id: String,
        /// The file.
        path: String,
    },
    /// The path is not valid for a bundled file.
    #[error("`{}` is not a valid path of a file of the skill `{id}`: {problem}", sanitize_message(.path.clone()))]
    Path {
        /// The id of the document.
        id: String,
        /// The requested path.
        path: String,
        /// The reason.
        problem: PathProblem,
    },
    /// The document bundles no such file.
    #[error("the skill `{id}` has no file `{}`", sanitize_message(.path.clone()))]
    NoResource {
        /// The id of the document.
        id: String,
        /// The requested path.
        path: String,
    },
    /// A file or folder is refused: a link, a device, a file with several hard links, or one over a limit of the dialect.
    #[error("`{path}` of the skill `{id}` is refused: {why}")]
    Refused {
        /// The id of the document.
        id: String,
        /// The file or folder.
        path: String,
        /// Why.
        why: String,
    },
    /// A file or folder cannot be read.
    #[error("`{path}` of the skill `{id}` cannot be read")]
    Io {
        /// The id of the document.
        id: String,
        /// The file or folder.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// Why a document cannot be trusted.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// No document with the id is listed.
    #[error("no skill `{}` is listed", as_typed(.id))]
    Unknown {
        /// The id.
        id: String,
    },
    /// The documents with the id have other hashes.
    #[error("the skill `{}` does not hold `{given}`: it holds `{}`", as_typed(.id), join(.found))]
    OtherContent {
        /// The id.
        id: String,
        /// The hash to be trusted.
        given: ContentHash,
        /// The hashes of the documents with the id.
        found: Vec<ContentHash>,
    },
}

/// Why a document cannot be enabled or disabled.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnableError {
    /// No document has the id.
    #[error("no document has the id `{}`{}", as_typed(.id), suggestion(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The id.
        id: String,
        /// An id that is similar.
        nearest: Option<String>,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |id| format!("; did you mean `{id}`?"))
}

fn join(hashes: &[ContentHash]) -> String {
    let hashes: Vec<_> = hashes.iter().map(ContentHash::to_string).collect();
    hashes.join("`, `")
}

/// Why a configuration is refused: every problem in both of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    diagnostics: Vec<Diagnostic>,
}

impl ConfigError {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics }
    }

    /// Returns the problems, the system's file first.
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
