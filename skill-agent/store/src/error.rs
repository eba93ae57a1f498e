//! Errors from stores.

use crate::bytes::encoding::EncodeError;
use std::path::PathBuf;

/// An error from a store, whose `place` is the path of the store's file, or `memory`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The agent's log is already open.
    #[error(
        "the log of `{id}` is already open: an agent id can have one server at a time, so stop the other one first"
    )]
    #[non_exhaustive]
    Owned {
        /// The log's id, which is the agent's id.
        id: String,
    },
    /// Another process has the file open.
    #[error("`{}` is open in another process: only one process at a time can use a store file", .path.display())]
    #[non_exhaustive]
    InUse {
        /// The path of the store's file.
        path: PathBuf,
    },
    /// The file cannot be opened.
    #[error("`{}` cannot be opened", .path.display())]
    #[non_exhaustive]
    Open {
        /// The path of the store's file.
        path: PathBuf,
        /// The error from the operating system or the engine.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The log refused a write or read. Nothing was written, and the log stays usable.
    #[error("the log of `{id}` refused the access")]
    #[non_exhaustive]
    Refused {
        /// The log's id, which is the agent's id.
        id: String,
        /// Why the log refused the operation.
        source: Refusal,
    },
    /// A write or read failed, and it is unknown how much of a write is on disk, so the log refuses all writes until it is opened
    /// again.
    #[error("an access to the log of `{id}` in `{place}` failed")]
    #[non_exhaustive]
    Failed {
        /// The log's id, which is the agent's id.
        id: String,
        /// The path of the store's file, or `memory`.
        place: String,
        /// The error from the engine.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A change cannot be recorded for a reason outside the store, so nothing was written.
    #[error("the change cannot be recorded in the log of `{id}`")]
    #[non_exhaustive]
    Unrecordable {
        /// The log's id, which is the agent's id.
        id: String,
        /// Why the change cannot be recorded.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The stored data cannot be read. Nothing was changed.
    #[error("`{place}` is damaged: {reason}")]
    #[non_exhaustive]
    Corrupt {
        /// The path of the store's file, or `memory`.
        place: String,
        /// A description of the damage.
        reason: String,
    },
    /// The data was written by a newer build.
    #[error("`{place}` has format {found}, but this build reads formats up to {known}")]
    #[non_exhaustive]
    Format {
        /// The path of the store's file, or `memory`.
        place: String,
        /// The format of the stored data.
        found: u32,
        /// The newest format that this build reads.
        known: u32,
    },
}

/// Why a log refused a write, or a read of a side table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A record or snapshot is too large.
    #[error("number {seq} has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    TooLarge {
        /// The number of the record or snapshot.
        seq: u64,
        /// The actual size in bytes.
        size: usize,
        /// The maximum size in bytes.
        limit: usize,
    },
    /// The number of a record or snapshot is out of sequence.
    #[error(
        "number {found} is out of sequence: the last record is {last}, so a record must be {} and a snapshot at most {last}",
        .last.saturating_add(1)
    )]
    #[non_exhaustive]
    Sequence {
        /// The number of the record or snapshot.
        found: u64,
        /// The number of the last record in the log.
        last: u64,
    },
    /// A record or snapshot cannot be encoded.
    #[error("number {seq} cannot be encoded")]
    #[non_exhaustive]
    Encode {
        /// The number of the record or snapshot.
        seq: u64,
        /// The encoding error.
        source: EncodeError,
    },
    /// The name of a side table is empty or too long.
    #[error("the name of a table has {size} bytes, and must have 1 to {limit}")]
    #[non_exhaustive]
    TableName {
        /// The actual size in bytes.
        size: usize,
        /// The maximum size in bytes.
        limit: usize,
    },
    /// A key of a side table is too large.
    #[error("a key of table `{table}` has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    KeyTooLarge {
        /// The table's name.
        table: String,
        /// The actual size in bytes.
        size: usize,
        /// The maximum size in bytes.
        limit: usize,
    },
    /// A value of a side table is too large.
    #[error("a value of table `{table}` has {size} bytes, more than the limit of {limit}")]
    #[non_exhaustive]
    ValueTooLarge {
        /// The table's name.
        table: String,
        /// The actual size in bytes.
        size: usize,
        /// The maximum size in bytes.
        limit: usize,
    },
    /// `recover` has not been called yet.
    #[error("the log has not been recovered yet: call `recover` first")]
    NotRecovered,
    /// A reason that is specific to the engine.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// Constructors for engines outside this crate.
impl StoreError {
    /// Creates the error for a log that is already open.
    pub fn owned(id: impl Into<String>) -> Self {
        Self::Owned { id: id.into() }
    }

    /// Creates the error for a file that another process has open.
    pub fn in_use(path: impl Into<PathBuf>) -> Self {
        Self::InUse { path: path.into() }
    }

    /// Creates the error for a file that cannot be opened.
    pub fn open(
        path: impl Into<PathBuf>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Open {
            path: path.into(),
            source: source.into(),
        }
    }

    /// Creates the error for a write or read that was refused. Nothing was written, and the log stays usable.
    pub fn refused(id: impl Into<String>, source: Refusal) -> Self {
        Self::Refused {
            id: id.into(),
            source,
        }
    }

    /// Creates the error for a write or read that failed. It is unknown whether a write is on disk. `place` is the path of the
    /// file, or a word such as `memory`.
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

    /// Creates the error for stored data that cannot be read.
    pub fn corrupt(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Corrupt {
            place: place.into(),
            reason: reason.into(),
        }
    }

    /// Creates the error for data written by a newer build.
    pub fn format(place: impl Into<String>, found: u32, known: u32) -> Self {
        Self::Format {
            place: place.into(),
            found,
            known,
        }
    }

    /// Returns whether nothing was written and the log stays usable.
    #[doc(hidden)]
    pub fn leaves_log_usable(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Unrecordable { .. })
    }

    /// Returns whether the change could not be recorded for a reason outside the store.
    #[doc(hidden)]
    pub fn is_unrecordable(&self) -> bool {
        matches!(self, Self::Unrecordable { .. })
    }

    /// Creates the error for a change that cannot be recorded for a reason outside the store.
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

/// Constructors for engines outside this crate.
impl Refusal {
    /// Creates the refusal for a record or snapshot that is too large. Sizes are in bytes.
    pub fn too_large(seq: u64, size: usize, limit: usize) -> Self {
        Self::TooLarge { seq, size, limit }
    }

    /// Creates the refusal for a record or snapshot whose number is out of sequence.
    pub fn sequence(found: u64, last: u64) -> Self {
        Self::Sequence { found, last }
    }

    /// Creates the refusal for a record or snapshot that cannot be encoded.
    pub fn encode(seq: u64, source: EncodeError) -> Self {
        Self::Encode { seq, source }
    }

    /// Creates the refusal for a reason that is specific to an engine.
    pub fn other(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(source.into())
    }
}
