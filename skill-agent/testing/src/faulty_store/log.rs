//! A log with injected faults.

use super::{Event, Fault, FaultyStore};
use skill_agent_store::{Commit, Log, LogFuture, Recovered, Refusal, Row, Snapshot, StoreError};

pub(super) struct FaultyLog {
    log: Box<dyn Log>,
    id: String,
    /// The number of restarts before this log was opened.
    opened_after: u64,
    has_failed: bool,
    store: FaultyStore,
}

impl FaultyLog {
    pub(super) fn new(store: &FaultyStore, id: &str, log: Box<dyn Log>) -> Self {
        Self {
            log,
            id: id.to_owned(),
            opened_after: store.status.borrow().restarts,
            has_failed: false,
            store: store.clone(),
        }
    }

    /// Runs a write or a read, or whatever is planned in its place.
    async fn run<T>(
        &mut self,
        event: Option<Event>,
        work: impl for<'a> FnOnce(&'a mut dyn Log) -> LogFuture<'a, T>,
    ) -> Result<T, StoreError> {
        self.ensure_usable().await?;
        let fault = match event {
            None => return work(&mut *self.log).await,
            Some(Event::Pause { reached, resume }) => {
                let _ = reached.send(());
                let _ = resume.await;
                return work(&mut *self.log).await;
            }
            Some(Event::Fault(fault)) => fault,
        };
        match fault {
            Fault::Refuse => {
                let reason = Refusal::other("a test injected this error");
                return Err(StoreError::refused(&*self.id, reason));
            }
            Fault::Panic => panic!("a test injected this panic"),
            Fault::FailBefore => {}
            Fault::FailAfter => drop(work(&mut *self.log).await?),
            Fault::CrashBefore => self.crash().await,
            Fault::CrashAfter => {
                work(&mut *self.log).await?;
                self.crash().await;
            }
        }
        self.has_failed = true;
        Err(self.failed())
    }

    async fn run_read<T>(
        &mut self,
        read: impl for<'a> FnOnce(&'a mut dyn Log) -> LogFuture<'a, T>,
    ) -> Result<T, StoreError> {
        let event = {
            let mut plan = self.store.plan();
            let at = plan.reads;
            plan.reads += 1;
            plan.on_read.remove(&at)
        };
        self.run(event, read).await
    }

    /// Waits until the store is restarted.
    async fn crash(&mut self) {
        let status = &self.store.status;
        let mut changes = status.subscribe();
        status.send_modify(|status| status.has_crashed = true);
        let restarts = self.opened_after;
        let _ = changes.wait_for(|status| status.restarts != restarts).await;
    }

    async fn ensure_usable(&mut self) -> Result<(), StoreError> {
        let status = *self.store.status.borrow();
        if status.restarts == self.opened_after && status.has_crashed {
            self.crash().await;
        }
        if self.has_failed || self.store.status.borrow().restarts != self.opened_after {
            return Err(self.failed());
        }
        Ok(())
    }

    fn failed(&self) -> StoreError {
        StoreError::failed(&*self.id, "a faulty store", "a test injected this error")
    }
}

impl Log for FaultyLog {
    fn recover(&mut self) -> LogFuture<'_, Recovered> {
        Box::pin(async {
            self.ensure_usable().await?;
            self.log.recover().await
        })
    }

    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move {
            let event = {
                let mut plan = self.store.plan();
                let at = plan.commits.len();
                plan.commits.push(commit.records().len());
                plan.on_commit.remove(&at)
            };
            self.run(event, move |log| log.commit(commit)).await
        })
    }

    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move {
            let event = {
                let mut plan = self.store.plan();
                let at = plan.compactions;
                plan.compactions += 1;
                plan.on_compaction.remove(&at)
            };
            self.run(event, move |log| log.compact(snapshot, commit))
                .await
        })
    }

    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>> {
        let (table, key) = (table.to_owned(), key.to_owned());
        Box::pin(self.run_read(move |log| Box::pin(async move { log.read(&table, &key).await })))
    }

    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>> {
        let (table, from) = (table.to_owned(), from.to_owned());
        Box::pin(
            self.run_read(move |log| Box::pin(async move { log.scan(&table, &from, limit).await })),
        )
    }
}
