//! Steps and comparisons that describe how they failed.

use super::Medium;
use crate::{Commit, Log, Record, Recovered, Refusal, Row, Snapshot, Store, StoreError};
use std::fmt::Debug;

/// The result of checking a law, with an error that says how the law is broken.
pub(super) type Outcome<T = ()> = Result<T, String>;

/// The maximum number of characters to show of a value in an error.
const SHOWN_MAX: usize = 300;

/// Compares a value that was found after `action` with the expected value.
pub(super) fn equal<T: PartialEq + Debug>(action: &str, found: &T, expected: &T) -> Outcome {
    if found == expected {
        return Ok(());
    }
    let (expected, found) = (shown(expected), shown(found));
    Err(format!("{action}: expected {expected}, found {found}"))
}

/// Expects an action to succeed.
pub(super) fn done<T>(action: &str, result: Result<T, StoreError>) -> Outcome<T> {
    result.map_err(|error| format!("{action}: expected no error, found {}", text(&error)))
}

/// Expects an action to be refused for the given reason.
pub(super) fn refused<T: Debug>(
    action: &str,
    result: Result<T, StoreError>,
    reason: &str,
    is_reason: impl Fn(&Refusal) -> bool,
) -> Outcome {
    let found = match result {
        Err(StoreError::Refused { source, .. }) if is_reason(&source) => return Ok(()),
        Err(error) => text(&error),
        Ok(value) => format!("`Ok({})`", shown(&value)),
    };
    Err(format!(
        "{action}: expected `StoreError::Refused` with `Refusal::{reason}`, found {found}"
    ))
}

pub(super) fn store(medium: &dyn Medium) -> Outcome<Box<dyn Store>> {
    done("opening the store", medium.open())
}

/// An open log, the only one that its store has open.
pub(super) struct Session<'a> {
    pub(super) log: Box<dyn Log>,
    pub(super) recovered: Recovered,
    // after the log, because fields are dropped in order
    store: Box<dyn Store>,
    medium: &'a dyn Medium,
    id: &'a str,
}

impl<'a> Session<'a> {
    /// Opens a store and its log `id`, and recovers the log.
    pub(super) async fn open(medium: &'a dyn Medium, id: &'a str) -> Outcome<Self> {
        let store = store(medium)?;
        let (log, recovered) = recovered(&*store, id).await?;
        Ok(Self {
            log,
            recovered,
            store,
            medium,
            id,
        })
    }

    /// Drops the log and the store, and opens them again.
    pub(super) async fn reopen(self) -> Outcome<Self> {
        let Self {
            log,
            store,
            medium,
            id,
            ..
        } = self;
        drop(log);
        drop(store);
        Self::open(medium, id).await
    }

    pub(super) async fn commit(&mut self, commit: Commit) -> Outcome {
        done("a commit", self.log.commit(commit).await)
    }

    pub(super) async fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> Outcome {
        done("a compaction", self.log.compact(snapshot, commit).await)
    }

    pub(super) async fn read(&mut self, table: &str, key: &[u8]) -> Outcome<Option<Vec<u8>>> {
        done("`read`", self.log.read(table, key).await)
    }

    /// Reads a whole table.
    pub(super) async fn rows(&mut self, table: &str) -> Outcome<Vec<Row>> {
        done("`scan`", self.log.scan(table, b"", usize::MAX).await)
    }

    /// Compares the recovered snapshot and records with the expected ones.
    pub(super) fn has(
        &self,
        action: &str,
        snapshot: Option<&Snapshot>,
        records: &[Record],
    ) -> Outcome {
        let numbers =
            |records: &[Record]| -> Vec<u64> { records.iter().map(|record| record.seq).collect() };
        let found = &self.recovered;
        let of = |what: &str| format!("{what} of the log recovered after {action}");
        let (have, want) = (numbers(&found.records), numbers(records));
        equal(&of("the numbers of the records"), &have, &want)?;
        equal(&of("the records"), &&*found.records, &records)?;
        equal(&of("the snapshot"), &found.snapshot.as_ref(), &snapshot)?;
        equal(&of("the damage"), &found.damage, &None)
    }

    /// Compares a table's rows with the expected ones.
    pub(super) async fn has_rows(&mut self, action: &str, table: &str, rows: &[Row]) -> Outcome {
        let found = self.rows(table).await?;
        let action = format!("the rows of table `{table}` after {action}");
        equal(&action, &&*found, &rows)
    }
}

/// Opens a log and recovers it.
pub(super) async fn recovered(store: &dyn Store, id: &str) -> Outcome<(Box<dyn Log>, Recovered)> {
    let id_text = shown(&id);
    let mut log = done(&format!("opening the log {id_text}"), store.open(id))?;
    let action = format!("recovering the log {id_text}");
    let recovered = done(&action, log.recover().await)?;
    Ok((log, recovered))
}

fn text(error: &StoreError) -> String {
    format!("the error `{}`", skill_core::process::full_text(error))
}

fn shown(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
