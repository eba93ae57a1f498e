//! A store in memory.

use super::commit::Commit;
use super::error::StoreError;
use super::frame::{self, PayloadKind};
use super::log_state::LogState;
use super::recovery::{LogDecoder, ReadOutcome, Recovered};
use super::snapshot::Snapshot;
use super::{Log, LogFuture, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory. Clones share the same logs, so a server can be stopped and another one started with its data.
/// Logs are kept as encoded bytes, so values that cannot be encoded are found here too.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    logs: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// A log as it would be on disk.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    owned: bool,
    pub(super) snapshot: Option<Vec<u8>>,
    pub(super) records: Vec<u8>,
}

const PLACE: &str = "memory";

impl Memory {
    // Ignores poisoning: a panic cannot leave the maps half changed.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(any(test, feature = "testing"))]
impl Memory {
    /// Removes the last `bytes` bytes of the records of a log, as a torn write would.
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
            state: LogState::new(id),
        }))
    }
}

struct MemoryLog {
    store: Memory,
    state: LogState,
}

impl MemoryLog {
    fn bytes<T>(&self, with: impl FnOnce(&mut Bytes) -> T) -> T {
        with(self.store.lock().entry(self.state.id.clone()).or_default())
    }

    fn recover_now(&mut self) -> Result<Recovered, StoreError> {
        let recovered = self.bytes(|bytes| {
            let mut decoder = LogDecoder::new(&self.state.id, PLACE, bytes.snapshot.as_deref())?;
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
        self.state.recovered(&recovered);
        Ok(recovered)
    }

    fn commit_now(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let frames = self.state.encode_records(commit.records())?;
        self.bytes(|bytes| frames.iter().for_each(|frame| bytes.records.extend(frame)));
        self.state.appended(commit.records());
        Ok(())
    }

    fn compact_now(&mut self, snapshot: &Snapshot, commit: &Commit) -> Result<(), StoreError> {
        let whole = self.state.encode_snapshot(snapshot, commit.records())?;
        let frames = self.state.encode_records(commit.records())?;
        self.bytes(|bytes| {
            frames.iter().for_each(|frame| bytes.records.extend(frame));
            let mut kept = 0;
            while let Ok((frame, size)) =
                frame::read(&self.state.id, PayloadKind::Record, &bytes.records[kept..])
                && frame.seq <= snapshot.seq
            {
                kept += size;
            }
            bytes.records.drain(..kept);
            bytes.snapshot = Some(whole);
        });
        self.state.appended(commit.records());
        self.state.compacted(snapshot.seq);
        Ok(())
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
}

impl Drop for MemoryLog {
    fn drop(&mut self) {
        self.bytes(|bytes| bytes.owned = false);
    }
}
