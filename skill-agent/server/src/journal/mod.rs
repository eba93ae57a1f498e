//! The journal: the server's view of its log.

mod any_agent;
mod entry;
mod log_user;
mod logged_causes;
mod pending;
mod read_back;
mod recovery;
mod size;
mod snapshot;
mod states;
mod stored_text;
mod time;
mod write;

pub(crate) use any_agent::AnyAgent;
pub(crate) use entry::JournalEntry;
pub(crate) use pending::{PendingDirective, PendingDirectives};
pub use read_back::VerifyRecords;
pub use read_back::{NotReadBack, compare};
pub use recovery::Recovery;
pub(crate) use recovery::{RecoveryOptions, RestoredAgent, apply_recovered};
pub(crate) use states::{StateEncoder, encode_present, encode_saved, restore_state, state_value};
pub use stored_text::Quoting;
pub(crate) use time::{due, later};
pub use time::{millis, time};
pub(crate) use write::Write;

use crate::chain::{Chain, FollowUp};
use crate::rows::{Rows, RowsPage};
use crate::turns::{KeptTurns, TurnId, read_kept, read_state};
use log_user::LogUser;
use size::record_size;
use skill_agent_store::{ChangedSkill, Log, Logged, Record, RecordKind, StoreError, encode};
use skill_core::Directive;
use snapshot::FirstSnapshot;
use states::UnstorableState;
use std::any::Any;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;
use write::BatchCommit;

/// The minimum number of marks that get their own record. Fewer marks are written with the next record.
const MARK_RECORD: usize = 1_024;

/// A log, and the server's knowledge of its contents.
pub(crate) struct Journal {
    log: LogUser,
    id: String,
    build: String,
    state: JournalState,
    states: StateEncoder,
    /// Numbers of done directives that no record marks yet.
    marks: Vec<u64>,
    /// Directives executed by unwritten records, by record number.
    executing: BTreeMap<u64, Vec<PendingDirective>>,
    is_broken: bool,
    /// The first snapshot of this build. It is written with the first commit, so a start that fails earlier leaves the log
    /// unchanged.
    first_snapshot: Option<FirstSnapshot>,
    /// Whether an empty log stays empty until the first record.
    leaves_empty: bool,
}

/// The state of an open log.
#[derive(Clone, Default)]
pub(crate) struct JournalState {
    /// The number of the last record.
    pub(crate) seq: u64,
    pub(crate) next_directive: u64,
    pub(crate) pending: PendingDirectives,
    /// The number of records after the snapshot.
    pub(crate) records: u64,
    /// Approximate size of these records in bytes.
    pub(crate) bytes: usize,
    /// Approximate size of the snapshot in bytes.
    pub(crate) snapshot_bytes: usize,
}

/// The future of a write. Returns how many records are on disk, and the error if some are not.
type Appending<'a> = Pin<Box<dyn Future<Output = (usize, Option<StoreError>)> + Send + 'a>>;

/// A record, and its directives with their numbers.
type Recorded = (Record, Vec<(Directive, Option<u64>)>);

impl Journal {
    pub(crate) fn new(
        log: Box<dyn Log>,
        id: String,
        build: String,
        state: JournalState,
        states: StateEncoder,
    ) -> Self {
        Self {
            log: LogUser::new(log, id.clone()),
            id,
            build,
            state,
            states,
            marks: Vec::new(),
            executing: BTreeMap::new(),
            is_broken: false,
            first_snapshot: None,
            leaves_empty: false,
        }
    }

    /// Keeps a value until the log is closed. A write that outlives the server task keeps the log open.
    pub(crate) fn drop_after_log(&mut self, value: Arc<dyn Any + Send + Sync>) {
        self.log.drop_after_log = Some(value);
    }

    /// Creates a command's record, and returns it with the command's directives and their numbers. `changed_keys` are the state
    /// keys of the changed skills.
    pub(crate) fn record(
        &mut self,
        agent: &dyn AnyAgent,
        changed_keys: &mut dyn Iterator<Item = &'static str>,
        mut entry: JournalEntry,
        now: SystemTime,
    ) -> Result<Recorded, StoreError> {
        if self.is_broken {
            return Err(self.unrecordable("a write failed before"));
        }
        let id = std::mem::take(&mut entry.id);
        let mut record = Record::new(self.state.seq + 1, entry.kind, millis(now), id);
        for key in changed_keys {
            let state = self.states.encode_for_record(agent, key, record.seq);
            record.states.push(ChangedSkill {
                key: key.to_owned(),
                state: state.map_err(|error| self.unrecordable(error))?,
            });
        }
        let directives = self.complete(&mut record, entry, now)?;
        Ok((record, directives))
    }

    /// Adds everything but the states to a command's record, and returns the directives with their numbers.
    fn complete(
        &mut self,
        record: &mut Record,
        entry: JournalEntry,
        now: SystemTime,
    ) -> Result<Vec<(Directive, Option<u64>)>, StoreError> {
        let mut directives = Vec::with_capacity(entry.directives.len());
        for directive in entry.directives {
            let schedules = directive.facts().schedules;
            let due = schedules.map(|schedule| millis(due(schedule, now)));
            let n = self.state.next_directive + record.directives.len() as u64;
            let leads_on = FollowUp::of(&directive).is_some();
            record.directives.push(Logged {
                n,
                directive: encode(&directive).map_err(|error| self.unrecordable(error))?,
                due,
                hops: entry.chain.hops(),
                cause: entry.chain.logged_cause().filter(|_| leads_on),
                turn: entry.chain.turn().filter(|_| leads_on).map(TurnId::to_text),
            });
            directives.push((directive, Some(n)));
        }
        record.instructions = entry.instructions;
        record.hops = entry.chain.hops();
        record.turn = entry.chain.turn().map(TurnId::to_text);
        record.done = std::mem::take(&mut self.marks);
        let executed = entry.number.iter().chain(&entry.withdrawn);
        let executed: Vec<_> = executed
            .filter_map(|number| self.state.pending.get(number).cloned())
            .collect();
        if !executed.is_empty() {
            record
                .done
                .extend(executed.iter().map(|executed| executed.logged.n));
            self.executing.insert(record.seq, executed);
        }
        self.assume_written(record, &entry.chain);
        Ok(directives)
    }

    /// Checks that the states of a new or restored agent can be stored.
    ///
    /// # Errors
    /// Returns an error if a state cannot be stored, or would decode to a different value.
    pub(crate) fn check_states(&self, agent: &dyn AnyAgent) -> Result<(), UnstorableState> {
        self.states.check(agent)
    }

    fn unrecordable(
        &self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> StoreError {
        StoreError::unrecordable(&*self.id, source)
    }

    /// Updates the in-memory state as if the record were written.
    fn assume_written(&mut self, record: &Record, chain: &Chain) {
        self.state.seq = record.seq;
        self.state.next_directive += record.directives.len() as u64;
        for logged in &record.directives {
            let pending = PendingDirective {
                logged: logged.clone(),
                chain: match logged.cause {
                    Some(_) => chain.clone(),
                    None => Chain::default(),
                },
            };
            self.state.pending.insert(logged.n, pending);
        }
        for number in &record.done {
            self.state.pending.remove(number);
        }
    }

    /// Reverts [`assume_written`](Self::assume_written).
    fn revert(&mut self, record: &Record) {
        self.state.seq = record.seq - 1;
        self.state.next_directive -= record.directives.len() as u64;
        for logged in &record.directives {
            self.state.pending.remove(&logged.n);
        }
        let executed = self.executing.remove(&record.seq).unwrap_or_default();
        // Directives that were executed stay done.
        let is_done = |number: &u64| executed.iter().all(|executed| executed.logged.n != *number);
        let done = record.done.iter().copied();
        self.marks.splice(0..0, done.filter(is_done));
        for executed in executed {
            self.state.pending.insert(executed.logged.n, executed);
        }
    }

    /// Writes records. Returns how many are on disk, and the error if some are not.
    pub(crate) fn append(&mut self, writes: Vec<Write>) -> Appending<'_> {
        // The future is boxed, so that its code is compiled here and not with each agent.
        Box::pin(self.append_all(writes))
    }

    async fn append_all(&mut self, writes: Vec<Write>) -> (usize, Option<StoreError>) {
        let batch = BatchCommit::new(writes);
        let commit = batch.commit.clone();
        let (kept, error) = match self.first_snapshot.take() {
            Some(first) => match self
                .compact(first.snapshot.clone(), first.with(&commit))
                .await
            {
                Ok(()) => (commit.records().len(), None),
                Err(error) => {
                    // No record may be written before the snapshot.
                    self.first_snapshot = Some(first);
                    (0, Some(error))
                }
            },
            None => {
                let written = self.log.run(|log| Box::pin(batch.write_prefix(log)));
                written.await.unwrap_or_else(|error| (0, Some(error)))
            }
        };
        let (written, undone) = commit.records().split_at(kept);
        self.state.records += kept as u64;
        self.state.bytes += written.iter().map(record_size).sum::<usize>();
        for record in undone.iter().rev() {
            self.revert(record);
        }
        self.executing.clear();
        self.is_broken |= matches!(&error, Some(error) if !error.leaves_log_usable());
        (kept, error)
    }

    /// Returns the number for the next recorded directive.
    pub(crate) fn next_directive(&self) -> u64 {
        self.state.next_directive
    }

    /// Returns how many directives are pending.
    pub(crate) fn pending(&self) -> usize {
        self.state.pending.len()
    }

    /// Marks a directive as done.
    pub(crate) fn done(&mut self, number: u64) {
        self.state.pending.remove(&number);
        self.marks.push(number);
    }

    /// Writes the marks in their own record if many of them wait for the next record.
    pub(crate) async fn write_marks(&mut self, now: SystemTime) -> Result<(), StoreError> {
        if self.marks.len() < MARK_RECORD || self.is_broken {
            return Ok(());
        }
        let record = self.mark(now)?;
        match self.append(vec![Write::from(record)]).await {
            (_, None) => Ok(()),
            (_, Some(error)) => Err(error),
        }
    }

    /// Creates a record without a command, for marks and for rows of another crate.
    pub(crate) fn mark(&mut self, now: SystemTime) -> Result<Record, StoreError> {
        if self.is_broken {
            return Err(self.unrecordable("a write failed before"));
        }
        let mut record = Record::new(self.state.seq + 1, RecordKind::Mark, millis(now), "");
        record.done = std::mem::take(&mut self.marks);
        self.assume_written(&record, &Chain::default());
        Ok(record)
    }

    /// Reads the kept turns of a conversation.
    pub(crate) async fn read_kept(
        &mut self,
        conversation: String,
    ) -> Result<KeptTurns, StoreError> {
        let read = self
            .log
            .run(move |log| Box::pin(async move { read_kept(log, &conversation).await }));
        read.await?
    }

    /// Reads a kept state.
    pub(crate) async fn read_state(&mut self, key: Vec<u8>) -> Result<Option<Vec<u8>>, StoreError> {
        let read = self
            .log
            .run(move |log| Box::pin(async move { read_state(log, &key).await }));
        read.await?
    }

    /// Returns a directive that is not done, in its logged form.
    pub(crate) fn logged(&self, number: u64) -> Option<&Logged> {
        self.state
            .pending
            .get(&number)
            .map(|pending| &pending.logged)
    }

    /// Returns the directives that are not done.
    pub(crate) fn not_done(&self) -> impl Iterator<Item = &PendingDirective> {
        self.state.pending.values()
    }

    /// Reads rows of another crate.
    pub(crate) async fn read_rows(&mut self, page: RowsPage) -> Result<Rows, StoreError> {
        let read = self.log.run(move |log| Box::pin(page.read(log)));
        read.await?
    }
}
