//! A store in memory.

use super::entry::Entry;
use super::error::{Refusal, StoreError};
use super::frame::{self, PayloadKind};
use super::record::Record;
use super::recovery::{Recovered, Replay};
use super::snapshot::Snapshot;
use super::{Log, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory. Clones share the same entries, so a server can be stopped and another one started with its data.
/// Entries are kept as encoded bytes, so values that cannot be encoded are found here too.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    entries: HashMap<String, Bytes>,
    /// Faults injected by tests: the number of appends to refuse, and whether the next one fails.
    refuse: usize,
    fail: bool,
}

/// An entry as it would be on disk.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    owned: bool,
    pub(super) snapshot: Option<Vec<u8>>,
    pub(super) records: Vec<u8>,
}

const PLACE: &str = "memory";

impl Memory {
    // Ignores poisoning: a panic cannot leave the maps half changed.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(any(test, feature = "testing"))]
impl Memory {
    /// Refuses the next `times` appends to any entry, without changing it.
    pub fn refuse_next(&self, times: usize) {
        self.lock().refuse = times;
    }

    /// Fails the next append to any entry like a disk would, after writing half of its bytes.
    pub fn fail_next(&self) {
        self.lock().fail = true;
    }

    #[cfg(test)]
    pub(super) fn tamper<T>(&self, id: &str, with: impl FnOnce(&mut Bytes) -> T) -> T {
        with(self.lock().entries.entry(id.to_owned()).or_default())
    }
}

impl Store for Memory {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        let mut shared = self.lock();
        let entry = shared.entries.entry(id.to_owned()).or_default();
        if std::mem::replace(&mut entry.owned, true) {
            return Err(StoreError::Owned { id: id.to_owned() });
        }
        Ok(Box::new(MemoryLog {
            store: self.clone(),
            entry: Entry::new(id, PLACE),
        }))
    }
}

struct MemoryLog {
    store: Memory,
    entry: Entry,
}

impl MemoryLog {
    fn bytes<T>(&self, with: impl FnOnce(&mut Bytes) -> T) -> T {
        let mut shared = self.store.lock();
        with(shared.entries.entry(self.entry.id.clone()).or_default())
    }

    /// Returns the error that a test injected, if any.
    fn injected_fault(&mut self, frames: &[Vec<u8>]) -> Result<(), StoreError> {
        let mut shared = self.store.lock();
        if shared.refuse > 0 {
            shared.refuse -= 1;
            return Err(self.entry.refused(Refusal::Injected));
        }
        if !std::mem::take(&mut shared.fail) {
            return Ok(());
        }
        drop(shared);
        let mut bytes = frames.concat();
        bytes.truncate(bytes.len() / 2);
        self.bytes(|entry| entry.records.extend(bytes));
        Err(self.entry.failed("a test injected this error"))
    }
}

impl Log for MemoryLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        self.entry.ensure_usable()?;
        let recovered = self.bytes(|bytes| {
            let mut replay = Replay::new(&self.entry.id, PLACE, bytes.snapshot.as_deref())?;
            let mut good = 0;
            while good < bytes.records.len() {
                match replay.read_record(&bytes.records[good..])? {
                    Ok(size) => good += size,
                    Err(flaw) => {
                        replay.cut_off(flaw, (bytes.records.len() - good) as u64, None);
                        bytes.records.truncate(good);
                    }
                }
            }
            Ok(replay.finish())
        })?;
        self.entry.recovered(&recovered);
        Ok(recovered)
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let frames = self.entry.records(records)?;
        self.injected_fault(&frames)?;
        self.bytes(|bytes| frames.iter().for_each(|frame| bytes.records.extend(frame)));
        self.entry.appended(records);
        Ok(())
    }

    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let whole = self.entry.snapshot(snapshot)?;
        self.bytes(|bytes| {
            let mut kept = 0;
            while let Ok((frame, size)) =
                frame::read(&self.entry.id, PayloadKind::Record, &bytes.records[kept..])
                && frame.seq <= snapshot.seq
            {
                kept += size;
            }
            bytes.records.drain(..kept);
            bytes.snapshot = Some(whole);
        });
        self.entry.compacted(snapshot.seq);
        Ok(())
    }
}

impl Drop for MemoryLog {
    fn drop(&mut self) {
        self.bytes(|bytes| bytes.owned = false);
    }
}
