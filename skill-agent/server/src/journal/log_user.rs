//! Each use of a log, in a task of its own.

use crate::panics::message_of;
use skill_agent_store::{Log, StoreError};
use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;

/// The user of a log.
pub(super) struct LogUser {
    /// `None` during a use, and after one that panicked.
    log: Option<Box<dyn Log>>,
    id: String,
    /// Dropped after the log, even if a write outlives the server's task.
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

    /// Uses the log in a task of its own, which ends even if the task that awaits it does not.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if the log panics; it is not used again.
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
            // dropped in this order when the task that awaits this is gone
            (log, result, drop_after_log)
        });
        match task.await {
            Ok((log, result, _)) => {
                self.log = Some(log);
                Ok(result)
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => Err(self.failed(format!("the log panicked: {}", message_of(panic)))),
                // The runtime is shutting down, and cancels this task too.
                Err(_) => std::future::pending().await,
            },
        }
    }

    fn failed(&self, reason: String) -> StoreError {
        StoreError::failed(&*self.id, "the store", reason)
    }
}
