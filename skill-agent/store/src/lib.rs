//! The durable log of a served agent.
//!
//! A [`Store`] contains one [`Log`] per agent id, which the agent's server owns. There are two engines: [`Memory`], for tests and
//! for agents whose state may be lost, and `Redb` (feature `redb`), which stores many agents in one file.
//!
//! # Contents of a log
//! A log consists of its newest [`Snapshot`], if any, and the [`Record`]s after it. A record is one acknowledged change. It
//! contains the instructions, for people to read, and the state of each changed skill *after the change*, so recovery only
//! replaces states and does not run any of a skill's code. Records are numbered by `seq`, starting at 1, without gaps. A snapshot
//! has the number of the last record that it includes, or 0.
//!
//! | [`RecordKind`] | what happened |
//! | --- | --- |
//! | `Command` | instructions were executed: a call, a routed signal or a `Run` |
//! | `Handled` | a hook handled a signal without a route |
//! | `OnMount` | the `on_mount` hooks ran at a start |
//! | `Set` | the state was patched, or turns of a conversation were taken back or brought back |
//! | `Mounted` | a skill was mounted, replaced or enabled at run time |
//! | `Unmounted` | a skill was unmounted or disabled at run time |
//! | `Approval` | the state did not change; the secret for approval requests was created, or a deferred request was denied |
//! | `Mark` | the state did not change; the record says which directives are done, or changes schedules that repeat |
//!
//! Directives are logged with the record that queued them. Each has a number `n` that is unique in the log. A directive is
//! *pending* until a record lists its number in `done`; that record **marks** the directive. A directive with an effect outside
//! the agent is marked in a later record, whereas a directive that leads to a command is marked in the record of that command. A
//! `Run` therefore runs exactly once, because the mark and the state after the run are in one record, which is written
//! atomically.
//!
//! # Side tables
//! A log also contains named tables, for data that is too large to write with each snapshot. In each row of a table, the key and
//! the value are bytes. A [`Commit`] changes rows with [`put`](Commit::put), [`delete`](Commit::delete) and
//! [`delete_range`](Commit::delete_range), together with its records: after a crash, either both are in the log or neither.
//! [`Log::read`] and [`Log::scan`] read rows. Snapshots do not contain rows, but rows survive compaction, and even a recovery
//! that cuts off damaged records. Each row is stored with a CRC-32 of the log, table, key and value. Reading a damaged row fails
//! with [`StoreError::Corrupt`]; the row can be replaced or deleted.
//!
//! A server uses the tables `instances`, `call_keys`, `held_keys`, `signal_keys`, `decisions` and `approvals` for idempotency keys
//! and approvals, and `group_heads`, `group_rows`, `turn_states`, `turn_marks` and `turn_changers` for durable conversations.
//!
//! ```
//! use skill_agent::store::{Commit, Memory, Store};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), skill_agent::store::StoreError> {
//! let mut log = Memory::default().open("calc-1")?;
//! log.recover().await?;
//! let [first, second] = [b"2026-01".to_vec(), b"2026-02".to_vec()];
//! log.commit(Commit::default().put("notes", &*first, "cold").put("notes", &*second, "rain")).await?;
//! assert_eq!(log.read("notes", &first).await?, Some(b"cold".to_vec()));
//! log.commit(Commit::default().delete_range("notes", ..second.clone())).await?;
//! assert_eq!(log.scan("notes", b"", 10).await?, [(second, b"rain".to_vec())]);
//! # Ok(())
//! # }
//! ```
//!
//! # Encoding
//! Values are encoded as MessagePack with field names ([`encode`], [`decode`]). This encoding is self-describing and preserves
//! NaN and infinity. Each record or snapshot is one frame. Integers are little endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 0 | `0xa9`, the start of a frame |
//! | 1 | format of the payload, currently 1 |
//! | 2 | `R` for a record, `S` for a snapshot |
//! | 3 | 0 |
//! | 4..8 | length of the payload |
//! | 8..16 | `seq` |
//! | 16..20 | CRC-32 of the log's id, bytes 0..16 and the payload |
//! | 20.. | payload |
//!
//! The frame is the same for all formats. A build can therefore distinguish a payload in a newer format, which fails with
//! [`StoreError::Format`], from a damaged one. The checksum includes the log's id, so that a record listed under the wrong agent,
//! because of a damaged index, is detected.
//!
//! # Guarantees of recovery
//! [`Log::recover`] returns the written records from the first one, without a gap. If a record is torn, damaged or missing, the
//! record and everything after it are cut off permanently, and [`Recovered::damage`] describes the damage. If more than the end
//! of the log would be lost, for example because a snapshot is damaged, recovery fails with [`StoreError::Corrupt`], and the log
//! stays unchanged.

mod blocking;
pub(crate) mod bytes;
mod commit;
#[cfg(any(feature = "testing", test))]
pub mod conformance;
mod error;
mod log_rules;
mod memory;
mod recovery;
#[cfg(feature = "redb")]
mod redb;
mod table;
#[cfg(test)]
mod tests;

#[cfg(feature = "redb")]
pub use self::redb::Redb;
pub use blocking::{BlockingLog, blocking};
pub use bytes::damage::{Damage, Flaw};
pub use bytes::encoding::{DecodeError, EncodeError, decode, decode_seed, encode};
pub use bytes::record::{
    ArgumentsHash, ChangedSkill, Keyed, Logged, LoggedCause, Record, RecordKind,
};
pub use bytes::snapshot::{SkillSnapshot, Snapshot};
pub use commit::Commit;
pub use error::{Refusal, StoreError};
pub use log_rules::{EncodedCommit, LogRules};
pub use memory::Memory;
pub use recovery::Recovered;
pub use table::TableChange;

/// For the other crates of `skill-agent`. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::bytes::encoding::encode_unchecked;
    pub use crate::table::successor;
}

use std::pin::Pin;

/// A set of logs, one per agent id.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a store",
    label = "not a store",
    note = "a store in a file is `Redb::open(\"agents.redb\")?`, with the feature `redb` and the `?` for its error; one that loses everything at the end of the process is `Memory::default()`"
)]
pub trait Store: Send + Sync + 'static {
    /// Opens a log, which is empty if it was never written to. Each log has at most one owner at a time. This method must not
    /// block for long.
    ///
    /// # Errors
    /// Returns [`StoreError::Owned`] if the log is already open. Also returns errors from the medium.
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError>;
}

/// The future returned by the methods of a [`Log`].
pub type LogFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A row of a side table: its key and its value.
pub type Row = (Vec<u8>, Vec<u8>);

/// An open log, which you close by dropping it. Call `recover` before any other method.
///
/// If the future of a write is dropped, the write is still not split: it happens completely, or not at all because it had not
/// started. For an engine that blocks (files, fsync), implement [`BlockingLog`] and wrap it with [`blocking`]. [`LogRules`]
/// contains the code that all engines share, and `conformance` (feature `testing`) contains tests for engines.
///
/// ```
/// use skill_agent::store::{Commit, Log, Memory, Record, RecordKind, Store};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), skill_agent::store::StoreError> {
/// let store = Memory::default();
/// let mut log = store.open("calc-1")?;
/// assert!(log.recover().await?.records.is_empty());
/// log.commit(Commit::new([Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])).await?;
/// assert!(store.open("calc-1").is_err()); // already open
/// drop(log);
/// assert_eq!(store.open("calc-1")?.recover().await?.records.len(), 1);
/// # Ok(())
/// # }
/// ```
pub trait Log: Send + 'static {
    /// Reads the newest snapshot and all intact records after it, in order. If the end of the log is torn or damaged, it is cut
    /// off permanently, and [`Recovered::damage`] describes the damage.
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupt`] or [`StoreError::Format`] if the log cannot be read, and leaves it unchanged.
    fn recover(&mut self) -> LogFuture<'_, Recovered>;

    /// Writes a commit: its records, and its changes to side tables. The commit is on disk when the future completes; an empty
    /// commit writes nothing.
    ///
    /// # Errors
    /// Returns [`StoreError::Refused`] if nothing was written and the log stays usable. Returns [`StoreError::Failed`] if it is
    /// unknown whether the commit was written; the log then refuses every write.
    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()>;

    /// Writes a commit and atomically replaces the records up to `snapshot.seq` with the snapshot. After a crash, the log
    /// contains either the old records, or the snapshot and the records after it.
    ///
    /// # Errors
    /// Returns the same errors as `commit`.
    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()>;

    /// Reads the value of a row in a side table, where a table that was never written to counts as empty.
    ///
    /// # Errors
    /// Returns [`StoreError::Refused`] for a key that cannot be in the table, or if `recover` has not been called. Returns
    /// [`StoreError::Corrupt`] if the row is damaged; the log stays usable.
    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>>;

    /// Reads at most `limit` rows of a side table, ordered by the bytes of their keys, starting at the key `from`. Only the
    /// returned rows are read, so a large table can be read in parts: the next key after `key` is `key` with a zero byte
    /// appended.
    ///
    /// # Errors
    /// Returns the same errors as `read`.
    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>>;
}
