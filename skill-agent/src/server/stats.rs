//! What a server has done so far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Figures of a server at one moment; see [`AgentServer::stats`](crate::AgentServer::stats).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Messages that wait in the mailbox.
    pub mailbox: usize,
    /// Commands and signals that were carried out.
    pub handled: u64,
    /// Commands, signals and directives that failed, and are not among those.
    pub failed: u64,
    /// Directives that were carried out.
    pub directives: u64,
    /// Async actions that run now.
    pub running: u64,
    /// Signals that wait for their time.
    pub scheduled: u64,
    /// Children that run now.
    pub children: u64,
    /// How often a child was started again.
    pub restarts: u64,
    /// Records that were written to the store.
    pub records: u64,
    /// How often the store was synchronized: fewer than records where callers shared one.
    pub commits: u64,
    /// How long the server was busy with messages.
    pub busy: Duration,
    /// The longest time it was busy with one batch of messages.
    pub longest: Duration,
}

/// The figures while they are made; the server's task writes, everybody reads.
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

/// Adds to a figure. Nobody else writes it meanwhile, so it takes no lock of the memory.
pub(crate) fn add(counter: &AtomicU64, more: u64) {
    counter.store(get(counter) + more, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// Sets a figure.
pub(crate) fn set(counter: &AtomicU64, value: usize) {
    counter.store(value as u64, Ordering::Relaxed);
}

impl Counters {
    /// The server was busy for so long with one batch.
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
