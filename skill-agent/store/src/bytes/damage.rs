//! Damage at the end of a log, which recovery cuts off.

/// The unreadable end of a log that recovery cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The log's id, which is the agent's id.
    pub id: String,
    /// The `seq` of the first lost record.
    pub at_seq: u64,
    /// What is wrong with that record.
    pub reason: Flaw,
    /// The number of lost bytes.
    pub dropped_bytes: u64,
    /// The number of lost records, if known. If an engine stores all records as one run of bytes, those after a torn record
    /// cannot be counted.
    pub dropped_records: Option<u64>,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, at_seq, .. } = self;
        write!(
            f,
            "the log of `{id}` was cut off before record {at_seq}, which {}: ",
            self.reason
        )?;
        let bytes = counted(self.dropped_bytes, "byte");
        match self.dropped_records {
            Some(records) => write!(f, "{} ({bytes}) lost", counted(records, "record")),
            None => write!(f, "{bytes} lost"),
        }
    }
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// What is wrong with a damaged record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The record is too short or too long.
    #[error("has {found} bytes instead of {expected}")]
    #[non_exhaustive]
    Torn {
        /// The expected length in bytes.
        expected: u64,
        /// The actual length in bytes.
        found: u64,
    },
    /// The bytes do not start with a record header.
    #[error("does not start with a record header")]
    Beginning,
    /// The checksum does not match the bytes.
    #[error("has a wrong checksum")]
    Checksum,
    /// The record is missing, and a later record follows.
    #[error("is missing (record {found} follows)")]
    #[non_exhaustive]
    Missing {
        /// The number of the later record.
        found: u64,
    },
}
