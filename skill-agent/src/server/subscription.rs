//! What an agent emits, for whoever listens in the same process.

use skill_core::{Pattern, Signal};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::Notify;

/// How many signals wait for one subscriber, unless the builder says otherwise.
pub const SUBSCRIPTION_CAPACITY: usize = 1024;

/// Signals that an agent emits, from the moment of the subscription on. Dropping it ends it.
///
/// **A slow subscriber loses the oldest signals, never the agent's time or memory**: at most
/// [`SUBSCRIPTION_CAPACITY`] wait, a further one pushes the oldest out, and [`lost`](Self::lost) counts it. Who must
/// not lose any takes an [`Outlet`](super::Outlet).
pub struct Subscription {
    channel: Arc<Channel>,
}

struct Channel {
    pattern: Pattern,
    capacity: usize,
    queue: Mutex<Queue>,
    news: Notify,
}

#[derive(Default)]
struct Queue {
    signals: VecDeque<Arc<Signal>>,
    lost: u64,
    is_closed: bool,
}

impl Channel {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // nothing panics while it is held
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, signal: &Arc<Signal>) {
        let mut queue = self.queue();
        if queue.signals.len() == self.capacity {
            queue.signals.pop_front();
            queue.lost += 1;
        }
        queue.signals.push_back(signal.clone());
        drop(queue);
        self.news.notify_one();
    }
}

impl Subscription {
    /// The next signal; `None` when the server is gone and everything was read.
    ///
    /// Cancel safe: no signal is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Arc<Signal>> {
        loop {
            let news = self.channel.news.notified();
            {
                let mut queue = self.channel.queue();
                if let Some(signal) = queue.signals.pop_front() {
                    return Some(signal);
                }
                if queue.is_closed {
                    return None;
                }
            }
            news.await;
        }
    }

    /// The next signal, if there is one already.
    pub fn try_next(&mut self) -> Option<Arc<Signal>> {
        self.channel.queue().signals.pop_front()
    }

    /// How many signals were pushed out because nobody read them in time.
    pub fn lost(&self) -> u64 {
        self.channel.queue().lost
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queue = self.channel.queue();
        f.debug_struct("Subscription")
            .field("pattern", &self.channel.pattern)
            .field("waiting", &queue.signals.len())
            .field("lost", &queue.lost)
            .finish()
    }
}

/// All subscriptions of a server.
#[derive(Default)]
pub(crate) struct Hub {
    channels: Mutex<Channels>,
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
            capacity,
            queue: Mutex::new(Queue {
                is_closed: channels.is_closed,
                ..Queue::default()
            }),
            news: Notify::new(),
        });
        channels.list.retain(|other| other.strong_count() > 0);
        channels.list.push(Arc::downgrade(&channel));
        Subscription { channel }
    }

    /// Gives a signal to everybody whose pattern matches.
    pub(crate) fn publish(&self, signal: &Arc<Signal>) {
        self.channels().list.retain(|channel| {
            let Some(channel) = channel.upgrade() else {
                return false;
            };
            if channel.pattern.matches(signal.ty()) {
                channel.push(signal);
            }
            true
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.channels().list.is_empty()
    }

    /// Nothing comes any more. Also when it is dropped, as by a start that failed.
    pub(crate) fn close(&self) {
        let mut channels = self.channels();
        channels.is_closed = true;
        for channel in channels.list.drain(..).filter_map(|weak| weak.upgrade()) {
            channel.queue().is_closed = true;
            channel.news.notify_one();
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.close();
    }
}
