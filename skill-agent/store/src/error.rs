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
        /// The id of the log.
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
    /// The log refused a write or read, wrote nothing, and can still be used.
    #[error("the log of `{id}` refused the access")]
    #[non_exhaustive]
    Refused {
        /// The id of the log.
        id: String,
        /// The reason.
        source: Refusal,
    },
    /// A write or read failed, and how much of a write was written is unknown. The log refuses every write until it is opened
    /// again.
    #[error("an access to the log of `{id}` in `{place}` failed")]
    #[non_exhaustive]
    Failed {
        /// The id of the log.
        id: String,
        /// The path of its file, or `memory`.
        place: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A change cannot be recorded, for a reason other than the store. Nothing was written.
    #[error("the change cannot be recorded in the log of `{id}`")]
    #[non_exhaustive]
    Unrecordable {
        /// The id of the log.
        id: String,
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

/// The reason why a log refused a write, or a read of a side table.
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
    /// The name of a side table is empty or too long.
    #[error("the name of a table has {size} bytes, and must have 1 to {limit}")]
    #[non_exhaustive]
    TableName {
        /// Its size, in bytes.
        size: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
    /// A key of a side table is too large.
    #[error("a key of table `{table}` has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    KeyTooLarge {
        /// The name of the table.
        table: String,
        /// Its size, in bytes.
        size: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
    /// A value of a side table is too large.
    #[error("a value of table `{table}` has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    ValueTooLarge {
        /// The name of the table.
        table: String,
        /// Its size, in bytes.
        size: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
    /// `recover` was not called.
    #[error("the log has not been recovered yet: call `recover` first")]
    NotRecovered,
    /// Another reason.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// Constructors, for engines outside of this crate.
impl StoreError {
    /// The log is already open.
    pub fn owned(id: impl Into<String>) -> Self {
        Self::Owned { id: id.into() }
    }

    /// Another process has the file open.
    pub fn in_use(path: impl Into<PathBuf>) -> Self {
        Self::InUse { path: path.into() }
    }

    /// The file cannot be opened.
    pub fn open(
        path: impl Into<PathBuf>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Open {
            path: path.into(),
            source: source.into(),
        }
    }

    /// The log refused a write or read, wrote nothing, and can still be used.
    pub fn refused(id: impl Into<String>, source: Refusal) -> Self {
        Self::Refused {
            id: id.into(),
            source,
        }
    }

    /// A write or read failed, and whether a write was written is unknown. `place` is the path of the file, or a word such as `memory`.
    pub fn failed(
        id: impl Into<String>,
        place: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Failed {
            id: id.into(),
            place: place.into(),
            source: source.into(),
        }
    }

    /// The stored data cannot be read.
    pub fn corrupt(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Corrupt {
            place: place.into(),
            reason: reason.into(),
        }
    }

    /// The data was written by a newer build.
    pub fn format(place: impl Into<String>, found: u32, known: u32) -> Self {
        Self::Format {
            place: place.into(),
            found,
            known,
        }
    }

    /// Whether nothing was written, and the log can still be used.
    #[doc(hidden)]
    pub fn leaves_log_usable(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Unrecordable { .. })
    }

    /// Whether the change could not be recorded for a reason other than the store.
    #[doc(hidden)]
    pub fn is_unrecordable(&self) -> bool {
        matches!(self, Self::Unrecordable { .. })
    }

    /// A change cannot be recorded, for a reason other than the store.
    #[doc(hidden)]
    pub fn unrecordable(
        id: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Unrecordable {
            id: id.into(),
            source: source.into(),
        }
    }
}

/// Constructors, for engines outside of this crate.
impl Refusal {
    /// A record or snapshot is too large.
    pub fn too_large(seq: u64, size: usize, limit: usize) -> Self {
        Self::TooLarge { seq, size, limit }
    }

    /// The number of a record or snapshot is out of sequence.
    pub fn sequence(found: u64, last: u64) -> Self {
        Self::Sequence { found, last }
    }

    /// A record or snapshot cannot be encoded.
    pub fn encode(seq: u64, source: EncodeError) -> Self {
        Self::Encode { seq, source }
    }

    /// Another reason.
    pub fn other(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(source.into())
    }
}
