//! Passes events from the loop to its reader.

use crate::history::compact::Compacted;
use crate::{Event, Message};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

/// An event, and the change to the history that takes effect together with it.
#[derive(Debug)]
pub(super) struct Emission {
    pub(super) event: Event,
    pub(super) change: Option<HistoryChange>,
}

/// A change to the history.
#[derive(Debug)]
pub(super) enum HistoryChange {
    /// Appends the messages of a step.
    Append(Vec<Message>),
    /// Replaces a step's results after one of the calls was decided.
    ReplaceLast(Message),
}

/// Passes on one event at a time, so that the loop continues only once the reader has taken the event.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlet(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    emission: Option<Emission>,
    compacted: Option<Compacted>,
}

impl Outlet {
    /// Passes on an event and waits until the reader takes it. The reader then polls the loop itself, so nothing has to wake it.
    pub(super) async fn emit(&self, event: Event) {
        self.emit_with(event, None).await;
    }

    /// Like [`emit`](Self::emit), but also changes the history.
    pub(super) async fn emit_with(&self, event: Event, change: Option<HistoryChange>) {
        self.waiting().emission = Some(Emission { event, change });
        poll_fn(|_| {
            if self.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// Passes on the messages that replace earlier turns in requests. The chat keeps them however the turn ends, because it may
    /// have been costly to create them.
    pub(super) fn keep(&self, compacted: Compacted) {
        self.waiting().compacted = Some(compacted);
    }

    /// Takes the waiting event.
    pub(super) fn take(&self) -> Option<Emission> {
        self.waiting().emission.take()
    }

    pub(super) fn take_compacted(&self) -> Option<Compacted> {
        self.waiting().compacted.take()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting().emission.is_none()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
