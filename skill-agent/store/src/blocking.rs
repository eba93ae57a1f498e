//! An adapter for storage engines that block, such as files and databases.

use super::commit::Commit;
use super::error::StoreError;
use super::recovery::Recovered;
use super::{Log, LogFuture, Row};
use crate::bytes::snapshot::Snapshot;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A [`Log`] with blocking methods. [`blocking`] converts it to a `Log`.
pub trait BlockingLog: Send + 'static {
    /// Like [`Log::recover`].
    ///
    /// # Errors
    /// Returns the same errors as [`Log::recover`].
    fn recover(&mut self) -> Result<Recovered, StoreError>;

    /// Like [`Log::commit`].
    ///
    /// # Errors
    /// Returns the same errors as [`Log::commit`].
    fn commit(&mut self, commit: &Commit) -> Result<(), StoreError>;

    /// Like [`Log::compact`].
    ///
    /// # Errors
    /// Returns the same errors as [`Log::compact`].
    fn compact(&mut self, snapshot: &Snapshot, commit: &Commit) -> Result<(), StoreError>;

    /// Like [`Log::read`].
    ///
    /// # Errors
    /// Returns the same errors as [`Log::read`].
    fn read(&mut self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Like [`Log::scan`].
    ///
    /// # Errors
    /// Returns the same errors as [`Log::scan`].
    fn scan(&mut self, table: &str, from: &[u8], limit: usize) -> Result<Vec<Row>, StoreError>;
}

/// Runs a blocking log's methods on tokio's blocking threads, one after another. Errors show `id` and `place`.
///
/// If the future of a write is dropped, the write continues, and the next method waits for it. The futures need a tokio runtime.
pub fn blocking(
    id: impl Into<String>,
    place: impl Into<String>,
    log: impl BlockingLog,
) -> Box<dyn Log> {
    Box::new(OnThreads {
        id: id.into(),
        place: place.into(),
        state: State::Idle(log),
    })
}

struct OnThreads<L> {
    id: String,
    place: String,
    state: State<L>,
}

enum State<L> {
    Idle(L),
    /// A method is running in a task, which returns the log.
    Busy(JoinHandle<L>),
    Lost,
}

impl<L: BlockingLog> OnThreads<L> {
    async fn run<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut L) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let mut log = self.take().await?;
        let (done, result) = oneshot::channel();
        self.state = State::Busy(tokio::task::spawn_blocking(move || {
            // sending fails if the future was dropped
            let _ = done.send(work(&mut log));
            log
        }));
        let result = result.await;
        let log = self.take().await?;
        self.state = State::Idle(log);
        result.unwrap_or_else(|_| Err(self.lost("its thread ended without a result".into())))
    }

    /// Waits for the running method, if any, and takes the log back from its thread.
    async fn take(&mut self) -> Result<L, StoreError> {
        if let State::Busy(task) = &mut self.state {
            // stay `Busy` until the task has ended, because this future may be dropped too
            self.state = match task.await {
                Ok(log) => State::Idle(log),
                Err(error) => {
                    self.state = State::Lost;
                    return Err(self.lost(error.into()));
                }
            };
        }
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Idle(log) => Ok(log),
            _ => Err(self.lost("a method panicked before".into())),
        }
    }

    fn lost(&self, source: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
        StoreError::failed(&*self.id, &*self.place, source)
    }
}

impl<L: BlockingLog> Log for OnThreads<L> {
    fn recover(&mut self) -> LogFuture<'_, Recovered> {
        Box::pin(self.run(L::recover))
    }

    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(self.run(move |log| log.commit(&commit)))
    }

    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(self.run(move |log| log.compact(&snapshot, &commit)))
    }

    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>> {
        let (table, key) = (table.to_owned(), key.to_owned());
        Box::pin(self.run(move |log| log.read(&table, &key)))
    }

    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>> {
        let (table, from) = (table.to_owned(), from.to_owned());
        Box::pin(self.run(move |log| log.scan(&table, &from, limit)))
    }
}
