//! A log with one defect.

use super::Defect;
use crate::tests::*;

pub(super) struct BrokenLog {
    log: Box<dyn Log>,
    defect: Defect,
    is_recovered: bool,
    has_refused: bool,
    snapshot: Option<Snapshot>,
}

impl BrokenLog {
    pub(super) fn new(log: Box<dyn Log>, defect: Defect) -> Self {
        Self {
            log,
            defect,
            is_recovered: false,
            has_refused: false,
            snapshot: None,
        }
    }

    /// Returns the commit that the defective store writes.
    fn spoiled(&self, commit: &Commit) -> Commit {
        let mut records = commit.records().to_vec();
        match self.defect {
            Defect::LosesTheLastRecord => drop(records.pop()),
            Defect::LosesLargeRecords => {
                records.retain(|record| {
                    record
                        .states
                        .iter()
                        .all(|state| state.state.len() < 1 << 20)
                });
            }
            _ => {}
        }
        let mut changes = commit.changes().to_vec();
        match self.defect {
            Defect::LosesRowsWithoutRecords if records.is_empty() => changes.clear(),
            Defect::MakesChangesInReverse => changes.reverse(),
            Defect::DeletesNoRange => {
                changes.retain(|change| !matches!(change, TableChange::DeleteRange { .. }));
            }
            _ => {}
        }
        changes.iter().fold(Commit::new(records), |commit, change| {
            self.with(commit, change)
        })
    }

    fn with(&self, commit: Commit, change: &TableChange) -> Commit {
        match change {
            TableChange::Put { table, key, value } => {
                let limit = match self.defect {
                    Defect::TakesLargeValues => 64 << 20,
                    _ => value.len(),
                };
                let value = &value[..value.len().min(limit)];
                commit.put(self.table(table), self.key(key), value)
            }
            TableChange::Delete { table, key } => commit.delete(self.table(table), self.key(key)),
            TableChange::DeleteRange { table, from, to } => {
                let table = self.table(table);
                match (to, self.defect) {
                    (None, _) => commit.delete_range(table, from.clone()..),
                    (Some(to), Defect::DeletesTheEndOfARange) => {
                        commit.delete_range(table, from.clone()..=to.clone())
                    }
                    (Some(to), _) => commit.delete_range(table, from.clone()..to.clone()),
                }
            }
        }
    }

    fn table(&self, table: &str) -> String {
        match self.defect {
            Defect::OneTableForAll if table.len() <= 64 && !table.is_empty() => "t".to_owned(),
            _ => table.to_owned(),
        }
    }

    fn key(&self, key: &[u8]) -> Vec<u8> {
        match self.defect {
            Defect::CutsKeys => key[..key.len().min(4096)].to_vec(),
            _ => key.to_vec(),
        }
    }

    /// Writes what the defective store writes after a refusal.
    async fn refused(&mut self, commit: &Commit, error: StoreError) -> StoreError {
        self.has_refused = true;
        let parts = match self.defect {
            Defect::WritesThePrefixOfARefusedCommit => {
                Commit::new(commit.records().get(..1).unwrap_or_default())
            }
            Defect::WritesRowsOfARefusedCommit => {
                let changes = commit.changes().iter();
                changes.fold(Commit::default(), |commit, change| {
                    self.with(commit, change)
                })
            }
            _ => return error,
        };
        let _ = self.log.commit(parts).await;
        error
    }

    async fn before_a_write(&mut self) -> Result<(), StoreError> {
        if self.defect == Defect::NeedsNoRecovery && !self.is_recovered {
            self.is_recovered = true;
            self.log.recover().await?;
        }
        if self.defect == Defect::FailsAfterARefusal && self.has_refused {
            return Err(StoreError::failed("a", "memory", "it failed before"));
        }
        Ok(())
    }

    async fn write(&mut self, commit: Commit) -> Result<(), StoreError> {
        self.before_a_write().await?;
        let commit = self.spoiled(&commit);
        if self.defect == Defect::RefusesEmptyCommits && commit.is_empty() {
            return Err(StoreError::refused("a", Refusal::other("nothing to write")));
        }
        if self.defect == Defect::SplitsADroppedWrite {
            for record in commit.records() {
                self.log.commit(Commit::new([record.clone()])).await?;
                tokio::task::yield_now().await;
            }
            let rows = commit.changes().iter();
            let rows = rows.fold(Commit::default(), |commit, change| {
                self.with(commit, change)
            });
            return self.log.commit(rows).await;
        }
        match self.log.commit(commit.clone()).await {
            Err(StoreError::Refused { .. }) if self.defect == Defect::RenumbersRecords => {
                let last = self.log.recover().await?.last_seq();
                let records = numbered(last, commit.records().to_vec());
                self.log.commit(Commit::new(records)).await
            }
            Err(error @ StoreError::Refused { .. }) => Err(self.refused(&commit, error).await),
            result => result,
        }
    }

    async fn compact_now(&mut self, snapshot: Snapshot, commit: Commit) -> Result<(), StoreError> {
        self.before_a_write().await?;
        let mut commit = self.spoiled(&commit);
        match (self.defect, &self.snapshot) {
            (Defect::CompactsWithoutTheCommit, _) => commit = Commit::default(),
            (Defect::ClearsTablesInACompaction, _) => commit = commit.delete_range("t", ..),
            (Defect::KeepsTheOldSnapshot, Some(old)) if old.seq > snapshot.seq => return Ok(()),
            _ => {}
        }
        self.log.compact(snapshot.clone(), commit.clone()).await?;
        self.snapshot = Some(snapshot);
        Ok(())
    }
}

impl Log for BrokenLog {
    fn recover(&mut self) -> LogFuture<'_, Recovered> {
        Box::pin(async {
            let recovered = self.log.recover().await?;
            self.is_recovered = true;
            self.snapshot = recovered.snapshot.clone();
            Ok(recovered)
        })
    }

    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(self.write(commit))
    }

    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(self.compact_now(snapshot, commit))
    }

    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let (table, key) = (self.table(table), self.key(key));
            self.log.read(&table, &key).await
        })
    }

    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>> {
        Box::pin(async move {
            let table = self.table(table);
            let mut from = from.to_vec();
            let mut limit = limit;
            match self.defect {
                Defect::ScansAfterTheKey if !from.is_empty() => from.push(0),
                Defect::ScansOneRowMore => limit = limit.saturating_add(1),
                _ => {}
            }
            let mut rows = self.log.scan(&table, &from, limit).await?;
            if self.defect == Defect::ScansInReverse {
                rows.reverse();
            }
            Ok(rows)
        })
    }
}
