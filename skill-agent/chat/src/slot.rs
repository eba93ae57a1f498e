//! Passing values from a task to its reader, without a channel: the reader polls the task itself.

use futures_core::Stream;
use futures_core::stream::BoxStream;
use skill_agent_server::BoxFuture;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// Passes on one value at a time, so that the task continues only once the reader has taken the value.
#[derive(Debug)]
pub(crate) struct Slot<T>(Arc<Mutex<Option<T>>>);

impl<T> Slot<T> {
    /// Passes on a value and waits until the reader takes it. The reader then polls the task itself, so nothing has to wake it.
    pub(crate) async fn emit(&self, value: T) {
        *self.value() = Some(value);
        poll_fn(|_| {
            if self.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// Takes the waiting value.
    pub(crate) fn take(&self) -> Option<T> {
        self.value().take()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.value().is_none()
    }

    fn value(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Returns the values that a task emits, as a stream. The task makes progress only while the stream is read.
pub(crate) fn emitted<T: Send + 'static, F: Future<Output = ()> + Send + 'static>(
    task: impl FnOnce(Slot<T>) -> F,
) -> BoxStream<'static, T> {
    let slot = Slot::default();
    Box::pin(Emitted {
        task: Some(Box::pin(task(slot.clone()))),
        slot,
    })
}

struct Emitted<T> {
    /// The task, or `None` after its end.
    task: Option<BoxFuture<'static, ()>>,
    slot: Slot<T>,
}

impl<T> Stream for Emitted<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        loop {
            if let Some(value) = self.slot.take() {
                return Poll::Ready(Some(value));
            }
            let Some(task) = &mut self.task else {
                return Poll::Ready(None);
            };
            match task.as_mut().poll(cx) {
                Poll::Ready(()) => self.task = None,
                Poll::Pending if self.slot.is_empty() => return Poll::Pending,
                Poll::Pending => {}
            }
        }
    }
}
