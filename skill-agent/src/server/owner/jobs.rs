//! Async actions: they run beside the mailbox on a snapshot, and end in a message to their owner.

use super::{Owner, Work};
use crate::clock::Clock;
use crate::server::ServeError;
use crate::server::Shared;
use crate::server::ask::Asked;
use crate::server::panics::{catch, catch_async};
use crate::server::stats;
use serde_json::Value;
use skill_core::process::{
    ActionHost, ActionId, AsyncDone, AsyncFuture, AsyncInput, CallFailure, CommandMeta,
};
use skill_core::{Agent, Instruction, Signal};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// Starts the action at an address on a snapshot of an agent's, with the resources of the server; `None` for a pure one.
pub(crate) type JobStarter<G> = Arc<
    dyn Fn(
            &G,
            ActionId,
            AsyncInput,
            &Arc<CommandMeta>,
            Arc<dyn ActionHost>,
        ) -> Option<Result<AsyncFuture, CallFailure>>
        + Send
        + Sync,
>;

/// What runs beside the mailbox. Each task ends in work for the owner.
pub(crate) struct Jobs<G: Agent> {
    tasks: JoinSet<Work<G>>,
    pub(super) running: usize,
    pub(super) limit: usize,
    pub(super) waiting: VecDeque<Work<G>>,
    /// So many wait at most.
    pub(super) room: usize,
    pub(super) cancel: CancellationToken,
}

impl<G: Agent> Jobs<G> {
    pub(crate) fn new(limit: usize, room: usize) -> Self {
        Self {
            tasks: JoinSet::new(),
            running: 0,
            limit,
            waiting: VecDeque::new(),
            room,
            cancel: CancellationToken::new(),
        }
    }

    /// The next that ended; `None` when nothing runs.
    pub(super) async fn next(&mut self) -> Option<Result<Work<G>, JoinError>> {
        self.tasks.join_next().await
    }

    /// Runs something that is no action, and is not counted; `Some(Err(_))` when it panicked. It is dropped, for a `None`, when
    /// nobody waits for the answer any more, and when the server stops, where nothing comes of it.
    pub(super) fn aside<T: Send + 'static, A: Send + 'static, E: Send + 'static>(
        &mut self,
        work: impl Future<Output = T> + Send + 'static,
        asked: Option<Asked<A, E>>,
        then: impl FnOnce(&mut Owner<G>, Option<Asked<A, E>>, Option<Result<T, String>>)
        + Send
        + 'static,
    ) {
        let cancel = self.cancel.clone();
        self.tasks.spawn(async move {
            let mut asked = asked;
            let ended = tokio::select! {
                biased;
                result = catch_async(Box::pin(work)) => Some(Some(result)),
                () = cancel.cancelled() => None,
                () = gone(&mut asked) => Some(None),
            };
            let work: Work<G> = Box::new(move |owner| {
                if let Some(result) = ended {
                    then(owner, asked, result);
                }
            });
            work
        });
    }

    /// Ends all of it now.
    pub(super) fn abort(&mut self) {
        self.waiting.clear();
        self.tasks.abort_all();
    }

    /// Whether something waits, and there is room for it.
    pub(super) fn can_start(&self) -> bool {
        self.running < self.limit && !self.waiting.is_empty()
    }

    /// The next that there is room for. It need not start anything: whoever asked for it may be gone.
    pub(super) fn next_waiting(&mut self) -> Option<Work<G>> {
        self.can_start().then(|| self.waiting.pop_front())?
    }

    pub(super) fn drop_waiting(&mut self) {
        self.waiting.clear();
    }
}

/// How an async action ended.
enum Ended {
    Done(AsyncDone),
    /// Nobody waits any more, or the server stops.
    Cancelled,
    TimedOut,
    Panicked(String),
}

/// What is known of an action that runs.
pub(super) struct Job {
    pub(super) instruction: Option<Instruction>,
    pub(super) id: String,
    pub(super) key: Option<String>,
    /// Its answer, where it is kept under the key.
    pub(super) answer: Option<Vec<u8>>,
    pub(super) number: Option<u64>,
    pub(super) hops: u32,
}

/// The line between a running action and its server.
struct Line {
    shared: Arc<Shared>,
    source: String,
    id: String,
    token: CancellationToken,
}

impl ActionHost for Line {
    fn progress(&self, skill: &str, value: Value) {
        if self.shared.hub.is_empty() {
            return;
        }
        let mut signal = Signal::new(format!("{skill}.progress"), value).with_subject(&self.id);
        let id = uuid::Uuid::now_v7().to_string();
        signal.stamp(&id, &self.source, self.shared.clock.now());
        self.shared.hub.publish(&Arc::new(signal));
    }

    fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.token.cancelled())
    }
}

impl<G: Agent> Owner<G> {
    /// Waits until fewer actions run; too many that wait are refused. What comes again under its key waits for it.
    pub(super) fn wait<T: Send + 'static, E: Send + 'static>(
        &mut self,
        asked: Asked<T, E>,
        key: Option<String>,
        later: impl FnOnce(&mut Self, Asked<T, E>) + Send + 'static,
    ) {
        if self.jobs.waiting.len() >= self.jobs.room {
            return asked.tell(Err(self.failed(ServeError::Full)));
        }
        self.enter(key.as_deref());
        self.jobs.waiting.push_back(Box::new(move |owner| {
            owner.leave(key.as_deref());
            if asked.is_wanted() {
                later(owner, asked);
            }
        }));
    }

    /// The command of a key takes its time from here on; one that comes again waits.
    pub(super) fn enter(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            self.recent.begin(key);
        }
    }

    /// It does not any more: what waited comes again, after what is done now.
    pub(super) fn leave(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            let again = self.recent.end(key);
            self.again.extend(again);
        }
    }

    pub(super) fn begin(
        &mut self,
        at: ActionId,
        input: AsyncInput,
        instruction: Option<Instruction>,
        key: Option<String>,
    ) -> Result<(AsyncFuture, CancellationToken, Job), CallFailure> {
        let meta = self.meta();
        self.begin_for(at, input, instruction, key, &meta)
    }

    pub(super) fn begin_for(
        &mut self,
        at: ActionId,
        input: AsyncInput,
        instruction: Option<Instruction>,
        key: Option<String>,
        meta: &Arc<CommandMeta>,
    ) -> Result<(AsyncFuture, CancellationToken, Job), CallFailure> {
        let stamp = meta.stamp.as_ref();
        let id = stamp.map(|stamp| stamp.id.clone()).unwrap_or_default();
        let token = self.jobs.cancel.child_token();
        let line = Arc::new(Line {
            shared: self.shared.clone(),
            source: self.settings.source.clone(),
            id: id.clone(),
            token: token.clone(),
        });
        let starter = self.settings.starter.clone();
        let started = catch(|| starter.and_then(|start| start(&self.agent, at, input, meta, line)));
        let future: AsyncFuture = match started {
            Ok(started) => started.expect("only async actions are started")?,
            // of reading the arguments or of copying the state; told as one of the action
            Err(message) => Box::pin(async { std::panic::resume_unwind(Box::new(message)) }),
        };
        tracing::debug!(agent = G::SPEC.name, %id, "async action started");
        self.enter(key.as_deref());
        let job = Job {
            instruction,
            id,
            key,
            answer: None,
            number: None,
            hops: 0,
        };
        Ok((future, token, job))
    }

    /// Runs the rest of an action in a task of its own. It hears when its caller is gone, its time is up, or the server stops,
    /// and is dropped when it goes on for longer than the grace time then. Whatever it does, `then` is called.
    pub(super) fn run_beside<T: Send + 'static, E: Send + 'static>(
        &mut self,
        future: AsyncFuture,
        token: CancellationToken,
        asked: Option<Asked<T, E>>,
        then: impl FnOnce(&mut Self, Option<Asked<T, E>>, Result<AsyncDone, ServeError<E>>)
        + Send
        + 'static,
    ) {
        self.jobs.running += 1;
        stats::set(&self.shared.counters.running, self.jobs.running);
        let clock = self.shared.clock.clone();
        let (limit, grace) = (self.settings.time_limit, self.settings.grace);
        self.jobs.tasks.spawn(async move {
            let mut asked = asked;
            // the clock is the user's, too
            let watched = catch_async(Box::pin(watch(
                future, token, &mut asked, clock, limit, grace,
            )));
            let ended = watched.await.unwrap_or_else(Ended::Panicked);
            let result = match ended {
                Ended::Done(done) => Ok(done),
                Ended::Cancelled => Err(ServeError::Stopped),
                Ended::TimedOut => Err(ServeError::Deadline { applied: false }),
                Ended::Panicked(message) => Err(ServeError::Panicked { message }),
            };
            let work: Work<G> = Box::new(move |owner| {
                owner.jobs.running -= 1;
                stats::set(&owner.shared.counters.running, owner.jobs.running);
                then(owner, asked, result);
            });
            work
        });
    }

    /// A task ended; what it leaves is done now.
    pub(super) fn job_ended(&mut self, job: Result<Work<G>, JoinError>) {
        match job {
            Ok(work) => work(self),
            Err(error) if error.is_cancelled() => {}
            Err(error) => self.report(&format!("a task of the server ended: {error}")),
        }
    }
}

/// Runs an action until it ends, or until somebody or something ends it.
async fn watch<T, E>(
    future: AsyncFuture,
    token: CancellationToken,
    asked: &mut Option<Asked<T, E>>,
    clock: Arc<dyn Clock>,
    limit: Duration,
    grace: Duration,
) -> Ended {
    let mut action = std::pin::pin!(catch_async(future));
    // what is not begun by now leaves no trace in the world
    let is_wanted = asked.as_ref().is_none_or(Asked::is_wanted);
    if token.is_cancelled() || !is_wanted {
        return Ended::Cancelled;
    }
    let ended = tokio::select! {
        biased;
        // before the action, which may end because it hears of it, and has not done its work then
        () = token.cancelled() => Ended::Cancelled,
        done = &mut action => match done {
            Ok(done) => Ended::Done(done),
            Err(message) => Ended::Panicked(message),
        },
        () = gone(asked) => Ended::Cancelled,
        () = clock.sleep(limit) => Ended::TimedOut,
    };
    if !matches!(ended, Ended::Done(_) | Ended::Panicked(_)) {
        token.cancel();
        tokio::select! {
            biased;
            _ = &mut action => {}
            () = clock.sleep(grace) => {}
        }
    }
    ended
}

/// Ends when nobody waits for the answer; never where nobody asked.
async fn gone<T, E>(asked: &mut Option<Asked<T, E>>) {
    match asked {
        Some(asked) => asked.gone().await,
        None => std::future::pending().await,
    }
}
