//! A [`Store`] in an SQLite file: an example of a store that is written outside of `skill-agent`.
//!
//! A commit is one transaction, in the mode WAL with `synchronous = FULL`: it is on disk when `COMMIT` returns. SQLite blocks, so the
//! log is a [`BlockingLog`], which [`blocking`] runs on threads for blocking work. [`LogRules`] encodes what is written, with
//! checksums, and refuses what no log takes; `tests/store.rs` checks the result with the conformance suite.
//!
//! Ids, names of tables and keys are stored as `BLOB`, because SQLite compares those byte by byte.

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};
use skill_agent::store::{
    BlockingLog, Commit, EncodedCommit, Log, LogRules, Recovered, Refusal, Row, Snapshot, Store,
    StoreError, TableChange, blocking,
};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An exclusive lock keeps other processes out, so that an agent has one server. WAL then needs no shared memory.
const SETUP: &str = "
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS snapshots (log BLOB PRIMARY KEY, frame BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS records (
        log BLOB NOT NULL, seq INTEGER NOT NULL, frame BLOB NOT NULL, PRIMARY KEY (log, seq)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS side_rows (
        log BLOB NOT NULL, name BLOB NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY (log, name, key)
    ) STRICT;
    COMMIT;
";

/// A store in an SQLite file, which one process at a time can use. Clones are handles to the same file.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    file: Arc<OpenFile>,
}

#[derive(Debug)]
struct OpenFile {
    place: String,
    connection: Mutex<Connection>,
    /// The ids of the open logs.
    owned: Mutex<HashSet<String>>,
}

impl SqliteStore {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if it is open already, in this process or another; [`StoreError::Open`] if SQLite refuses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let open = || {
            let connection = Connection::open(path)?;
            connection.execute_batch(SETUP)?;
            Ok(connection)
        };
        let connection =
            open().map_err(|error: rusqlite::Error| match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy) => StoreError::in_use(path),
                _ => StoreError::open(path, error),
            })?;
        let file = OpenFile {
            place: path.display().to_string(),
            connection: Mutex::new(connection),
            owned: Mutex::default(),
        };
        Ok(Self {
            file: Arc::new(file),
        })
    }
}

impl Store for SqliteStore {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        if !lock(&self.file.owned).insert(id.to_owned()) {
            return Err(StoreError::owned(id));
        }
        let log = SqliteLog {
            file: Arc::clone(&self.file),
            rules: LogRules::new(id, &*self.file.place),
            has_failed: false,
        };
        Ok(blocking(id, &*self.file.place, log))
    }
}

struct SqliteLog {
    file: Arc<OpenFile>,
    rules: LogRules,
    /// Set when SQLite returned an error: what the file has is then unknown.
    has_failed: bool,
}

impl SqliteLog {
    /// Runs a transaction, which is rolled back if it fails.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &LogRules) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let (id, place) = (self.rules.id(), self.rules.place());
        if self.has_failed {
            return Err(StoreError::failed(id, place, "an access failed before"));
        }
        let run = || {
            let mut connection = lock(&self.file.connection);
            let transaction = connection.transaction()?;
            let value = work(&transaction, &self.rules)?;
            transaction.commit()?;
            Ok(value)
        };
        run().map_err(|error: rusqlite::Error| {
            if is_refusal(&error) {
                return StoreError::refused(id, Refusal::other(error));
            }
            self.has_failed = true;
            StoreError::failed(id, place, error)
        })
    }
}

/// Whether an error comes before anything is written: SQLite has a limit of its own, below the limit of a snapshot.
fn is_refusal(error: &rusqlite::Error) -> bool {
    let is_too_large = error.sqlite_error_code() == Some(ErrorCode::TooBig);
    is_too_large || matches!(error, rusqlite::Error::ToSqlConversionFailure(_))
}

impl BlockingLog for SqliteLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        let (snapshot, records) = self.transaction(|transaction, rules| {
            let log = rules.id().as_bytes();
            let snapshot = transaction
                .prepare_cached("SELECT frame FROM snapshots WHERE log = ?1")?
                .query_row([log], |row| row.get::<_, Vec<u8>>(0))
                .optional()?;
            let records = transaction
                .prepare_cached("SELECT seq, frame FROM records WHERE log = ?1 ORDER BY seq")?
                .query_map([log], |row| {
                    Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?))
                })?
                .collect::<rusqlite::Result<Vec<(u64, Vec<u8>)>>>()?;
            Ok((snapshot, records))
        })?;
        let recovered = self.rules.decode(snapshot.as_deref(), &records)?;
        if let Some(damage) = &recovered.damage {
            let from = damage.at_seq;
            self.transaction(|transaction, rules| {
                delete_records(transaction, rules, from, u64::MAX)
            })?;
        }
        self.rules.recovered(&recovered);
        Ok(recovered)
    }

    fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let encoded = self.rules.encode(commit)?;
        if commit.is_empty() {
            return Ok(());
        }
        self.transaction(|transaction, rules| insert(transaction, rules, &encoded))?;
        self.rules.committed(commit);
        Ok(())
    }

    fn compact(&mut self, snapshot: &Snapshot, commit: &Commit) -> Result<(), StoreError> {
        let frame = self.rules.encode_snapshot(snapshot, commit)?;
        let encoded = self.rules.encode(commit)?;
        self.transaction(|transaction, rules| {
            insert(transaction, rules, &encoded)?;
            transaction
                .prepare_cached("REPLACE INTO snapshots (log, frame) VALUES (?1, ?2)")?
                .execute(params![rules.id().as_bytes(), frame])?;
            delete_records(transaction, rules, 0, snapshot.seq)
        })?;
        self.rules.compacted(snapshot, commit);
        Ok(())
    }

    fn read(&mut self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.rules.check_read(table, key)?;
        let row = self.transaction(|transaction, rules| {
            transaction
                .prepare_cached("SELECT row FROM side_rows WHERE (log, name, key) = (?1, ?2, ?3)")?
                .query_row(
                    params![rules.id().as_bytes(), table.as_bytes(), key],
                    |row| row.get::<_, Vec<u8>>(0),
                )
                .optional()
        })?;
        row.map(|row| self.rules.decode_row(table, key, &row))
            .transpose()
    }

    fn scan(&mut self, table: &str, from: &[u8], limit: usize) -> Result<Vec<Row>, StoreError> {
        self.rules.check_scan(table, from)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.transaction(|transaction, rules| {
            transaction
                .prepare_cached(
                    "SELECT key, row FROM side_rows WHERE log = ?1 AND name = ?2 AND key >= ?3 ORDER BY key LIMIT ?4",
                )?
                .query_map(
                    params![rules.id().as_bytes(), table.as_bytes(), from, limit],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )?
                .collect::<rusqlite::Result<Vec<Row>>>()
        })?;
        let values = rows.into_iter().map(|(key, row)| {
            let value = self.rules.decode_row(table, &key, &row)?;
            Ok((key, value))
        });
        values.collect()
    }
}

impl Drop for SqliteLog {
    fn drop(&mut self) {
        lock(&self.file.owned).remove(self.rules.id());
    }
}

fn insert(
    transaction: &Transaction<'_>,
    rules: &LogRules,
    commit: &EncodedCommit<'_>,
) -> rusqlite::Result<()> {
    let mut insert =
        transaction.prepare_cached("INSERT INTO records (log, seq, frame) VALUES (?1, ?2, ?3)")?;
    for (seq, frame) in &commit.records {
        insert.execute(params![rules.id().as_bytes(), seq.cast_signed(), frame])?;
    }
    commit
        .changes
        .iter()
        .try_for_each(|change| change_rows(transaction, rules, change))
}

fn change_rows(
    transaction: &Transaction<'_>,
    rules: &LogRules,
    change: &TableChange,
) -> rusqlite::Result<()> {
    let log = rules.id().as_bytes();
    match change {
        TableChange::Put {
            table, key, value, ..
        } => transaction
            .prepare_cached("REPLACE INTO side_rows (log, name, key, row) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![
                log,
                table.as_bytes(),
                key,
                rules.encode_row(table, key, value)
            ])?,
        TableChange::Delete { table, key, .. } => transaction
            .prepare_cached("DELETE FROM side_rows WHERE (log, name, key) = (?1, ?2, ?3)")?
            .execute(params![log, table.as_bytes(), key])?,
        TableChange::DeleteRange {
            table, from, to, ..
        } => {
            // `NULL` is the end of the table.
            transaction
                .prepare_cached(
                    "DELETE FROM side_rows WHERE log = ?1 AND name = ?2 AND key >= ?3 AND (?4 IS NULL OR key < ?4)",
                )?
                .execute(params![log, table.as_bytes(), from, to])?
        }
        // A change that a later version of `skill-agent` adds: the commit is not written.
        _ => {
            let reason = "a change of a side table that this store does not know";
            return Err(rusqlite::Error::ToSqlConversionFailure(reason.into()));
        }
    };
    Ok(())
}

/// Deletes the records of a range of numbers, both included.
fn delete_records(
    transaction: &Transaction<'_>,
    rules: &LogRules,
    first: u64,
    last: u64,
) -> rusqlite::Result<()> {
    let last = last.min(i64::MAX as u64);
    transaction
        .prepare_cached("DELETE FROM records WHERE log = ?1 AND seq BETWEEN ?2 AND ?3")?
        .execute(params![
            rules.id().as_bytes(),
            first.cast_signed(),
            last.cast_signed()
        ])?;
    Ok(())
}

// Ignores poisoning: a panic cannot leave the set half changed, and rolls back a transaction.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
