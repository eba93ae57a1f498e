//! The durable log of a served agent.
//!
//! A [`Store`] holds one entry per agent id. The server of an agent owns the entry as a [`Log`]. There are two engines:
//! [`Memory`], for tests and for agents that may forget, and `Redb` (feature `redb`), one file for many agents.
//!
//! # Content of an entry
//! An entry has the newest [`Snapshot`], if there was one, and the [`Record`]s after it. A record is one acknowledged change. It
//! contains the instructions, for people, and the state of each changed skill *after the change*: recovery replaces states and
//! runs no code of a skill. Records are numbered by `seq` from 1 without gaps. A snapshot has the number of the last record that
//! it includes, or 0.
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
//! Directives are logged with the record that made them, each under a number `n` that is unique in the log. It is *pending*
//! until a record lists that number in `done`. Such a listing is a **mark**. It is in a later record after an effect outside the
//! agent, or in the record of the command that the directive asked for. The latter makes `Run` exactly once: the mark and the
//! state after the run are in one record, which is written as a whole.
//!
//! # Encoding
//! MessagePack with field names ([`encode`], [`decode`]), which describes itself and keeps NaN and the infinities, in one
//! frame per record or snapshot; integers are little endian:
//!
//! | bytes | |
//! | --- | --- |
//! | 0 | `0xa9`, the beginning of a frame |
//! | 1 | format of the payload, now 1 |
//! | 2 | `R` for a record, `S` for a snapshot |
//! | 3 | 0 |
//! | 4..8 | length of the payload |
//! | 8..16 | `seq` |
//! | 16..20 | CRC-32 of the entry's id, bytes 0..16 and the payload |
//! | 20.. | payload |
//!
//! The frame is the same in every format: a build can tell a payload of a newer format, which it refuses with
//! [`StoreError::Format`], from a damaged one. The checksum covers the id of the entry: a record that a damaged index lists under
//! another agent is detected.
//!
//! # Guarantees of recovery
//! [`Log::recover`] returns the written records from the first one on without a gap. A torn, damaged or missing record and
//! everything after it is cut off permanently, and described by [`Recovered::damage`]. Damage that would lose more than the end,
//! such as a damaged snapshot, is [`StoreError::Corrupt`] and left as it is.

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

/// A place for the logs of agents, with one entry per agent id.
pub trait Store: Send + Sync + 'static {
    /// Opens an entry, which has one owner at a time. An entry that was never written is empty.
    ///
    /// # Errors
    /// [`StoreError::Owned`] while the entry has another owner, and the errors of the medium.
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError>;
}

/// An opened entry; dropping it closes the entry. Its methods block (files, fsync). `recover` has to be called first.
///
/// ```
/// use skill_agent::store::{RecordKind, Log, Memory, Record, Store};
/// let store = Memory::default();
/// let mut log = store.open("calc-1")?;
/// assert!(log.recover()?.records.is_empty());
/// log.append(&[Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])?;
/// assert!(store.open("calc-1").is_err()); // it is owned
/// drop(log);
/// assert_eq!(store.open("calc-1")?.recover()?.records.len(), 1);
/// # Ok::<(), skill_agent::store::StoreError>(())
/// ```
pub trait Log: Send + 'static {
    /// Reads the newest snapshot, and every whole record after it in order. A torn or damaged tail is cut off permanently, and
    /// described by [`Recovered::damage`].
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] and [`StoreError::Format`] when the entry cannot be read; it is unchanged then.
    fn recover(&mut self) -> Result<Recovered, StoreError>;

    /// Appends records in order, with one commit. They are on disk when this returns. An empty slice writes nothing.
    ///
    /// # Errors
    /// [`StoreError::Refused`] when nothing was written and the log can be used further; [`StoreError::Failed`] when it is unknown
    /// what was written, and the log refuses every further write.
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// Replaces the records that a snapshot includes by the snapshot, atomically. `recover` then returns it and the records after
    /// `snapshot.seq`.
    ///
    /// # Errors
    /// As `append`.
    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError>;
}
