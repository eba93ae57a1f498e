//! A bounded queue that drops its oldest item when it is full, so that a slow reader never blocks the writers.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A bounded queue with one reader.
pub(crate) struct DroppingQueue<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    items: VecDeque<T>,
    capacity: usize,
    /// The number of dropped items.
    lost: u64,
    is_closed: bool,
    reader: Option<Waker>,
}

impl<T> DroppingQueue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(State {
                items: VecDeque::new(),
                capacity,
                lost: 0,
                is_closed: false,
                reader: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // code that holds the lock cannot panic
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item. Drops the oldest item if the queue is full, or the new item if the queue is closed.
    pub(crate) fn push(&self, item: T) {
        let mut state = self.state();
        if state.is_closed {
            return;
        }
        let oldest = if state.items.len() >= state.capacity {
            state.lost += 1;
            state.items.pop_front()
        } else {
            None
        };
        state.items.push_back(item);
        let reader = state.reader.take();
        drop(state);
        drop(oldest);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Closes the queue. Items that are already in it can still be read.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Polls for the next item. Returns `None` once the queue is closed and empty.
    pub(crate) fn poll_next(&self, cx: &Context<'_>) -> Poll<Option<T>> {
        let mut state = self.state();
        if let Some(item) = state.items.pop_front() {
            return Poll::Ready(Some(item));
        }
        if state.is_closed {
            return Poll::Ready(None);
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(cx.waker()),
            reader => *reader = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// Waits for the next item. Returns `None` once the queue is closed and empty.
    pub(crate) async fn next(&self) -> Option<T> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Returns the next item, or `None` if the queue is empty. Does not wait.
    pub(crate) fn try_next(&self) -> Option<T> {
        self.state().items.pop_front()
    }

    /// Returns the number of unread items.
    pub(crate) fn len(&self) -> usize {
        self.state().items.len()
    }

    pub(crate) fn lost(&self) -> u64 {
        self.state().lost
    }

    pub(crate) fn set_capacity(&self, capacity: usize) {
        self.state().capacity = capacity;
    }
}
