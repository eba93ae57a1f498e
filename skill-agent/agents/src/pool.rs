//! The agents of a process, and the phases of each.

use crate::due::Due;
use crate::index::Index;
use crate::places::{Place, Places};
use skill_agent_server::__private::{ById, CaughtClock, HandlesEnd, NotAwake, Started};
use skill_agent_server::StartError;
use skill_core::child::BoxFuture;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore, watch};

/// Makes the server of an agent. An error of the program's function is the outer one, and comes before any change.
pub(crate) type MakeServer = Box<
    dyn Fn(&Arc<Pool>, &Entry) -> Result<BoxFuture<Result<Started, StartError>>, StartError>
        + Send
        + Sync,
>;

/// All agents of one type.
pub(crate) struct Pool {
    /// The agent's name, for messages.
    pub(crate) name: &'static str,
    pub(crate) make: MakeServer,
    pub(crate) facts: fn(&CaughtClock, &HandlesEnd) -> ById,
    pub(crate) clock: CaughtClock,
    pub(crate) idle_after: Duration,
    pub(crate) within: Duration,
    pub(crate) places: Places,
    /// Bounds how many agents that are due wait for places, so that callers do not wait behind all of them.
    pub(crate) due_wakes: Arc<Semaphore>,
    pub(crate) index: Index,
    pub(crate) ids: Mutex<Ids>,
    pub(crate) due: Mutex<Due>,
    pub(crate) activity: Arc<Activity>,
    /// Wakes the housekeeper.
    pub(crate) housekeeping: Arc<Notify>,
    pub(crate) stopping: watch::Sender<bool>,
    pub(crate) end: HandlesEnd,
    pub(crate) runtime: Handle,
}

/// The agents that are in memory.
#[derive(Default)]
pub(crate) struct Ids {
    /// Those with a handle or a server.
    pub(crate) known: HashMap<Arc<str>, Weak<Entry>>,
    /// Those with a server.
    pub(crate) awake: HashMap<Arc<str>, Arc<Entry>>,
}

/// An agent that is in memory.
pub(crate) struct Entry {
    pub(crate) id: Arc<str>,
    pub(crate) by_id: ById,
    pub(crate) state: Mutex<State>,
    /// Notified after each change of the phase.
    pub(crate) changed: Notify,
    pool: Weak<Pool>,
}

pub(crate) struct State {
    pub(crate) phase: Phase,
    /// The number of calls that keep the agent awake.
    pub(crate) leases: usize,
    /// When the last call ended, or when the server was asked to stop and went on.
    pub(crate) last_used: SystemTime,
    /// Whether a child or a conversation keeps the server running, as far as known since the last call.
    pub(crate) is_kept: bool,
    /// Whether a task waits until the server has nothing to do.
    pub(crate) is_watched: bool,
}

pub(crate) enum Phase {
    Asleep,
    Waking(Arc<Attempt>),
    Awake(Started, Place),
    /// The server was asked to stop if it has nothing to do.
    Resting(Started, Place),
}

/// An attempt to wake an agent, for which calls wait.
pub(crate) struct Attempt {
    /// `Ok` once the agent is awake, or if a call must try again.
    pub(crate) outcome: watch::Sender<Option<Result<(), NotAwake>>>,
    /// Whether the agent has a place.
    pub(crate) has_place: AtomicBool,
    /// Whether a call must not wait for a place.
    pub(crate) is_urgent: watch::Sender<bool>,
}

/// Counts what happens, so that `settled` sees when nothing does.
pub(crate) struct Activity {
    changes: AtomicU64,
    tasks: watch::Sender<usize>,
}

impl Pool {
    pub(crate) fn ids(&self) -> MutexGuard<'_, Ids> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn due(&self) -> MutexGuard<'_, Due> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the agent with an id.
    pub(crate) fn entry(self: &Arc<Self>, id: &str) -> Arc<Entry> {
        let mut ids = self.ids();
        if let Some(entry) = ids.known.get(id).and_then(Weak::upgrade) {
            return entry;
        }
        let by_id = (self.facts)(&self.clock, &self.end);
        let entry = Arc::new(Entry::new(id, by_id, Arc::downgrade(self)));
        let id = Arc::clone(&entry.id);
        ids.known.insert(id, Arc::downgrade(&entry));
        entry
    }

    /// Returns the agents that have a server.
    pub(crate) fn awake(&self) -> Vec<Arc<Entry>> {
        self.ids().awake.values().cloned().collect()
    }

    /// Sets when a sleeping agent has something to do.
    pub(crate) fn set_due(&self, id: &Arc<str>, due: Option<SystemTime>) {
        self.due().set(id, due);
        self.housekeeping.notify_one();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the agents stop.
    pub(crate) async fn stopping(&self) {
        let mut stopping = self.stopping.subscribe();
        // the sender is in `self`
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    }

    /// Ends the handles and their subscriptions.
    pub(crate) fn end_handles(&self) {
        let known: Vec<_> = self.ids().known.values().cloned().collect();
        for entry in known.iter().filter_map(Weak::upgrade) {
            entry.by_id.close();
        }
        self.end.end();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // a handle in a resource of the server would keep the server alive
        for entry in self.awake() {
            entry.set_phase(Phase::Asleep);
        }
        self.end_handles();
        self.housekeeping.notify_one();
    }
}

impl Entry {
    pub(crate) fn new(id: &str, by_id: ById, pool: Weak<Pool>) -> Self {
        Self {
            id: id.into(),
            by_id,
            state: Mutex::new(State {
                phase: Phase::Asleep,
                leases: 0,
                last_used: SystemTime::UNIX_EPOCH,
                is_kept: false,
                is_watched: false,
            }),
            changed: Notify::new(),
            pool,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the phase. The earlier one is dropped outside of the lock, because it may hold the last handle to a server.
    pub(crate) fn set_phase(&self, phase: Phase) {
        let before = std::mem::replace(&mut self.state().phase, phase);
        drop(before);
        self.changed.notify_waiters();
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Some(pool) = self.pool.upgrade() else {
            return;
        };
        let mut ids = pool.ids();
        if ids
            .known
            .get(&self.id)
            .is_some_and(|entry| entry.strong_count() == 0)
        {
            ids.known.remove(&self.id);
        }
    }
}

impl State {
    /// Returns the server of an agent that is awake or on the way to sleep.
    pub(crate) fn server(&self) -> Option<&Started> {
        match &self.phase {
            Phase::Awake(server, _) | Phase::Resting(server, _) => Some(server),
            Phase::Asleep | Phase::Waking(_) => None,
        }
    }

    /// Returns whether the agent is awake in a place beyond the bound.
    pub(crate) fn has_extra_place(&self) -> bool {
        matches!(&self.phase, Phase::Awake(_, place) if place.is_extra())
    }

    /// Returns whether the agent may get to sleep for another one.
    pub(crate) fn may_give_place(&self) -> bool {
        self.is_unused() && !self.is_kept && !self.is_watched
    }

    /// Returns whether the agent is awake and no call uses it.
    pub(crate) fn is_unused(&self) -> bool {
        matches!(self.phase, Phase::Awake(..)) && self.leases == 0
    }
}

impl Activity {
    pub(crate) fn new() -> Self {
        Self {
            changes: AtomicU64::new(0),
            tasks: watch::Sender::new(0),
        }
    }

    /// Counts a change.
    pub(crate) fn note(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Waits until no task is running.
    pub(crate) async fn tasks_ended(&self) {
        let mut tasks = self.tasks.subscribe();
        // the sender is in `self`
        let _ = tasks.wait_for(|running| *running == 0).await;
    }
}

/// Spawns work on a pool, which `settled` waits for.
pub(crate) fn spawn<F>(pool: &Arc<Pool>, work: impl FnOnce(Arc<Pool>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    pool.activity.note();
    pool.activity.tasks.send_modify(|running| *running += 1);
    let running = Running(Arc::clone(&pool.activity));
    let work = work(Arc::clone(pool));
    pool.runtime.spawn(async move {
        let _running = running;
        work.await;
    });
}

/// Counts the end of a task, also if it panics.
struct Running(Arc<Activity>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.note();
        self.0.tasks.send_modify(|running| *running -= 1);
    }
}
