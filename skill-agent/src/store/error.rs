//! The errors of a store.

use super::encoding::EncodeError;
use std::path::PathBuf;

/// An error of a store. `place` is the path of its file, or `memory`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The agent's log is already open.
    #[error(
        "the log of `{id}` is already open: an agent id can have one server at a time, so stop the other one first"
    )]
    #[non_exhaustive]
    Owned {
        /// The id of the entry.
        id: String,
    },
    /// Another process has the file open.
    #[error("`{}` is open in another process: only one process at a time can use a store file", .path.display())]
    #[non_exhaustive]
    InUse {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be opened.
    #[error("`{}` cannot be opened", .path.display())]
    #[non_exhaustive]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The log refused the write, wrote nothing, and can still be used.
    #[error("the log of `{id}` refused a write")]
    #[non_exhaustive]
    Refused {
        /// The id of the entry.
        id: String,
        /// The reason.
        source: Refusal,
    },
    /// A write failed, and how much of it was written is unknown. The log refuses every write until its entry is opened
    /// again.
    #[error("a write to the log of `{id}` in `{place}` failed")]
    #[non_exhaustive]
    Failed {
        /// The id of the entry.
        id: String,
        /// The path of its file, or `memory`.
        place: String,
        /// The cause.
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
    /// The data was written by a newer build.
    #[error("`{place}` has format {found}, but this build reads formats up to {known}")]
    #[non_exhaustive]
    Format {
        /// The path of its file, or `memory`.
        place: String,
        /// The format of the data.
        found: u32,
        /// The newest format this build reads.
        known: u32,
    },
}

/// The reason why a log refused a write.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A record or snapshot is too large.
    #[error("number {seq} has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    TooLarge {
        /// Its number.
        seq: u64,
        /// Its size, in bytes.
        size: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
    /// The number of a record or snapshot is out of sequence.
    #[error(
        "number {found} is out of sequence: the last record is {last}, so a record must be {} and a snapshot at most {last}",
        .last.saturating_add(1)
    )]
    #[non_exhaustive]
    Sequence {
        /// Its number.
        found: u64,
        /// The number of the last record in the log.
        last: u64,
    },
    /// A record or snapshot cannot be encoded.
    #[error("number {seq} cannot be encoded")]
    #[non_exhaustive]
    Encode {
        /// Its number.
        seq: u64,
        /// The cause.
        source: EncodeError,
    },
    /// `recover` was not called.
    #[error("the log has not been recovered yet: call `recover` first")]
    NotRecovered,
    /// A test injected this error.
    #[error("a test injected this error")]
    Injected,
}

impl StoreError {
    /// An error for a log that cannot be used for a reason other than its medium.
    pub(crate) fn unusable(id: &str, reason: impl Into<String>) -> Self {
        Self::Failed {
            id: id.to_owned(),
            place: "the server".to_owned(),
            source: reason.into().into(),
        }
    }
}
