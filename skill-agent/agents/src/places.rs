//! The places for agents that are awake.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places, which are given out in the order of the requests.
pub(crate) struct Places {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A place. Dropping it frees the place.
pub(crate) struct Place(Option<OwnedSemaphorePermit>);

impl Places {
    pub(crate) fn new(count: usize) -> Self {
        let count = count.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            free: Arc::new(Semaphore::new(count)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Takes a place that is free.
    pub(crate) fn try_take(&self) -> Option<Place> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(Place(Some(permit)))
    }

    /// Returns a request for a place, which counts as waiting from here on.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Waiting(self)
    }

    /// Returns whether a request waits for a place.
    pub(crate) fn are_wanted(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
    }
}

impl Place {
    /// Returns a place beyond the bound.
    pub(crate) fn extra() -> Self {
        Self(None)
    }

    /// Returns whether the place is beyond the bound.
    pub(crate) fn is_extra(&self) -> bool {
        self.0.is_none()
    }
}

/// A request that waits for a place.
pub(crate) struct Waiting<'a>(&'a Places);

impl Waiting<'_> {
    pub(crate) async fn take(self) -> Place {
        let permit = Arc::clone(&self.0.free).acquire_owned().await;
        // the semaphore is never closed
        Place(permit.ok())
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}
