//! The limits of a server.

use std::sync::Arc;
use tokio::sync::Semaphore;

/// The maximum number of clients that listen for changes. Less than the connections of a server over HTTP, so that there is room
/// for calls.
const MAX_LISTENERS: usize = 9_000;
/// The maximum number of calls of one handler that run at the same time. A client of the earlier era that goes away does not end
/// its calls.
pub(super) const MAX_CALLS: usize = 1_000;
/// The maximum number of requests that read documents at the same time.
const MAX_READING: usize = 8;

/// The limits of a server, whatever the number of its toolboxes.
#[derive(Clone)]
pub(crate) struct Limits {
    /// Permits for clients that listen for changes.
    pub(super) listeners: Arc<Semaphore>,
    /// Permits for requests that read documents.
    pub(super) reading: Arc<Semaphore>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            listeners: Arc::new(Semaphore::new(MAX_LISTENERS)),
            reading: Arc::new(Semaphore::new(MAX_READING)),
        }
    }
}
