//! Tests for stores outside this crate (feature `testing`).
//!
//! [`run`] checks every law that a [`Store`] must keep, each on a new [`Medium`]:
//!
//! ```
//! use skill_agent::store::{Memory, conformance};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! conformance::run(|| {
//!     let medium = Memory::default(); // for a file: a new temporary folder
//!     move || Ok(medium.clone()) // for a file: `MyStore::open(folder.path().join("agents"))`
//! })
//! .await
//! .unwrap();
//! # }
//! ```
//!
//! Each law is also a separate function, for a test of that law alone. An error contains the name of the law, the expected result
//! and the actual one. New versions of this crate may add laws.
//!
//! The suite cannot test that a commit is on disk when its future completes. To test that, kill the process during a commit. The
//! suite does not damage the medium either: a store that detects damage needs its own tests.

mod commits;
mod expect;
pub(super) mod fixtures;
mod logs;
mod model;
mod tables;

#[cfg(test)]
pub(super) use model::history;

use super::{Store, StoreError};
use std::fmt;

/// The place where a store keeps its logs, such as a file or a database. Implemented for every function that returns a store.
pub trait Medium {
    /// Opens a store on the existing contents of the medium, after the suite has dropped the earlier store and its logs.
    ///
    /// # Errors
    /// Returns errors from the store.
    fn open(&self) -> Result<Box<dyn Store>, StoreError>;
}

impl<S: Store, F: Fn() -> Result<S, StoreError>> Medium for F {
    fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        self().map(|store| Box::new(store) as Box<dyn Store>)
    }
}

/// A law that a store breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store breaks the law `{law}`: {reason}")]
#[non_exhaustive]
pub struct Violation {
    /// The law's name, which is also the name of its function.
    pub law: &'static str,
    /// The step that failed, with the expected and the actual result.
    pub reason: String,
}

/// All laws that a store breaks. `Debug` prints the same message as `Display`, so that `unwrap` shows it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Violations {
    /// The violations, a list that is never empty.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.violations.iter();
        lines
            .next()
            .map_or(Ok(()), |violation| write!(f, "{violation}"))?;
        lines.try_for_each(|violation| write!(f, "\n{violation}"))
    }
}

impl fmt::Debug for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! laws {
    ($($(#[doc = $doc:literal])* $module:ident::$law:ident,)*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// # Errors
            /// Returns the [`Violation`] of this law.
            pub async fn $law(medium: &dyn Medium) -> Result<(), Violation> {
                $module::$law(medium).await.map_err(|reason| Violation {
                    law: stringify!($law),
                    reason,
                })
            }
        )*

        /// Checks all laws, each on a new, empty medium.
        ///
        /// # Errors
        /// Returns all laws that the store breaks.
        pub async fn run<M: Medium>(new_medium: impl Fn() -> M) -> Result<(), Violations> {
            let mut violations = Vec::new();
            $(violations.extend($law(&new_medium()).await.err());)*
            if violations.is_empty() {
                return Ok(());
            }
            Err(Violations { violations })
        }
    };
}

laws! {
    /// A log that was never written to has no snapshot, records or rows.
    logs::a_log_that_was_never_written_is_empty,
    /// Opening an open log fails with [`StoreError::Owned`], but the log can be opened again after it is dropped.
    logs::a_log_has_one_owner_at_a_time,
    /// Before `recover` is called, all other methods fail with [`Refusal::NotRecovered`](super::Refusal::NotRecovered).
    logs::recovery_comes_first,
    /// Logs with different ids share nothing.
    logs::logs_do_not_mix,
    /// Every string is a valid id, even if it is empty, long or contains NUL. Strings that differ only in case, spaces or Unicode
    /// normalization are different ids.
    logs::every_text_is_an_id,
    /// A reopened log contains all committed records, equal and in order, even if they are large or numerous.
    commits::committed_records_are_recovered,
    /// A record whose number is out of sequence is refused with [`Refusal::Sequence`](super::Refusal::Sequence).
    commits::records_are_consecutive,
    /// If a commit or compaction is refused, nothing is written, and the log stays usable.
    commits::a_refused_write_changes_nothing,
    /// An empty commit succeeds and writes nothing.
    commits::an_empty_commit_writes_nothing,
    /// After a compaction, the log contains the snapshot, the later records, and the records of the compaction's own commit.
    commits::a_compaction_replaces_records_by_a_snapshot,
    /// A snapshot whose number does not exist in the log is refused with [`Refusal::Sequence`](super::Refusal::Sequence).
    commits::a_snapshot_is_of_a_number_in_the_log,
    /// A write whose future is dropped happens completely or not at all, and the log stays usable.
    commits::a_dropped_write_is_whole_or_absent,
    /// A row reads as it was written until it is changed, and the changes in a commit apply in order.
    tables::rows_are_read_as_written,
    /// `scan` returns rows ordered by the bytes of their keys, starting at the given key, up to the given limit.
    tables::rows_are_scanned_in_the_order_of_keys,
    /// `delete_range` deletes the rows in the range and no others.
    tables::ranges_of_rows_are_deleted,
    /// A row belongs to one table of one log.
    tables::tables_do_not_mix,
    /// A compaction keeps the rows, and applies the changes of its commit.
    tables::a_compaction_keeps_rows,
    /// A name, key or value that is too large is refused together with the whole commit.
    tables::larger_names_keys_and_values_are_refused,
    /// After 200 random commits, compactions and reopenings, two logs have the same contents as a map.
    model::a_random_history_leaves_what_it_wrote,
}
