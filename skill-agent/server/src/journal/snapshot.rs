//! The snapshots of a log.

use super::Journal;
use super::any_agent::AnyAgent;
use super::pending::PendingDirective;
use super::size::snapshot_size;
use super::states::{UnstorableState, encode_state};
use crate::panics::catch;
use skill_agent_store::{
    Commit, LogFuture, SkillSnapshot, Snapshot, StoreError, TableChange, encode,
};
use skill_core::process;

/// A snapshot is due after this many records, if they are at least as large as the last snapshot.
const SNAPSHOT_RECORDS: u64 = 1_000;
/// A snapshot is also due after this many bytes of records, under the same condition.
const SNAPSHOT_BYTES: usize = 1 << 20;

/// The first snapshot of a build.
pub(super) struct FirstSnapshot {
    pub(super) snapshot: Snapshot,
    /// The side table changes written with the snapshot.
    pub(super) rows: Vec<TableChange>,
}

impl FirstSnapshot {
    /// Returns the commit with the snapshot's own changes in front.
    pub(super) fn with(&self, commit: &Commit) -> Commit {
        let rows = self.rows.iter().chain(commit.changes()).cloned();
        commit.clone().with_changes(rows.collect())
    }
}

impl Journal {
    /// Returns the number of the last record.
    pub(crate) fn seq(&self) -> u64 {
        self.state.seq
    }

    pub(crate) fn is_snapshot_due(&self) -> bool {
        let log = &self.state;
        let are_many = log.records >= SNAPSHOT_RECORDS || log.bytes >= SNAPSHOT_BYTES;
        !self.is_broken && are_many && log.bytes >= log.snapshot_bytes
    }

    /// Creates this build's first snapshot, which replaces the log's contents. The first commit writes the snapshot and its side
    /// table changes, `rows`.
    pub(crate) fn make_first_snapshot(
        &mut self,
        agent: &dyn AnyAgent,
        rows: Vec<TableChange>,
    ) -> Result<(), StoreError> {
        let snapshot = self.snapshot_of(agent)?;
        self.first_snapshot = Some(FirstSnapshot { snapshot, rows });
        Ok(())
    }

    /// Leaves an empty log empty until the first record.
    pub(crate) fn leave_empty(&mut self) {
        self.leaves_empty = true;
    }

    /// Returns whether the log is empty and stays so.
    pub(crate) fn is_left_empty(&self) -> bool {
        self.leaves_empty && !self.is_stored()
    }

    /// Returns whether the log has a record or a snapshot.
    pub(crate) fn is_stored(&self) -> bool {
        self.state.seq > 0 || self.state.snapshot_bytes > 0
    }

    /// Returns whether this build's first snapshot is not yet written, and must be.
    pub(crate) fn has_first_snapshot(&self) -> bool {
        self.first_snapshot.is_some() && !self.is_left_empty()
    }

    /// Writes this build's first snapshot, if no commit has written it. A log that is left empty gets it with its first commit.
    pub(crate) async fn write_first_snapshot(&mut self) -> Result<(), StoreError> {
        if self.is_left_empty() {
            return Ok(());
        }
        match self.first_snapshot.take() {
            Some(first) => {
                let commit = first.with(&Commit::default());
                self.compact(first.snapshot, commit).await
            }
            None => Ok(()),
        }
    }

    /// Replaces the records with a snapshot of the agent, and writes `rows` with it.
    pub(crate) fn snapshot<'a>(
        &'a mut self,
        agent: &'a dyn AnyAgent,
        rows: Vec<TableChange>,
    ) -> LogFuture<'a, ()> {
        // The future is boxed, so that its code is compiled here and not with each agent.
        Box::pin(async move {
            if self.is_broken {
                return Ok(());
            }
            let snapshot = self.snapshot_of(agent)?;
            let commit = Commit::default().with_changes(rows);
            self.compact(snapshot, commit).await?;
            self.marks.clear();
            Ok(())
        })
    }

    pub(super) async fn compact(
        &mut self,
        snapshot: Snapshot,
        commit: Commit,
    ) -> Result<(), StoreError> {
        let size = snapshot_size(&snapshot);
        let written = self.log.run(|log| log.compact(snapshot, commit)).await;
        let result = written.flatten();
        match &result {
            Ok(()) => {
                let log = &mut self.state;
                (log.records, log.bytes, log.snapshot_bytes) = (0, 0, size);
            }
            Err(error) => self.is_broken |= !error.leaves_log_usable(),
        }
        result
    }

    fn snapshot_of(&self, agent: &dyn AnyAgent) -> Result<Snapshot, StoreError> {
        let mut snapshot = Snapshot::new(self.state.seq, self.build.clone());
        agent.name().clone_into(&mut snapshot.agent);
        let skills = catch(|| skill_snapshots(agent))
            .unwrap_or_else(|panic| Err(format!("a `Serialize` panicked: {panic}").into()));
        snapshot.skills = skills.map_err(|error| self.unrecordable(error))?;
        let pending = self.state.pending.values();
        snapshot.pending = pending.map(PendingDirective::to_logged).collect();
        snapshot.next_directive = self.state.next_directive;
        Ok(snapshot)
    }
}

fn skill_snapshots(agent: &dyn AnyAgent) -> Result<Vec<SkillSnapshot>, UnstorableState> {
    let mut skills = Vec::new();
    for (index, spec) in agent.skills().iter().enumerate() {
        let key = agent.key(index);
        skills.push(SkillSnapshot {
            key: key.to_owned(),
            name: spec.name.to_owned(),
            declared: spec.declared_name().to_owned(),
            version: spec.version.map(str::to_owned),
            schema: agent.schema_fingerprint(index),
            config: encode(&agent.config(index))?,
            state: encode_state(agent, key)?,
        });
    }
    if agent.mounts() {
        // The state contains each mounted skill's version and schema.
        skills.push(SkillSnapshot {
            key: process::MOUNTED.to_owned(),
            name: process::MOUNTED.to_owned(),
            declared: String::new(),
            version: None,
            schema: 0,
            config: Vec::new(),
            state: encode_state(agent, process::MOUNTED)?,
        });
    }
    Ok(skills)
}
