//! Runs each use of a log to its end.

use crate::panics::catch_async;
use skill_agent_store::{Log, StoreError};
use std::any::Any;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::runtime::Handle;

/// Owns a log and runs work on it.
pub(super) struct LogUser {
    /// `None` during a use, and after the last use panicked or its caller was dropped.
    log: Option<Box<dyn Log>>,
    id: String,
    /// Dropped after the log, even if a write outlives the server task.
    pub(super) drop_after_log: Option<Arc<dyn Any + Send + Sync>>,
}

impl LogUser {
    pub(super) fn new(log: Box<dyn Log>, id: String) -> Self {
        Self {
            log: Some(log),
            id,
            drop_after_log: None,
        }
    }

    /// Runs `work` on the log. The work completes even if the caller is dropped.
    ///
    /// # Errors
    /// Returns [`StoreError::Failed`] if the log panics, after which the log is not used again.
    pub(super) async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'a> FnOnce(&'a mut dyn Log) -> Pin<Box<dyn Future<Output = T> + Send + 'a>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        let Some(mut log) = self.log.take() else {
            return Err(self.failed("the log panicked before".to_owned()));
        };
        let drop_after_log = self.drop_after_log.clone();
        let work = Box::pin(async move {
            let result = work(&mut *log).await;
            // if the caller was dropped, these values are dropped in this order
            (log, result, drop_after_log)
        });
        let mut work = Detached(Some(Box::pin(catch_async(work))));
        let used = poll_fn(|cx| work.poll(cx)).await;
        let (log, result, _) =
            used.map_err(|message| self.failed(format!("the log panicked: {message}")))?;
        self.log = Some(log);
        Ok(result)
    }

    fn failed(&self, reason: String) -> StoreError {
        StoreError::failed(&*self.id, "the store", reason)
    }
}

/// Work that continues in a task if its caller is dropped. A task for each use would wake the server task once more.
struct Detached<T: Send + 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: Send> Detached<T> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        let polled = self
            .0
            .as_mut()
            .map_or(Poll::Pending, |work| work.as_mut().poll(cx));
        self.0.take_if(|_| polled.is_ready());
        polled
    }
}

impl<T: Send> Drop for Detached<T> {
    fn drop(&mut self) {
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(work);
        }
    }
}
