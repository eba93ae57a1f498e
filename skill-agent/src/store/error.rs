//! The errors of a store.

use super::encoding::EncodeError;
use std::path::PathBuf;

/// The error of a store. `place` is the path of its file, or `memory`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The log of the agent is open already.
    #[error(
        "the log of `{id}` is in use: an agent id has one server at a time, the other must stop first"
    )]
    #[non_exhaustive]
    Owned {
        /// The entry.
        id: String,
    },
    /// Another process has the file open.
    #[error("`{}` is open in another process: a file of agents belongs to one process at a time", .path.display())]
    #[non_exhaustive]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened.
    #[error("`{}` cannot be opened", .path.display())]
    #[non_exhaustive]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The log refused the write, wrote nothing, and can be used further.
    #[error("the log of `{id}` refused a write")]
    #[non_exhaustive]
    Refused {
        /// The entry.
        id: String,
        /// Why.
        source: Refusal,
    },
    /// It is unknown what was written. The log refuses every write until its entry is opened again.
    #[error("a write to the log of `{id}` in `{place}` failed")]
    #[non_exhaustive]
    Failed {
        /// The entry.
        id: String,
        /// The path of its file, or `memory`.
        place: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The stored data cannot be read. Nothing was changed.
    #[error("`{place}` is damaged: {reason}")]
    #[non_exhaustive]
    Corrupt {
        /// The path of its file, or `memory`.
        place: String,
        /// The problem.
        reason: String,
    },
    /// A newer build wrote the data.
    #[error(
        "`{place}` has format {found}, which is newer than this build, which knows up to {known}"
    )]
    #[non_exhaustive]
    Format {
        /// The path of its file, or `memory`.
        place: String,
        /// The format that was found.
        found: u32,
        /// The newest format that this build reads.
        known: u32,
    },
}

/// Why a log refused a write.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A record or snapshot is too large.
    #[error("number {seq} has {size} bytes, more than the {limit} that are allowed")]
    #[non_exhaustive]
    TooLarge {
        /// Its number.
        seq: u64,
        /// Its size, in bytes.
        size: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
    /// A record or snapshot has a number that does not follow.
    #[error("number {found} is not in place, the log is at {last}")]
    #[non_exhaustive]
    Sequence {
        /// Its number.
        found: u64,
        /// The number of the last record in the log.
        last: u64,
    },
    /// A record or snapshot cannot be written as bytes.
    #[error("number {seq} cannot be encoded")]
    #[non_exhaustive]
    Encode {
        /// Its number.
        seq: u64,
        /// Why.
        source: EncodeError,
    },
    /// `recover` was not called first.
    #[error("it has not been recovered yet")]
    NotRecovered,
    /// A test injected the error.
    #[error("a test asked for it")]
    Asked,
}

impl StoreError {
    /// A log that cannot be used, for another reason than its medium.
    pub(crate) fn unusable(id: &str, reason: impl Into<String>) -> Self {
        Self::Failed {
            id: id.to_owned(),
            place: "the server".to_owned(),
            source: reason.into().into(),
        }
    }
}
