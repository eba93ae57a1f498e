//! The limits of a server.

use super::Handler;
use rmcp::ErrorData;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The default for [`Http::max_listeners`](crate::Http::max_listeners). Less than the connections of a server over HTTP, so that
/// there is room for calls.
pub(crate) const MAX_LISTENERS: usize = 9_000;
/// The refusal of a stream over the limit.
pub(crate) const TOO_MANY_LISTENERS: &str = "too many clients listen for changes";
/// The maximum number of calls of one handler that run at the same time. A client of the earlier era that goes away does not end
/// its calls.
pub(super) const MAX_CALLS: usize = 1_000;
/// The maximum number of requests that read documents at the same time.
const MAX_READING: usize = 8;

/// The limits of a server, whatever the number of its toolboxes.
#[derive(Clone)]
pub(crate) struct Limits {
    /// Permits for the streams of listening clients.
    pub(crate) listeners: Arc<Semaphore>,
    /// Permits for requests that read documents.
    pub(super) reading: Arc<Semaphore>,
}

impl Limits {
    pub(crate) fn new(max_listeners: usize) -> Self {
        Self {
            listeners: Arc::new(Semaphore::new(max_listeners.min(Semaphore::MAX_PERMITS))),
            reading: Arc::new(Semaphore::new(MAX_READING)),
        }
    }
}

impl Handler {
    /// Returns a permit for a call, or for a request that reads documents.
    pub(super) fn permit(&self) -> Result<OwnedSemaphorePermit, ErrorData> {
        let permit = Arc::clone(&self.calls).try_acquire_owned();
        permit.map_err(|_| ErrorData::internal_error("too many calls run at the same time", None))
    }
}
