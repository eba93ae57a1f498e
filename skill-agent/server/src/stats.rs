//! Statistics of a server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The statistics of a server at one point in time; see [`AgentServer::stats`](crate::AgentServer::stats).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The number of messages in the mailbox.
    pub mailbox: usize,
    /// The number of commands and signals that succeeded.
    pub handled: u64,
    /// The number of commands, signals and directives that failed. A command that succeeded but could not be stored counts as
    /// handled too.
    pub failed: u64,
    /// The number of directives that are done.
    pub directives: u64,
    /// The number of async actions that are running.
    pub running: u64,
    /// The number of scheduled signals that are waiting, or that repeat and are in a run.
    pub scheduled: u64,
    /// The number of children that are running.
    pub children: u64,
    /// The number of restarts of children since the start.
    pub restarts: u64,
    /// The number of records written to the store.
    pub records: u64,
    /// The number of commits to the store, smaller than `records` if callers shared a commit.
    pub commits: u64,
    /// The total time spent running messages.
    pub busy: Duration,
    /// The longest time spent on one batch of messages.
    pub longest: Duration,
}

/// The counters behind the statistics. The server task writes them, and the handles read them.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) handled: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) directives: AtomicU64,
    pub(crate) running: AtomicU64,
    pub(crate) scheduled: AtomicU64,
    pub(crate) children: AtomicU64,
    pub(crate) restarts: AtomicU64,
    pub(crate) records: AtomicU64,
    pub(crate) commits: AtomicU64,
    busy: AtomicU64,
    longest: AtomicU64,
}

/// Adds to a counter, without an atomic read-modify-write, because only the server task writes.
pub(crate) fn add(counter: &AtomicU64, more: u64) {
    counter.store(get(counter) + more, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// Sets a counter.
pub(crate) fn set(counter: &AtomicU64, value: usize) {
    counter.store(value as u64, Ordering::Relaxed);
}

impl Counters {
    /// Adds the time spent on one batch of messages.
    pub(crate) fn was_busy(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        add(&self.busy, nanos);
        if nanos > get(&self.longest) {
            self.longest.store(nanos, Ordering::Relaxed);
        }
    }

    pub(crate) fn read(&self, mailbox: usize) -> Stats {
        Stats {
            mailbox,
            handled: get(&self.handled),
            failed: get(&self.failed),
            directives: get(&self.directives),
            running: get(&self.running),
            scheduled: get(&self.scheduled),
            children: get(&self.children),
            restarts: get(&self.restarts),
            records: get(&self.records),
            commits: get(&self.commits),
            busy: Duration::from_nanos(get(&self.busy)),
            longest: Duration::from_nanos(get(&self.longest)),
        }
    }
}
