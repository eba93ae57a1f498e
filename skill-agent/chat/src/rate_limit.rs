//! How often requests are sent.

use super::ChatError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// How often requests may be sent, by all chats that have a clone of it.
///
/// Requests are sent in the order in which they were to be sent. One that is cancelled while it waits leaves its time to those behind it;
/// one of a turn that is not read keeps none of them from being sent.
///
/// ```
/// use skill_agent::chat::RateLimit;
///
/// let shared = RateLimit::per_minute(60); // one each second
/// # let _ = shared;
/// ```
#[derive(Clone, Debug)]
pub struct RateLimit(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// How many requests per minute.
    requests: u32,
    distance: Duration,
    queue: Mutex<Queue>,
    /// Notifies those that wait when a time becomes free.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    /// When a request may follow the last one that was sent.
    next: Option<Instant>,
    /// The times of the requests that wait, by their numbers. They are in the same order.
    waiting: BTreeMap<u64, Instant>,
    /// The last number.
    last: u64,
}

impl RateLimit {
    /// Allows `requests` requests per minute, evenly spaced. With 0 of them no chat is [built](super::ChatBuilder::build).
    pub fn per_minute(requests: u32) -> Self {
        Self(Arc::new(Shared {
            requests,
            distance: Duration::from_secs(60) / requests.max(1),
            queue: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    /// Refuses a limit that lets no request through.
    pub(super) fn check(&self) -> Result<(), ChatError> {
        if self.0.requests == 0 {
            let problem = "`RateLimit::per_minute` is 0, so that no request could be sent; leave `rate_limit` out for no limit";
            return Err(ChatError::Setting(problem.to_owned()));
        }
        Ok(())
    }

    /// Waits until the next request may be sent.
    pub(super) async fn wait(&self) {
        let place = Place::new(&self.0);
        loop {
            // before the time is read, so that no change of it is missed
            let freed = self.0.freed.notified();
            let Some(time) = place.take() else { return };
            tokio::select! {
                biased;
                () = freed => {}
                () = sleep_until(time) => {}
            }
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a request in the queue. Dropping it before the request is sent frees its time.
struct Place<'a> {
    limit: &'a Shared,
    number: u64,
}

impl<'a> Place<'a> {
    fn new(limit: &'a Shared) -> Self {
        let queue = &mut *limit.queue();
        let behind = queue.waiting.last_key_value();
        let behind = behind.map(|(_, time)| *time + limit.distance);
        let now = Instant::now();
        let time = behind.max(queue.next).map_or(now, |next| next.max(now));
        queue.last += 1;
        queue.waiting.insert(queue.last, time);
        let number = queue.last;
        Self { limit, number }
    }

    /// Leaves the queue, if the request may be sent now; otherwise when it may. One that is late follows those that were sent since.
    fn take(&self) -> Option<Instant> {
        let queue = &mut *self.limit.queue();
        let now = Instant::now();
        let own = queue.waiting.get(&self.number).copied();
        let time = own.max(queue.next).unwrap_or(now);
        if time > now {
            return Some(time);
        }
        queue.waiting.remove(&self.number);
        queue.next = Some(now + self.limit.distance);
        None
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let queue = &mut *self.limit.queue();
        if queue.waiting.remove(&self.number).is_none() {
            return;
        }
        // those behind it move up
        let now = Instant::now();
        let mut next = queue.next.map_or(now, |next| next.max(now));
        for time in queue.waiting.values_mut() {
            *time = next.min(*time);
            next = next.max(*time + self.limit.distance);
        }
        self.limit.freed.notify_waiters();
    }
}
