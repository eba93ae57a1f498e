//! The journal: the server's view of its log.

mod entry;
mod log_user;
mod logged_causes;
mod read_back;
mod recovery;
mod size;
mod stored_text;
mod stored_value;
mod time;

pub(crate) use entry::JournalEntry;
pub use recovery::Recovery;
pub(crate) use recovery::{RecoveryOptions, apply_recovered};
pub(crate) use size::record_size;
use size::snapshot_size;
pub(crate) use time::{later, time};

use crate::panics::catch;
use crate::server::chain::{Chain, FollowUp};
use crate::store::{
    ChangedSkill, Commit, EncodeError, Keyed, Log, Logged, Record, RecordKind, SkillSnapshot,
    Snapshot, StoreError, encode, encode_unchecked,
};
use log_user::{LogUser, commit_prefix};
pub use read_back::VerifyRecords;
use read_back::read_back;
use skill_core::process;
use skill_core::{Agent, Directive};
use std::any::Any;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::SystemTime;
use stored_text::Quoting;
use stored_value::Comparison;
use time::millis;

/// A snapshot is due when the records have as many bytes as the last snapshot, and not before there are this many records …
const SNAPSHOT_RECORDS: u64 = 1_000;
/// … or this many bytes of them.
const SNAPSHOT_BYTES: usize = 1 << 20;
/// Marks wait for the next record; this many are written in a record of their own.
const MARK_RECORD: usize = 1_024;

/// One record of this many is verified with [`VerifyRecords::Sampled`].
const SAMPLE: u64 = 64;

/// Logged directives that are not done, by their numbers.
pub(crate) type PendingDirectives = BTreeMap<u64, PendingDirective>;

/// A logged directive that is not done.
#[derive(Clone, Debug)]
pub(crate) struct PendingDirective {
    pub(crate) logged: Logged,
    /// The chain that it goes on with; the default for a directive that leads to no other command.
    pub(crate) chain: Chain,
}

impl PendingDirective {
    /// The directive as it is logged now: other commands of its cause may have queued follow-ups since it was logged.
    fn to_logged(&self) -> Logged {
        Logged {
            cause: self.chain.logged_cause(),
            ..self.logged.clone()
        }
    }
}

/// A log, and what the server knows about its content.
pub(crate) struct Journal {
    log: LogUser,
    id: String,
    /// The number of the last record.
    seq: u64,
    next_directive: u64,
    pending: PendingDirectives,
    /// Directives that are done, and that no record marks yet.
    marks: Vec<u64>,
    /// Directives that unwritten records execute, by the `seq` of the record.
    executing: PendingDirectives,
    /// How many records follow the snapshot.
    records: u64,
    /// About how many bytes these records have.
    bytes: usize,
    /// About how many bytes the snapshot has.
    snapshot_bytes: usize,
    build: String,
    quoting: Quoting,
    verification: VerifyRecords,
    /// The state keys of the skills of which a state was read back since the start.
    verified: HashSet<&'static str>,
    is_broken: bool,
    /// The first snapshot of this build, until it is written with the first commit: a start that fails before leaves the log as it
    /// was.
    first_snapshot: Option<Snapshot>,
}

/// The state of a log that was opened.
pub(crate) struct JournalState {
    pub(crate) seq: u64,
    pub(crate) next_directive: u64,
    pub(crate) pending: PendingDirectives,
    /// How many records follow the snapshot.
    pub(crate) records: u64,
    /// About how many bytes these records have.
    pub(crate) bytes: usize,
    /// About how many bytes the snapshot has.
    pub(crate) snapshot_bytes: usize,
    /// Whether errors may quote values of a state.
    pub(crate) payloads: bool,
    pub(crate) verification: VerifyRecords,
}

/// A record, and its directives with their numbers.
type Recorded = (Record, Vec<(Directive, Option<u64>)>);

impl Journal {
    pub(crate) fn new(log: Box<dyn Log>, id: String, build: String, state: JournalState) -> Self {
        Self {
            log: LogUser::new(log, id.clone()),
            id,
            seq: state.seq,
            next_directive: state.next_directive,
            pending: state.pending,
            marks: Vec::new(),
            executing: BTreeMap::new(),
            records: state.records,
            bytes: state.bytes,
            snapshot_bytes: state.snapshot_bytes,
            build,
            quoting: Quoting {
                payloads: state.payloads,
            },
            verification: state.verification,
            verified: HashSet::new(),
            is_broken: false,
            first_snapshot: None,
        }
    }

    /// Keeps a value until the log is closed. A write that outlives the server's task keeps the log open.
    pub(crate) fn drop_after_log(&mut self, value: Arc<dyn Any + Send + Sync>) {
        self.log.drop_after_log = Some(value);
    }

    /// Makes the record of a command. Returns it with the command's directives and their numbers.
    pub(crate) fn record<G: Agent>(
        &mut self,
        agent: &G,
        changed: impl Iterator<Item = &'static str>,
        entry: JournalEntry,
        now: SystemTime,
    ) -> Result<Recorded, StoreError> {
        if self.is_broken {
            return Err(self.unrecordable("a write failed before"));
        }
        let mut record = Record::new(self.seq + 1, entry.kind, millis(now), entry.id);
        for key in changed {
            let state = if self.must_verify(key, record.seq) {
                // After a state that is refused, the next one is verified too.
                self.verified.remove(key);
                let state = self.verified_state(agent, key)?;
                self.verified.insert(key);
                state
            } else {
                self.encoded_state(agent, key)?
            };
            record.states.push(ChangedSkill {
                key: key.to_owned(),
                state,
            });
        }
        let mut directives = Vec::with_capacity(entry.directives.len());
        for directive in entry.directives {
            let due = match &directive {
                Directive::Schedule(schedule) => Some(millis(later(now, schedule.after))),
                _ => None,
            };
            let n = self.next_directive + record.directives.len() as u64;
            let leads_on = FollowUp::of(&directive).is_some();
            record.directives.push(Logged {
                n,
                directive: encode(&directive).map_err(|error| self.unrecordable(error))?,
                due,
                hops: entry.chain.hops(),
                cause: entry.chain.logged_cause().filter(|_| leads_on),
            });
            directives.push((directive, Some(n)));
        }
        record.instructions = entry.instructions;
        record.keyed = entry.keyed;
        record.decision = entry.decision;
        record.hops = entry.chain.hops();
        record.done = std::mem::take(&mut self.marks);
        if let Some(executed) = entry.number.and_then(|number| self.pending.get(&number)) {
            self.executing.insert(record.seq, executed.clone());
            record.done.push(executed.logged.n);
        }
        self.assume_written(&record, &entry.chain);
        Ok((record, directives))
    }

    fn encoded_state<G: Agent>(&self, agent: &G, key: &str) -> Result<Vec<u8>, StoreError> {
        self.encode_state_with(agent, key, |state| encode(state))
    }

    fn encode_state_with<G: Agent>(
        &self,
        agent: &G,
        key: &str,
        encode: impl FnOnce(&dyn erased_serde::Serialize) -> Result<Vec<u8>, EncodeError>,
    ) -> Result<Vec<u8>, StoreError> {
        let encoded = catch(|| process::with_stored(agent, key, encode));
        let encoded = encoded
            .map_err(|panic| self.unrecordable(format!("its `Serialize` panicked: {panic}")))?;
        let encoded =
            encoded.ok_or_else(|| self.unrecordable(format!("there is no state under `{key}`")))?;
        encoded.map_err(|error| self.unrecordable(error))
    }

    /// Whether the state of a skill is read back for a record.
    fn must_verify(&self, key: &'static str, seq: u64) -> bool {
        match self.verification {
            VerifyRecords::Always => true,
            VerifyRecords::Sampled => !self.verified.contains(key) || seq.is_multiple_of(SAMPLE),
        }
    }

    /// Encodes a state that is to be recorded, and reads it back: a state whose `Serialize` and `Deserialize` differ must not be
    /// acknowledged.
    fn verified_state<G: Agent>(&self, agent: &G, key: &str) -> Result<Vec<u8>, StoreError> {
        let encoded = self.encode_state_with(agent, key, |state| {
            let mut bytes = Vec::new();
            encode_unchecked(&mut bytes, state).map(|()| bytes)
        })?;
        let Err(reason) = read_back(agent, key, &encoded, Comparison::Exact) else {
            return Ok(encoded);
        };
        let skill = process::skill_at::<G>(key);
        let shown = |text: &str| match skill {
            Some(spec) => self.quoting.of_skill(text, spec, &encoded),
            None => self.quoting.of_mounted::<G>(text, &encoded),
        };
        let secrets = skill.map_or(&[][..], |spec| spec.state_secrets);
        let text = reason.describe(self.quoting, secrets, shown);
        let name = skill.map_or("the mounted skills", |spec| spec.name);
        Err(self.unrecordable(format!(
            "the state of `{name}` would not survive a restart, because its `Serialize` and `Deserialize` differ: {text}"
        )))
    }

    /// Checks that the states of a fresh or restored agent can be stored.
    ///
    /// # Errors
    /// If one of them would not be read back as it is.
    pub(crate) fn check_states<G: Agent>(&self, agent: &G) -> Result<(), StoreError> {
        let skills = 0..process::skills::<G>().len();
        let keys = skills.map(process::key::<G>);
        let mounted = process::mounts::<G>().then_some(process::MOUNTED);
        for key in keys.chain(mounted) {
            self.verified_state(agent, key)?;
        }
        Ok(())
    }

    fn unrecordable(
        &self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> StoreError {
        StoreError::unrecordable(&*self.id, source)
    }

    /// Updates the state of the log as if the record was written.
    fn assume_written(&mut self, record: &Record, chain: &Chain) {
        self.seq = record.seq;
        self.next_directive += record.directives.len() as u64;
        for logged in &record.directives {
            let pending = PendingDirective {
                logged: logged.clone(),
                chain: match logged.cause {
                    Some(_) => chain.clone(),
                    None => Chain::default(),
                },
            };
            self.pending.insert(logged.n, pending);
        }
        for number in &record.done {
            self.pending.remove(number);
        }
    }

    /// Reverts [`assume_written`](Self::assume_written).
    fn revert(&mut self, record: &Record) {
        self.seq = record.seq - 1;
        self.next_directive -= record.directives.len() as u64;
        for logged in &record.directives {
            self.pending.remove(&logged.n);
        }
        let executed = self.executing.remove(&record.seq);
        let executed_number = executed.as_ref().map(|executed| executed.logged.n);
        if let Some(executed) = executed {
            self.pending.insert(executed.logged.n, executed);
        }
        // Effects that happened stay done.
        let done = record.done.iter().copied();
        self.marks
            .splice(0..0, done.filter(|number| Some(*number) != executed_number));
    }

    /// Writes records. Returns how many are on disk, and the error if it is not all of them.
    pub(crate) async fn append(&mut self, records: Vec<Record>) -> (usize, Option<StoreError>) {
        let bytes: usize = records.iter().map(record_size).sum();
        let commit = Commit::new(records);
        let count = commit.records().len();
        let (kept, error) = match self.first_snapshot.take() {
            Some(snapshot) => match self.compact(snapshot.clone(), commit.clone()).await {
                Ok(()) => (count, None),
                Err(error) => {
                    // No record may come before it.
                    self.first_snapshot = Some(snapshot);
                    (0, Some(error))
                }
            },
            None => {
                let commit = commit.clone();
                let written = self.log.run(|log| Box::pin(commit_prefix(log, commit)));
                written.await.unwrap_or_else(|error| (0, Some(error)))
            }
        };
        self.records += kept as u64;
        self.bytes += bytes * kept / count.max(1);
        for record in commit.records()[kept..].iter().rev() {
            self.revert(record);
        }
        self.executing.clear();
        self.is_broken |= matches!(&error, Some(error) if !error.leaves_log_usable());
        (kept, error)
    }

    /// The number of a directive that is recorded next.
    pub(crate) fn next_directive(&self) -> u64 {
        self.next_directive
    }

    /// How many directives are not done.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Marks a directive as done.
    pub(crate) fn done(&mut self, number: u64) {
        self.pending.remove(&number);
        self.marks.push(number);
    }

    /// Writes the marks in a record of their own if many of them wait for the next record.
    pub(crate) async fn write_marks(&mut self, now: SystemTime) -> Result<(), StoreError> {
        if self.marks.len() < MARK_RECORD || self.is_broken {
            return Ok(());
        }
        let mut record = Record::new(self.seq + 1, RecordKind::Mark, millis(now), "");
        record.done = std::mem::take(&mut self.marks);
        self.assume_written(&record, &Chain::default());
        match self.append(vec![record]).await {
            (_, None) => Ok(()),
            (_, Some(error)) => Err(error),
        }
    }

    pub(crate) fn is_snapshot_due(&self) -> bool {
        let are_many = self.records >= SNAPSHOT_RECORDS || self.bytes >= SNAPSHOT_BYTES;
        !self.is_broken && are_many && self.bytes >= self.snapshot_bytes
    }

    /// Makes the first snapshot of this build, which replaces what the log contains in the first commit.
    pub(crate) fn prepare_snapshot<G: Agent>(
        &mut self,
        agent: &G,
        recent: Vec<Keyed>,
    ) -> Result<(), StoreError> {
        self.first_snapshot = Some(self.snapshot_of(agent, recent)?);
        Ok(())
    }

    /// Whether the first snapshot of this build is not written yet.
    pub(crate) fn has_prepared_snapshot(&self) -> bool {
        self.first_snapshot.is_some()
    }

    /// Writes the first snapshot of this build if no commit has written it.
    pub(crate) async fn write_prepared_snapshot(&mut self) -> Result<(), StoreError> {
        match self.first_snapshot.take() {
            Some(snapshot) => self.compact(snapshot, Commit::default()).await,
            None => Ok(()),
        }
    }

    /// Replaces the records by a snapshot of the agent.
    pub(crate) async fn snapshot<G: Agent>(
        &mut self,
        agent: &G,
        recent: Vec<Keyed>,
    ) -> Result<(), StoreError> {
        if self.is_broken {
            return Ok(());
        }
        let snapshot = self.snapshot_of(agent, recent)?;
        self.compact(snapshot, Commit::default()).await?;
        self.marks.clear();
        Ok(())
    }

    async fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> Result<(), StoreError> {
        let size = snapshot_size(&snapshot);
        let written = self.log.run(|log| log.compact(snapshot, commit)).await;
        let result = written.flatten();
        match &result {
            Ok(()) => (self.records, self.bytes, self.snapshot_bytes) = (0, 0, size),
            Err(error) => self.is_broken |= !error.leaves_log_usable(),
        }
        result
    }

    fn snapshot_of<G: Agent>(&self, agent: &G, recent: Vec<Keyed>) -> Result<Snapshot, StoreError> {
        let mut snapshot = Snapshot::new(self.seq, self.build.clone());
        G::SPEC.name.clone_into(&mut snapshot.agent);
        snapshot.skills = catch(|| self.skills(agent))
            .map_err(|panic| self.unrecordable(format!("a `Serialize` panicked: {panic}")))??;
        let pending = self.pending.values();
        snapshot.pending = pending.map(PendingDirective::to_logged).collect();
        snapshot.recent = recent;
        snapshot.next_directive = self.next_directive;
        Ok(snapshot)
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
                config: encode(&config).map_err(|error| self.unrecordable(error))?,
                state: self.encoded_state(agent, key)?,
            })
        };
        let mut skills: Vec<_> = specs.map(skill).collect::<Result<_, _>>()?;
        if process::mounts::<G>() {
            // The state contains the version and schema of each mounted skill.
            skills.push(SkillSnapshot {
                key: process::MOUNTED.to_owned(),
                name: process::MOUNTED.to_owned(),
                version: None,
                schema: 0,
                config: Vec::new(),
                state: self.encoded_state(agent, process::MOUNTED)?,
            });
        }
        Ok(skills)
    }
}
