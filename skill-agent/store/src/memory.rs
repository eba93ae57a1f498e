//! A store in memory.

use super::commit::Commit;
use super::error::StoreError;
use super::log_rules::{EncodedCommit, LogRules};
use super::recovery::{LogDecoder, ReadOutcome, Recovered};
use super::table::TableChange;
use super::{Log, LogFuture, Row, Store};
use crate::bytes::frame;
use crate::bytes::frame::PayloadKind;
use crate::bytes::row;
use crate::bytes::snapshot::Snapshot;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory. Clones share the same logs, so a new server can start with the data of a stopped one. Logs are kept as
/// encoded bytes, so a value that cannot be encoded fails here too.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    logs: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// A log, in the form that it would have on disk.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    owned: bool,
    pub(super) snapshot: Option<Vec<u8>>,
    pub(super) records: Vec<u8>,
    /// The rows of each side table, encoded as in a file.
    pub(super) tables: BTreeMap<String, BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl Bytes {
    fn write(&mut self, id: &str, encoded: &EncodedCommit<'_>) {
        for (_, frame) in &encoded.records {
            self.records.extend(frame);
        }
        for change in encoded.changes {
            self.change(id, change);
        }
    }

    fn change(&mut self, id: &str, change: &TableChange) {
        match change {
            TableChange::Put { table, key, value } => {
                let rows = self.tables.entry(table.to_string()).or_default();
                rows.insert(key.clone(), row::write(id, table, key, value));
            }
            TableChange::Delete { table, key } => {
                if let Some(rows) = self.tables.get_mut(&**table) {
                    rows.remove(key);
                }
            }
            TableChange::DeleteRange { table, from, to } => {
                if let Some(rows) = self.tables.get_mut(&**table) {
                    let mut deleted = rows.split_off(from);
                    if let Some(to) = to {
                        rows.append(&mut deleted.split_off(to));
                    }
                }
            }
        }
    }
}

const PLACE: &str = "memory";

impl Memory {
    // ignore poisoning, because a panic cannot leave the maps half changed
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(any(test, feature = "testing"))]
impl Memory {
    /// Removes the last `bytes` bytes from a log's records, like a torn write.
    pub fn tear(&self, id: &str, bytes: usize) {
        if let Some(log) = self.lock().get_mut(id) {
            let length = log.records.len().saturating_sub(bytes);
            log.records.truncate(length);
        }
    }

    #[cfg(test)]
    pub(super) fn tamper<T>(&self, id: &str, with: impl FnOnce(&mut Bytes) -> T) -> T {
        with(self.lock().entry(id.to_owned()).or_default())
    }
}

impl Store for Memory {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        let mut logs = self.lock();
        let bytes = logs.entry(id.to_owned()).or_default();
        if std::mem::replace(&mut bytes.owned, true) {
            return Err(StoreError::owned(id));
        }
        Ok(Box::new(MemoryLog {
            store: self.clone(),
            rules: LogRules::new(id, PLACE),
        }))
    }
}

struct MemoryLog {
    store: Memory,
    rules: LogRules,
}

impl MemoryLog {
    fn bytes<T>(&self, with: impl FnOnce(&mut Bytes) -> T) -> T {
        with(
            self.store
                .lock()
                .entry(self.rules.id().to_owned())
                .or_default(),
        )
    }

    fn recover_now(&mut self) -> Result<Recovered, StoreError> {
        let recovered = self.bytes(|bytes| {
            let mut decoder = LogDecoder::new(self.rules.id(), PLACE, bytes.snapshot.as_deref())?;
            let mut good = 0;
            while good < bytes.records.len() {
                match decoder.read_record(&bytes.records[good..])? {
                    ReadOutcome::Record { size } => good += size,
                    ReadOutcome::Damaged(flaw) => {
                        decoder.cut_off(flaw, (bytes.records.len() - good) as u64, None);
                        bytes.records.truncate(good);
                    }
                }
            }
            Ok(decoder.finish())
        })?;
        self.rules.recovered(&recovered);
        Ok(recovered)
    }

    fn commit_now(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let encoded = self.rules.encode(commit)?;
        self.bytes(|bytes| bytes.write(self.rules.id(), &encoded));
        self.rules.committed(commit);
        Ok(())
    }

    fn compact_now(&mut self, snapshot: &Snapshot, commit: &Commit) -> Result<(), StoreError> {
        let whole = self.rules.encode_snapshot(snapshot, commit)?;
        let encoded = self.rules.encode(commit)?;
        self.bytes(|bytes| {
            bytes.write(self.rules.id(), &encoded);
            let mut kept = 0;
            while let Ok((frame, size)) =
                frame::read(self.rules.id(), PayloadKind::Record, &bytes.records[kept..])
                && frame.seq <= snapshot.seq
            {
                kept += size;
            }
            bytes.records.drain(..kept);
            bytes.snapshot = Some(whole);
        });
        self.rules.compacted(snapshot, commit);
        Ok(())
    }

    fn read_now(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.rules.check_read(table, key)?;
        self.bytes(|bytes| {
            let row = bytes.tables.get(table).and_then(|rows| rows.get(key));
            row.map(|row| self.rules.decode_row(table, key, row))
                .transpose()
        })
    }

    fn scan_now(&self, table: &str, from: &[u8], limit: usize) -> Result<Vec<Row>, StoreError> {
        self.rules.check_scan(table, from)?;
        self.bytes(|bytes| {
            let rows = bytes.tables.get(table).into_iter();
            rows.flat_map(|rows| rows.range::<[u8], _>((Bound::Included(from), Bound::Unbounded)))
                .take(limit)
                .map(|(key, row)| Ok((key.clone(), self.rules.decode_row(table, key, row)?)))
                .collect()
        })
    }
}

impl Log for MemoryLog {
    fn recover(&mut self) -> LogFuture<'_, Recovered> {
        Box::pin(async { self.recover_now() })
    }

    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move { self.commit_now(&commit) })
    }

    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move { self.compact_now(&snapshot, &commit) })
    }

    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move { self.read_now(table, key) })
    }

    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>> {
        Box::pin(async move { self.scan_now(table, from, limit) })
    }
}

impl Drop for MemoryLog {
    fn drop(&mut self) {
        self.bytes(|bytes| bytes.owned = false);
    }
}
