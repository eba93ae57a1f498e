//! Passes events from the loop to its reader.

use crate::history::compact::Compacted;
use crate::layers::Layers;
use crate::layers::error::LayerError;
use crate::slot::Slot;
use crate::{Event, Message, Turn};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// Replaces the user's message after something was added to it, or a step's results after one of the calls was decided.
    ReplaceLast(Message),
}

/// Passes on one event at a time, so that the loop continues only once the reader has taken the event.
#[derive(Clone, Default)]
pub(super) struct Outlet {
    slot: Slot<Emission>,
    layers: Layers,
    aside: Arc<Mutex<Aside>>,
}

/// The values that the loop passes on without an event.
#[derive(Default)]
struct Aside {
    compacted: Option<Compacted>,
    failed: Option<LayerError>,
}

impl Outlet {
    pub(super) fn new(layers: Layers) -> Self {
        Self {
            layers,
            ..Self::default()
        }
    }

    /// Passes on an event, as the layers show it, and waits until the reader takes it. If a layer panics, [`check`](Self::check)
    /// returns an error.
    pub(super) async fn emit(&self, mut event: Event) {
        let change = None;
        match self.layers.show(&mut event) {
            Ok(()) => self.slot.emit(Emission { event, change }).await,
            // running calls continue, so that the history gets their results
            Err(error) => self.aside().failed = Some(error),
        }
    }

    /// Passes on an event with messages of the history, and a change to the history. The event skips the layers.
    pub(super) async fn emit_with(&self, event: Event, change: Option<HistoryChange>) {
        self.slot.emit(Emission { event, change }).await;
    }

    /// Returns the turn as the layers show it.
    pub(super) fn shown(&self, turn: Turn) -> Result<Turn, LayerError> {
        if self.layers.is_empty() {
            return Ok(turn);
        }
        let mut event = Event::Done(turn.clone());
        self.layers.show(&mut event)?;
        Ok(match event {
            Event::Done(turn) => turn,
            // a layer replaced the event with one of a different kind
            _ => turn,
        })
    }

    /// Passes on the messages that replace earlier turns in requests. The chat keeps them even if a later step fails, because
    /// creating them may have been costly.
    pub(super) fn keep(&self, compacted: Compacted) {
        self.aside().compacted = Some(compacted);
    }

    /// Takes the waiting event.
    pub(super) fn take(&self) -> Option<Emission> {
        self.slot.take()
    }

    pub(super) fn take_compacted(&self) -> Option<Compacted> {
        self.aside().compacted.take()
    }

    /// Returns an error if a layer could not show an event.
    pub(super) fn check(&self) -> Result<(), LayerError> {
        self.aside().failed.take().map_or(Ok(()), Err)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slot.is_empty()
    }

    fn aside(&self) -> MutexGuard<'_, Aside> {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
