//! The durable log of a served agent.
//!
//! A [`Store`] holds one entry per agent id, and whoever serves the agent owns its entry as a [`Log`]. There are two engines:
//! [`Memory`], for tests and for agents that may forget, and `Redb` (feature `redb`), one file for many agents.
//!
//! # What is in an entry
//! The newest [`Snapshot`], if there was one, and the [`Record`]s after it. A record is one change that was acknowledged: it
//! holds the instructions, so that a person can read what happened, and the state of each skill that it changed *as it was
//! afterwards*, so that recovery lays images over images and runs no code of a skill. Records are numbered by `seq` from 1,
//! each one more than the last; a snapshot has the number of the last record that it contains, 0 when there was none.
//!
//! | [`RecordKind`] | what changed the state |
//! | --- | --- |
//! | `Command` | instructions that ran: a call, a routed signal, a `Run` |
//! | `Handled` | a signal without a route, which a hook handled |
//! | `OnMount` | the hooks `on_mount` at a start |
//! | `Set` | state that was laid over what was there |
//! | `Mounted`, `Unmounted` | a skill that came or went at run time |
//! | `Mark` | nothing: the record only says which directives are done |
//!
//! Directives are logged with the record that made them, each under a number `n` that is unique in the log. It is *pending*
//! until some record lists that number in `done`. A **mark** is such a listing: a record of the kind `Mark` when an effect has
//! happened in the world, or any other record that was itself what the directive asked for. The latter makes `Run` exactly
//! once: the mark and the state that the run led to are one record, and there is no moment between them.
//!
//! # How it is written
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
//! The frame is the same in every format, so that a build can tell a payload that is newer than itself, which it refuses with
//! [`StoreError::Format`], from one that is damaged. The checksum begins with the id of the entry, so that a record that a
//! damaged index shows under another agent is not taken for one of its own.
//!
//! # What recovery promises
//! What [`Log::recover`] gives is what was written, from its beginning without a gap. Where a record is torn, damaged or
//! missing, it and everything behind it is cut off for good, and [`Recovered::damage`] says what that was. What cannot be
//! cut off without losing more than the end, a damaged snapshot for example, is [`StoreError::Corrupt`], and stays as it is.

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

/// Where agents keep their logs: one entry per agent id.
pub trait Store: Send + Sync + 'static {
    /// Takes an entry: one owner at a time. An entry that nobody has written is empty.
    ///
    /// # Errors
    /// [`StoreError::Owned`] while somebody else has it; otherwise that of the medium.
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError>;
}

/// One entry, owned; dropping it gives it up. Its methods block (files, fsync). The first of them is `recover`.
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
    /// Reads what there is: the newest snapshot, and every whole record after it in order. A torn or damaged tail is cut off
    /// for good, and named in [`Recovered::damage`].
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] and [`StoreError::Format`] when it cannot be read; the entry is then as it was before.
    fn recover(&mut self) -> Result<Recovered, StoreError>;

    /// Appends records in order. When it returns, all of them are on disk; they share one commit. No records are no write.
    ///
    /// # Errors
    /// [`StoreError::Refused`] when nothing was written, and the log can go on; [`StoreError::Failed`] when it is unknown what
    /// was, and the log refuses everything after it.
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// Puts a snapshot in the place of the records that it contains: afterwards `recover` gives it, and the records behind
    /// `snapshot.seq`. Either all of that happens, or nothing.
    ///
    /// # Errors
    /// As `append`.
    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError>;
}
