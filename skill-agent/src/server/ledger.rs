//! The log of a served agent, as its owner sees it: what to write next, and which directives are not done.

use super::owner::{Epitaph, Finished};
use super::panics::catch;
use crate::store::{
    Keyed, Log, Logged, Record, RecordKind, SkillImage, SkillSnapshot, Snapshot, StoreError, encode,
};
use serde_json::Value;
use skill_core::process;
use skill_core::{Agent, Directive};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A snapshot is made after so many records …
const RECORDS: u64 = 1_000;
/// … or so many bytes of them.
const BYTES: usize = 1 << 20;
/// So many marks wait for a record before they are written by themselves.
const MARKS: usize = 1_024;

/// A log, and what is known of it.
pub(crate) struct Ledger {
    /// Away while it writes.
    log: Option<Box<dyn Log>>,
    id: String,
    /// The number of the last record.
    seq: u64,
    next_directive: u64,
    /// Directives that are not done, by their numbers.
    pending: BTreeMap<u64, Logged>,
    /// Directives that are done, which no record says yet.
    marks: Vec<u64>,
    /// Directives that records which are not written yet carried out, by the numbers of the records.
    own: BTreeMap<u64, Logged>,
    records: u64,
    bytes: usize,
    build: String,
    is_broken: bool,
    /// Whether the first snapshot of this build is still to be made.
    pub(crate) is_new_build: bool,
    /// Dropped after the log.
    epitaph: Option<Arc<Epitaph>>,
}

/// What a ledger begins with.
pub(crate) struct Beginning {
    pub(crate) seq: u64,
    pub(crate) next_directive: u64,
    pub(crate) pending: BTreeMap<u64, Logged>,
    /// How many records there are since the snapshot, and about how many bytes.
    pub(crate) records: u64,
    pub(crate) bytes: usize,
}

/// A record, and its directives with their numbers.
type Recorded = (Record, Vec<(Directive, Option<u64>)>);

/// Milliseconds since the Unix epoch.
pub(crate) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The time after a while; a while that no clock can say ends in two hundred years.
pub(crate) fn later(now: SystemTime, after: Duration) -> SystemTime {
    const LONG: Duration = Duration::from_secs(200 * 366 * 24 * 3600);
    now.checked_add(after).unwrap_or_else(|| now + LONG)
}

/// The time at so many milliseconds.
pub(crate) fn time(millis: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(millis)
}

impl Ledger {
    pub(crate) fn new(log: Box<dyn Log>, id: String, build: String, beginning: Beginning) -> Self {
        Self {
            log: Some(log),
            id,
            seq: beginning.seq,
            next_directive: beginning.next_directive,
            pending: beginning.pending,
            marks: Vec::new(),
            own: BTreeMap::new(),
            records: beginning.records,
            bytes: beginning.bytes,
            build,
            is_broken: false,
            is_new_build: false,
            epitaph: None,
        }
    }

    /// The server is no more when the log has been given up, also where a write goes on for longer than its task.
    pub(crate) fn outlast(&mut self, epitaph: Arc<Epitaph>) {
        self.epitaph = Some(epitaph);
    }

    /// The record of a command, and its directives with their numbers.
    pub(crate) fn record<G: Agent>(
        &mut self,
        agent: &G,
        changed: impl Iterator<Item = &'static str>,
        finished: Finished<G>,
        now: SystemTime,
    ) -> Result<Recorded, StoreError> {
        if self.is_broken {
            return Err(self.failed("a write failed before"));
        }
        let mut record = Record::new(self.seq + 1, finished.kind, millis(now), finished.id);
        for key in changed {
            let state = self.image(agent, key)?;
            record.states.push(SkillImage {
                key: key.to_owned(),
                state,
            });
        }
        let mut directives = Vec::with_capacity(finished.directives.len());
        for directive in finished.directives {
            let due = match &directive {
                Directive::Schedule(schedule) => Some(millis(later(now, schedule.after))),
                _ => None,
            };
            let n = self.next_directive + record.directives.len() as u64;
            record.directives.push(Logged {
                n,
                directive: encode(&directive).map_err(|error| self.failed(error.to_string()))?,
                due,
                hops: finished.hops,
            });
            directives.push((directive, Some(n)));
        }
        record.instructions = finished.instructions;
        record.keyed = finished.keyed;
        record.hops = finished.hops;
        record.done = std::mem::take(&mut self.marks);
        if let Some(own) = finished.number.and_then(|number| self.pending.get(&number)) {
            self.own.insert(record.seq, own.clone());
            record.done.push(own.n);
        }
        self.enter(&record);
        Ok((record, directives))
    }

    fn image<G: Agent>(&self, agent: &G, key: &str) -> Result<Vec<u8>, StoreError> {
        let image = catch(|| process::with_stored(agent, key, |image| encode(image)));
        let image =
            image.map_err(|panic| self.failed(format!("its `Serialize` panicked: {panic}")))?;
        let image = image.ok_or_else(|| self.failed(format!("there is no state under `{key}`")))?;
        image.map_err(|error| self.failed(error.to_string()))
    }

    fn failed(&self, reason: impl Into<String>) -> StoreError {
        StoreError::unusable(&self.id, reason)
    }

    /// Takes the record for written.
    fn enter(&mut self, record: &Record) {
        self.seq = record.seq;
        self.next_directive += record.directives.len() as u64;
        for logged in &record.directives {
            self.pending.insert(logged.n, logged.clone());
        }
        for number in &record.done {
            self.pending.remove(number);
        }
    }

    /// The record was not written after all.
    fn take_back(&mut self, mut record: Record) {
        self.seq = record.seq - 1;
        self.next_directive -= record.directives.len() as u64;
        for logged in &record.directives {
            self.pending.remove(&logged.n);
        }
        if let Some(own) = self.own.remove(&record.seq) {
            record.done.retain(|number| *number != own.n);
            self.pending.insert(own.n, own);
        }
        // what was done in the world stays done
        self.marks.splice(0..0, record.done);
    }

    /// Writes records: how many are on disk, and why not all.
    pub(crate) async fn append(&mut self, records: Vec<Record>) -> (usize, Option<StoreError>) {
        let count = records.len();
        let bytes: usize = records.iter().map(weight).sum();
        let (records, kept, error) = self
            .block(move |log| {
                let (kept, error) = write(log, &records);
                (records, kept, error)
            })
            .await;
        self.records += kept as u64;
        self.bytes += bytes * kept / count.max(1);
        for record in records.into_iter().skip(kept).rev() {
            self.take_back(record);
        }
        self.own.clear();
        self.is_broken |=
            matches!(&error, Some(error) if !matches!(error, StoreError::Refused { .. }));
        (kept, error)
    }

    /// Uses the log where blocking is allowed.
    async fn block<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut dyn Log) -> T + Send + 'static,
    ) -> T {
        let mut log = self
            .log
            .take()
            .expect("the owner awaits one use of its log before the next");
        let epitaph = self.epitaph.clone();
        let task = tokio::task::spawn_blocking(move || {
            let result = work(&mut *log);
            // dropped in this order where nobody waits any more
            (log, result, epitaph)
        });
        match task.await {
            Ok((log, result, _)) => {
                self.log = Some(log);
                result
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // the runtime is going down, and this task with it
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// A directive is done.
    pub(crate) fn done(&mut self, number: u64) {
        self.pending.remove(&number);
        self.marks.push(number);
    }

    /// Writes the marks by themselves, where there are many and no record comes to take them along.
    pub(crate) async fn write_marks(&mut self, now: SystemTime) -> Result<(), StoreError> {
        if self.marks.len() < MARKS || self.is_broken {
            return Ok(());
        }
        let mut record = Record::new(self.seq + 1, RecordKind::Mark, millis(now), "");
        record.done = std::mem::take(&mut self.marks);
        self.enter(&record);
        match self.append(vec![record]).await {
            (_, None) => Ok(()),
            (_, Some(error)) => Err(error),
        }
    }

    pub(crate) fn is_snapshot_due(&self) -> bool {
        !self.is_broken && (self.records >= RECORDS || self.bytes >= BYTES)
    }

    /// Replaces the records by what they amount to.
    pub(crate) async fn snapshot<G: Agent>(
        &mut self,
        agent: &G,
        recent: Vec<Keyed>,
    ) -> Result<(), StoreError> {
        if self.is_broken {
            return Ok(());
        }
        let mut snapshot = Snapshot::new(self.seq, self.build.clone());
        snapshot.skills = self.skills(agent)?;
        snapshot.pending = self.pending.values().cloned().collect();
        snapshot.recent = recent;
        snapshot.next_directive = self.next_directive;
        let result = self.block(move |log| log.compact(&snapshot)).await;
        match &result {
            Ok(()) => {
                self.marks.clear();
                (self.records, self.bytes) = (0, 0);
            }
            Err(StoreError::Refused { .. }) => {}
            Err(_) => self.is_broken = true,
        }
        result
    }

    fn skills<G: Agent>(&self, agent: &G) -> Result<Vec<SkillSnapshot>, StoreError> {
        let specs = process::skills::<G>().iter().enumerate();
        let skill = |(index, spec): (usize, &skill_core::SkillSpec)| -> Result<_, StoreError> {
            let key = process::key::<G>(index);
            let config = process::config(agent, index);
            Ok(SkillSnapshot {
                key: key.to_owned(),
                name: spec.name.to_owned(),
                version: spec.version.map(str::to_owned),
                schema: process::schema_fingerprint::<G>(index),
                config: encode(&config).map_err(|error| self.failed(error.to_string()))?,
                state: self.image(agent, key)?,
            })
        };
        let mut skills: Vec<_> = specs.map(skill).collect::<Result<_, _>>()?;
        if process::mounts::<G>() {
            // each mounted skill says for itself of what version and shape it is
            skills.push(SkillSnapshot {
                key: process::MOUNTED.to_owned(),
                name: process::MOUNTED.to_owned(),
                version: None,
                schema: 0,
                config: Vec::new(),
                state: self.image(agent, process::MOUNTED)?,
            });
        }
        Ok(skills)
    }
}

/// As much as the log takes. Where it refuses the whole, one record after another is tried, so that one that is too large
/// does not take the others with it.
fn write(log: &mut dyn Log, records: &[Record]) -> (usize, Option<StoreError>) {
    match log.append(records) {
        Ok(()) => (records.len(), None),
        Err(StoreError::Refused { .. }) if records.len() > 1 => {
            for (index, record) in records.iter().enumerate() {
                if let Err(error) = log.append(std::slice::from_ref(record)) {
                    return (index, Some(error));
                }
            }
            (records.len(), None)
        }
        Err(error) => (0, Some(error)),
    }
}

/// About how many bytes a record has.
pub(crate) fn weight(record: &Record) -> usize {
    let states = record.states.iter().map(|image| image.state.len());
    let directives = record.directives.iter().map(|it| it.directive.len());
    let instructions = record.instructions.iter().map(|it| size(&it.params));
    let answer = record.keyed.as_ref().map_or(0, |keyed| keyed.answer.len());
    states.chain(directives).chain(instructions).sum::<usize>() + answer + 64
}

/// About how many bytes a value has.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| key.len() + size(value))
            .sum(),
        _ => size_of::<f64>(),
    }
}
