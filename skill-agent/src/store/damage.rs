//! Damage at the end of a log, which a recovery cut off.

/// The end of a log that could not be read and was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The entry.
    pub id: String,
    /// The `seq` of the first lost record.
    pub at_seq: u64,
    /// The flaw of that record.
    pub reason: Flaw,
    /// How many bytes are lost.
    pub dropped_bytes: u64,
    /// How many records are lost, if the medium can tell; records behind a torn one in a run of bytes cannot be counted.
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

/// The flaw of a damaged record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// It ends too early, or does not end where it should.
    #[error("has {found} bytes where {expected} belong")]
    #[non_exhaustive]
    Torn {
        /// How many bytes it should have.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// It does not begin like a record.
    #[error("does not begin like a record")]
    Beginning,
    /// Its bytes are not those that were written.
    #[error("has a wrong checksum")]
    Checksum,
    /// Another record is where it belongs.
    #[error("is missing (record {found} is in its place)")]
    #[non_exhaustive]
    Missing {
        /// The record that is there.
        found: u64,
    },
}
