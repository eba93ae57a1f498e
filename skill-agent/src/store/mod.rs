//! The durable log of a served agent.
//!
//! A [`Store`] holds one entry per agent id. The agent's server owns the entry as a [`Log`]. There are two engines:
//! [`Memory`], for tests and agents whose state may be lost, and `Redb` (feature `redb`), which stores many agents in
//! one file.
//!
//! # Content of an entry
//! An entry consists of the newest [`Snapshot`], if there is one, and the [`Record`]s after it. A record is one
//! acknowledged change. It contains the instructions, for people, and the state of each changed skill *after the
//! change*: recovery replaces states and runs no skill code. Records are numbered by `seq` from 1 without gaps. The
//! number of a snapshot is that of the last record that it includes, or 0.
//!
//! | [`RecordKind`] | what changed the state |
//! | --- | --- |
//! | `Command` | instructions that ran: a call, a routed signal, a `Run` |
//! | `Handled` | a signal without a route, which a hook handled |
//! | `OnMount` | the hooks `on_mount` at a start |
//! | `Set` | a patch of the state |
//! | `Mounted`, `Unmounted` | a skill that was mounted or unmounted at run time |
//! | `Mark` | nothing: the record only says which directives are done |
//!
//! Directives are logged with the record that queued them, each under a number `n` that is unique in the log. A
//! directive is *pending* until a record lists its number in `done`; such a record **marks** it. For an effect outside
//! the agent, the mark is in a later record. For a directive that asks for a command, it is in the record of that
//! command. This runs a `Run` exactly once: the mark and the state after the run are written atomically in one record.
//!
//! # Encoding
//! MessagePack with field names ([`encode`], [`decode`]), which is self-describing and preserves NaN and the
//! infinities. Each record or snapshot is one frame; integers are little endian:
//!
//! | bytes | |
//! | --- | --- |
//! | 0 | `0xa9`, the start of a frame |
//! | 1 | format of the payload, now 1 |
//! | 2 | `R` for a record, `S` for a snapshot |
//! | 3 | 0 |
//! | 4..8 | length of the payload |
//! | 8..16 | `seq` |
//! | 16..20 | CRC-32 of the entry's id, bytes 0..16 and the payload |
//! | 20.. | payload |
//!
//! The frame is the same in every format, which lets a build distinguish a payload of a newer format, refused with
//! [`StoreError::Format`], from a damaged one. The checksum includes the id of the entry, which detects a record that a
//! damaged index lists under another agent.
//!
//! # Guarantees of recovery
//! [`Log::recover`] returns the written records from the first one on without a gap. A torn, damaged or missing record
//! and everything after it is cut off permanently, and described by [`Recovered::damage`]. Damage that would lose more
//! than the end, such as a damaged snapshot, is reported as [`StoreError::Corrupt`], and the entry is left unchanged.

mod damage;
mod encoding;
mod entry;
mod error;
mod frame;
mod memory;
mod record;
mod recovery;
#[cfg(feature = "redb")]
mod redb;
mod snapshot;
#[cfg(test)]
mod tests;

#[cfg(feature = "redb")]
pub use self::redb::Redb;
pub use damage::{Damage, Flaw};
pub use encoding::{DecodeError, EncodeError, decode, decode_seed, encode};
pub use error::{Refusal, StoreError};
pub use memory::Memory;
pub use record::{ChangedSkill, Keyed, Logged, Record, RecordKind};
pub use recovery::Recovered;
pub use snapshot::{SkillSnapshot, Snapshot};

/// A set of logs, one entry per agent id.
pub trait Store: Send + Sync + 'static {
    /// Opens an entry, which can have one owner at a time. An entry that was never written is empty.
    ///
    /// # Errors
    /// [`StoreError::Owned`] if the entry is already open, and the errors of the medium.
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError>;
}

/// An open entry. Dropping it closes the entry. Its methods block (files, fsync). `recover` must be called first.
///
/// ```
/// use skill_agent::store::{RecordKind, Log, Memory, Record, Store};
/// let store = Memory::default();
/// let mut log = store.open("calc-1")?;
/// assert!(log.recover()?.records.is_empty());
/// log.append(&[Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])?;
/// assert!(store.open("calc-1").is_err()); // already open
/// drop(log);
/// assert_eq!(store.open("calc-1")?.recover()?.records.len(), 1);
/// # Ok::<(), skill_agent::store::StoreError>(())
/// ```
pub trait Log: Send + 'static {
    /// Reads the newest snapshot, and all intact records after it in order. A torn or damaged tail is cut off
    /// permanently, and described by [`Recovered::damage`].
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] and [`StoreError::Format`] if the entry cannot be read; it is left unchanged.
    fn recover(&mut self) -> Result<Recovered, StoreError>;

    /// Appends records in order, in one commit. They are on disk when this returns. An empty slice writes nothing.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if nothing was written and the log can still be used; [`StoreError::Failed`] if how much
    /// was written is unknown, after which the log refuses every write.
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// Atomically replaces the records that a snapshot includes with the snapshot. `recover` then returns the snapshot
    /// and the records after `snapshot.seq`.
    ///
    /// # Errors
    /// Like `append`.
    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError>;
}
