//! Runs each use of a log in its own task.

use crate::panics::message_of;
use skill_agent_store::{Log, StoreError};
use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;

/// Owns a log and runs work on it.
pub(super) struct LogUser {
    /// `None` during a use, and after a use panicked.
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

    /// Runs `work` on the log in a separate task, which completes even if the caller is dropped.
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
        let task = tokio::spawn(async move {
            let result = work(&mut *log).await;
            // dropped in this order if the caller was dropped
            (log, result, drop_after_log)
        });
        match task.await {
            Ok((log, result, _)) => {
                self.log = Some(log);
                Ok(result)
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => Err(self.failed(format!("the log panicked: {}", message_of(panic)))),
                // The runtime is shutting down and cancels this task too.
                Err(_) => std::future::pending().await,
            },
        }
    }

    fn failed(&self, reason: String) -> StoreError {
        StoreError::failed(&*self.id, "the store", reason)
    }
}
