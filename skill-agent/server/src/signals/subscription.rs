//! Subscriptions to emitted signals within the process.

use crate::not_read_by_for;
use crate::signals::dropping_queue::DroppingQueue;
use skill_core::{Pattern, Signal};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The default capacity of a subscription, in signals.
pub const SUBSCRIPTION_CAPACITY: usize = 1024;

/// A stream of the signals that an agent emits from the start of the subscription until the stream is dropped.
///
/// **A slow subscriber loses the oldest signals, and never blocks the agent.** By default, a subscription holds at most
/// [`SUBSCRIPTION_CAPACITY`] signals; after that, each new signal drops the oldest one. [`lost`](Self::lost) counts the dropped
/// signals. A [`SignalSink`](crate::SignalSink) loses no signals while the server runs.
pub struct Subscription {
    channel: Arc<Channel>,
}

struct Channel {
    pattern: Pattern,
    queue: DroppingQueue<Arc<Signal>>,
}

impl Subscription {
    /// Waits for the next signal. Returns `None` once the server has stopped and all signals have been read.
    ///
    /// Cancel safe: dropping the future loses no signal.
    pub async fn next(&mut self) -> Option<Arc<Signal>> {
        self.channel.queue.next().await
    }

    /// Returns the next signal, or `None` if none is waiting. Does not wait.
    pub fn try_next(&mut self) -> Option<Arc<Signal>> {
        self.channel.queue.try_next()
    }

    /// Returns how many signals were dropped because they were not read in time.
    pub fn lost(&self) -> u64 {
        self.channel.queue.lost()
    }
}

not_read_by_for!(Subscription);

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("pattern", &self.channel.pattern)
            .field("waiting", &self.channel.queue.len())
            .field("lost", &self.lost())
            .finish()
    }
}

/// All subscriptions of a server.
#[derive(Default)]
pub(crate) struct Hub {
    channels: Mutex<Channels>,
    /// The hub of handles that outlive the server.
    outer: Option<Arc<Hub>>,
}

#[derive(Default)]
struct Channels {
    list: Vec<Weak<Channel>>,
    is_closed: bool,
}

impl Hub {
    fn channels(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn subscribe(&self, pattern: Pattern, capacity: usize) -> Subscription {
        let mut channels = self.channels();
        let channel = Arc::new(Channel {
            pattern,
            queue: DroppingQueue::new(capacity),
        });
        if channels.is_closed {
            channel.queue.close();
        }
        channels.list.retain(|other| other.strong_count() > 0);
        channels.list.push(Arc::downgrade(&channel));
        Subscription { channel }
    }

    /// Sets the capacity of the existing subscriptions.
    pub(crate) fn set_capacity(&self, capacity: usize) {
        for channel in self.channels().list.iter().filter_map(Weak::upgrade) {
            channel.queue.set_capacity(capacity);
        }
    }

    /// Passes all signals on to `outer` too.
    pub(crate) fn forward_to(&mut self, outer: Arc<Hub>) {
        self.outer = Some(outer);
    }

    /// Passes a signal to every subscription with a matching pattern.
    pub(crate) fn publish(&self, signal: &Arc<Signal>) {
        if let Some(outer) = &self.outer {
            outer.publish(signal);
        }
        self.channels().list.retain(|channel| {
            let Some(channel) = channel.upgrade() else {
                return false;
            };
            if channel.pattern.matches(signal.ty()) {
                channel.queue.push(signal.clone());
            }
            true
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.channels().list.is_empty() && self.outer.as_ref().is_none_or(|outer| outer.is_empty())
    }

    /// Ends all subscriptions. Dropping the hub has the same effect, for example after a failed start.
    pub(crate) fn close(&self) {
        let mut channels = self.channels();
        channels.is_closed = true;
        for channel in channels.list.drain(..).filter_map(|weak| weak.upgrade()) {
            channel.queue.close();
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.close();
    }
}
