//! Limiting the rate of requests.

use crate::ChatError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Limits the request rate of all chats that share it. Clones share one limit.
///
/// Requests are sent in order of arrival. If a waiting request is cancelled, the requests behind it move up. A waiting request does
/// not delay the others if you stop reading its turn's events.
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
    /// The number of requests per minute.
    requests: u32,
    distance: Duration,
    queue: Mutex<Queue>,
    /// Notifies waiting requests when a time slot becomes free.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    /// The earliest time for the next request after the last one that was sent.
    next: Option<Instant>,
    /// The planned times of the waiting requests, by queue number. A higher number never has an earlier time.
    waiting: BTreeMap<u64, Instant>,
    /// The last assigned queue number.
    last: u64,
}

impl RateLimit {
    /// Allows `requests` requests per minute, evenly spaced. [`ChatBuilder::build`](crate::ChatBuilder::build) fails if
    /// `requests` is 0.
    pub fn per_minute(requests: u32) -> Self {
        Self(Arc::new(Shared {
            requests,
            distance: Duration::from_secs(60) / requests.max(1),
            queue: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    /// Returns an error if the limit is 0.
    pub(crate) fn check(&self) -> Result<(), ChatError> {
        if self.0.requests == 0 {
            let problem = "`RateLimit::per_minute` is 0, so that no request could be sent; leave `rate_limit` out for no limit";
            return Err(ChatError::Setting(problem.to_owned()));
        }
        Ok(())
    }

    /// Waits until the next request may be sent.
    pub(crate) async fn wait(&self) {
        let place = Place::new(&self.0);
        loop {
            // register before reading the time, so that no change is missed
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

/// A request's position in the queue. If the position is dropped before the request is sent, its time slot becomes free.
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

    /// Leaves the queue and returns `None` if the request may be sent now. Otherwise, returns the time at which it may be sent. If
    /// other requests were sent after its planned time, the request queues behind them again.
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
        // the requests behind this one move up
        let now = Instant::now();
        let mut next = queue.next.map_or(now, |next| next.max(now));
        for time in queue.waiting.values_mut() {
            *time = next.min(*time);
            next = next.max(*time + self.limit.distance);
        }
        self.limit.freed.notify_waiters();
    }
}
