//! A store with injected faults.

mod log;

use log::FaultyLog;
use skill_agent_store::{Log, Store, StoreError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{oneshot, watch};

/// A store in which writes, and reads of side tables, fail where a test says so. Clones share their faults and the inner store.
///
/// With [`Fault::CrashBefore`] and [`Fault::CrashAfter`], a test can simulate `kill -9`:
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # use skill_agent::prelude::*;
/// use skill_agent::store::Memory;
/// use skill_agent::testing::{Fault, FaultyStore};
/// # /// Counts.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "counter", actions(Increment))]
/// # pub struct Counter {
/// #     count: u32,
/// # }
/// # /// Add to the counter.
/// # #[action]
/// # pub fn increment(counter: &mut Counter, by: u32) -> u32 {
/// #     counter.count += by;
/// #     counter.count
/// # }
/// # agent! {
/// #     pub struct Clerk {
/// #         name: "clerk",
/// #         skills: [Counter],
/// #     }
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = FaultyStore::new(Memory::default());
/// let server = AgentServer::builder(Clerk::with_id("clerk-1")).store(store.clone()).start().await?;
/// store.on_commit(1, Fault::CrashAfter); // the second one from now
/// assert_eq!(server.call(Increment { by: 2 }).await?, 2);
/// let unanswered = tokio::spawn({
///     let server = server.clone();
///     async move { server.call(Increment { by: 3 }).await }
/// });
/// store.crashed().await;
/// server.kill();
/// store.restart();
/// server.closed().await;
/// assert!(unanswered.await?.is_err());
///
/// // It was written, although its caller got an error.
/// let server = AgentServer::builder(Clerk::with_id("clerk-1")).store(store).start().await?;
/// assert_eq!(server.call(Increment { by: 0 }).await?, 5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FaultyStore {
    store: Arc<dyn Store>,
    plan: Arc<Mutex<Plan>>,
    /// How many times the store has been restarted, and whether it has crashed since then.
    status: watch::Sender<Status>,
}

/// A fault in a write. Reads have the same faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The write fails with [`StoreError::Refused`], and nothing is written.
    Refuse,
    /// The write fails with [`StoreError::Failed`] before anything is written, but the log cannot know that.
    FailBefore,
    /// The write fails with [`StoreError::Failed`] after everything is written, but the log cannot know that.
    FailAfter,
    /// The write never completes, and nothing is written. Later operations hang too, until [`restart`](FaultyStore::restart) is
    /// called.
    CrashBefore,
    /// The write never completes, although everything is written. Later operations hang too, until
    /// [`restart`](FaultyStore::restart) is called.
    CrashAfter,
    /// The write's future panics, and nothing is written.
    Panic,
}

/// A paused write; see [`FaultyStore::pause_commit`]. Dropping this value resumes the write.
#[derive(Debug)]
pub struct Pause {
    reached: Option<oneshot::Receiver<()>>,
    _resume: oneshot::Sender<()>,
}

impl Pause {
    /// Waits until the write is paused.
    pub async fn reached(&mut self) {
        if let Some(reached) = self.reached.take() {
            let _ = reached.await;
        }
    }

    /// Resumes the write.
    pub fn resume(self) {}
}

enum Event {
    Fault(Fault),
    Pause {
        reached: oneshot::Sender<()>,
        resume: oneshot::Receiver<()>,
    },
}

#[derive(Default)]
struct Plan {
    /// The number of records in each commit so far.
    commits: Vec<usize>,
    compactions: usize,
    on_commit: BTreeMap<usize, Event>,
    on_compaction: BTreeMap<usize, Event>,
    reads: usize,
    on_read: BTreeMap<usize, Event>,
}

#[derive(Clone, Copy, Default)]
struct Status {
    restarts: u64,
    has_crashed: bool,
}

impl FaultyStore {
    /// Wraps a store, without faults at first.
    pub fn new(store: impl Store) -> Self {
        Self {
            store: Arc::new(store),
            plan: Arc::default(),
            status: watch::Sender::new(Status::default()),
        }
    }

    /// Plans a fault for the commit after the next `after` commits; 0 stands for the next one.
    pub fn on_commit(&self, after: usize, fault: Fault) {
        let mut plan = self.plan();
        let at = plan.commits.len() + after;
        plan.on_commit.insert(at, Event::Fault(fault));
    }

    /// Plans a fault for the compaction after the next `after` compactions; 0 stands for the next one.
    pub fn on_compaction(&self, after: usize, fault: Fault) {
        let mut plan = self.plan();
        let at = plan.compactions + after;
        plan.on_compaction.insert(at, Event::Fault(fault));
    }

    /// Plans a fault for a `read` or `scan` of a side table, after the next `after` of them; 0 stands for the next one.
    pub fn on_read(&self, after: usize, fault: Fault) {
        let mut plan = self.plan();
        let at = plan.reads + after;
        plan.on_read.insert(at, Event::Fault(fault));
    }

    /// Pauses a commit before it is written, after the next `after` commits; 0 stands for the next one.
    pub fn pause_commit(&self, after: usize) -> Pause {
        let (reached_tx, reached) = oneshot::channel();
        let (resume_tx, resume) = oneshot::channel();
        let event = Event::Pause {
            reached: reached_tx,
            resume,
        };
        let mut plan = self.plan();
        let at = plan.commits.len() + after;
        plan.on_commit.insert(at, event);
        Pause {
            reached: Some(reached),
            _resume: resume_tx,
        }
    }

    /// Returns the number of records in each commit so far, including failed commits.
    pub fn commits(&self) -> Vec<usize> {
        self.plan().commits.clone()
    }

    /// Returns the number of compactions so far, including failed ones.
    pub fn compactions(&self) -> usize {
        self.plan().compactions
    }

    /// Returns the number of reads of side tables so far, including failed ones.
    pub fn reads(&self) -> usize {
        self.plan().reads
    }

    /// Waits until an operation reaches a planned crash.
    pub async fn crashed(&self) {
        let mut status = self.status.subscribe();
        // cannot fail, because `self` has the sender
        let _ = status.wait_for(|status| status.has_crashed).await;
    }

    /// Ends a crash. All open logs have failed; a log that is opened from now on contains what was written. Planned faults that
    /// were not reached are removed.
    pub fn restart(&self) {
        let mut plan = self.plan();
        plan.on_commit.clear();
        plan.on_compaction.clear();
        plan.on_read.clear();
        self.status.send_modify(|status| {
            status.restarts += 1;
            status.has_crashed = false;
        });
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyStore").finish_non_exhaustive()
    }
}

impl Store for FaultyStore {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        Ok(Box::new(FaultyLog::new(self, id, self.store.open(id)?)))
    }
}
