//! Async actions run in their own tasks on a snapshot of the agent. Each one ends with work for the owner.

use super::action_host::ServerActionHost;
use crate::clock::Clock;
use crate::error::{Applied, ServeError};
use crate::guard::GuardCheck;
use crate::journal::JournalEntry;
use crate::lifecycle::running::{ServerId, under_key};
use crate::mailbox::responder::Responder;
use crate::owner::call::command::Command;
use crate::owner::{BATCH, Owner, OwnerTask};
use crate::panics::{catch, catch_async, drop_caught};
use crate::progress::ProgressSender;
use crate::stats;
use skill_agent_store::RecordKind;
use skill_core::child::BoxFuture;
use skill_core::process::{ActionId, AsyncDone, AsyncFuture, AsyncInput, CallFailure, CommandMeta};
use skill_core::{Agent, Instruction};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::mem::replace;
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// Tasks besides the server task. Each one ends with work for the owner.
pub(crate) struct AsyncTasks<G: Agent> {
    tasks: JoinSet<OwnerTask<G>>,
    pub(crate) running: usize,
    pub(crate) limit: usize,
    pub(crate) waiting: VecDeque<OwnerTask<G>>,
    /// How many actions may wait.
    pub(crate) room: usize,
    /// The number of requests waiting for the approver.
    pub(crate) open_approvals: usize,
    pub(crate) cancel: CancellationToken,
}

impl<G: Agent> AsyncTasks<G> {
    pub(crate) fn new(limit: usize, room: usize) -> Self {
        Self {
            tasks: JoinSet::new(),
            running: 0,
            limit,
            waiting: VecDeque::new(),
            room,
            open_approvals: 0,
            cancel: CancellationToken::new(),
        }
    }

    /// Waits for the next task to end. Returns `None` if no task runs.
    pub(crate) async fn next(&mut self) -> Option<Result<OwnerTask<G>, JoinError>> {
        self.tasks.join_next().await
    }

    /// Runs a future that is not an action and does not count as one. `then` gets `Some(Err(_))` after a panic, and `None` if the
    /// responder's receiver was dropped. If the server stops, the future is dropped and `then` is not called.
    pub(crate) fn spawn_uncounted<R: Send + 'static, A: Send + 'static, E: Send + 'static>(
        &mut self,
        work: impl Future<Output = R> + Send + 'static,
        responder: Option<Responder<A, E>>,
        then: impl FnOnce(&mut Owner<G>, Option<Responder<A, E>>, Option<Result<R, String>>)
        + Send
        + 'static,
    ) {
        let then = move |owner: &mut Owner<G>, responder, result: UncountedEnd<R>| {
            if let Some(result) = result {
                then(owner, responder, result);
            }
        };
        let task = uncounted(
            Box::pin(work),
            self.cancel.clone(),
            Waiting::new(responder, then),
        );
        self.tasks.spawn(task);
    }

    /// Aborts all tasks.
    pub(crate) fn abort(&mut self) {
        self.drop_waiting();
        self.tasks.abort_all();
    }

    /// Returns whether an action waits and may start.
    pub(crate) fn can_start(&self) -> bool {
        self.running < self.limit && !self.waiting.is_empty()
    }

    /// Returns whether scheduled signals may be delivered. Each may add a waiting action; there is extra room for some even if
    /// callers have used all of theirs.
    pub(crate) fn may_fire(&self) -> bool {
        self.waiting.len() < self.room + BATCH
    }

    /// Returns the next waiting action that may start. Its work starts nothing if its receiver was dropped.
    pub(crate) fn next_waiting(&mut self) -> Option<OwnerTask<G>> {
        self.can_start().then(|| self.waiting.pop_front())?
    }

    pub(crate) fn drop_waiting(&mut self) {
        self.waiting.drain(..).for_each(drop_caught);
    }
}

/// How an async action ended.
enum Ended {
    Done(AsyncDone),
    /// The receiver was dropped, or the server stops.
    Cancelled,
    /// The time limit has passed.
    TimedOut(Duration),
    Panicked(String),
    ClockPanicked(String),
}

impl<G: Agent> Owner<G> {
    /// Queues a command until fewer actions run, or fails with `Full` if too many wait. Repeated commands with its key wait for
    /// it. It later starts over without asking the guard again, because another command with the key may run by then.
    pub(crate) fn queue_command<C: Command<G>>(
        &mut self,
        responder: Responder<C::Output, C::Error>,
        mut command: C,
    ) {
        if self.tasks.waiting.len() >= self.tasks.room {
            return responder.respond(Err(self.failed(ServeError::Full)));
        }
        command.set_check(GuardCheck::Skip);
        let key = command.key().map(|key| key.key.clone());
        self.begin_key(key.as_deref());
        self.tasks.waiting.push_back(Box::new(move |owner| {
            owner.end_key(key.as_deref());
            owner.submit(command, responder);
        }));
    }

    /// Returns whether the waiting repeated commands have used up their room, the capacity of the mailbox.
    pub(crate) fn are_many_waiting(&self) -> bool {
        self.keys.waiting() >= self.tasks.room
    }

    /// Marks a key's command as running. Repeated commands wait from here on.
    pub(crate) fn begin_key(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            self.keys.begin(key);
        }
    }

    /// Ends a key's running command. Repeated commands are retried after the current step.
    pub(crate) fn end_key(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            let repeated = self.keys.end(key);
            self.retries.extend(repeated);
        }
    }

    /// Wraps an action so that its requests know it as the key's running command.
    pub(crate) fn under_key(&self, key: Option<&str>, action: AsyncFuture) -> AsyncFuture {
        match key {
            Some(key) => Box::pin(under_key(ServerId::of(&self.shared), key, action)),
            None => action,
        }
    }

    pub(crate) fn start_action(
        &mut self,
        at: ActionId,
        input: AsyncInput,
        instruction: Option<Instruction>,
    ) -> Result<(AsyncFuture, CancellationToken, JournalEntry), CallFailure> {
        let meta = self.meta();
        self.start_action_for(at, input, instruction, None, &meta, None)
    }

    pub(crate) fn start_action_for(
        &mut self,
        at: ActionId,
        input: AsyncInput,
        instruction: Option<Instruction>,
        key: Option<&str>,
        meta: &Arc<CommandMeta>,
        progress: Option<ProgressSender>,
    ) -> Result<(AsyncFuture, CancellationToken, JournalEntry), CallFailure> {
        let stamp = meta.stamp.as_ref();
        let id = stamp.map(|stamp| stamp.id.clone()).unwrap_or_default();
        let token = self.tasks.cancel.child_token();
        let host = Arc::new(ServerActionHost {
            shared: self.shared.clone(),
            source: self.settings.source.clone(),
            id: id.clone(),
            token: token.clone(),
            progress,
        });
        let starter = self.settings.starter.clone();
        let started = catch(|| starter.and_then(|start| start(&self.agent, at, input, meta, host)));
        let future: AsyncFuture = match started {
            Ok(started) => started.expect("only async actions are started")?,
            // A panic while reading the arguments or cloning the state is reported like a panic of the action.
            Err(message) => Box::pin(async { std::panic::resume_unwind(Box::new(message)) }),
        };
        tracing::debug!(agent = G::SPEC.name, %id, "async action started");
        self.begin_key(key);
        let future = self.under_key(key, future);
        let mut entry = JournalEntry::new(RecordKind::Command, id);
        entry.instructions.extend(instruction);
        Ok((future, token, entry))
    }

    /// Runs an action in its own task. The action is cancelled if its caller is gone, its time is up, or the server stops. It is
    /// dropped if it then exceeds the grace period. At the time limit, its caller gets the error. `then` is called in every case.
    pub(crate) fn spawn_action<T: Send + 'static, E: Send + 'static>(
        &mut self,
        action: &'static str,
        future: AsyncFuture,
        token: CancellationToken,
        responder: Option<Responder<T, E>>,
        then: impl FnOnce(&mut Self, Option<Responder<T, E>>, Result<AsyncDone, ServeError<E>>)
        + Send
        + 'static,
    ) {
        self.tasks.running += 1;
        stats::set(&self.shared.counters.running, self.tasks.running);
        let then = move |owner: &mut Self, responder, ended| {
            owner.tasks.running -= 1;
            stats::set(&owner.shared.counters.running, owner.tasks.running);
            let result = match ended {
                Ended::Done(done) => Ok(done),
                Ended::Cancelled => Err(ServeError::stopped(Applied::No)),
                Ended::TimedOut(limit) => Err(ServeError::time_limit(action, limit)),
                Ended::Panicked(message) => Err(ServeError::panicked(Some(action), message)),
                Ended::ClockPanicked(message) => Err(ServeError::panicked(None, message)),
            };
            then(owner, responder, result);
        };
        let watch = Watch {
            action,
            token,
            clock: self.shared.clock.0.clone(),
            limit: self.settings.time_limit,
            grace: self.settings.grace,
        };
        let task = counted(future, watch, Waiting::new(responder, then));
        self.tasks.tasks.spawn(task);
    }

    /// Runs the work that a task returned.
    pub(crate) fn task_ended(&mut self, running: Result<OwnerTask<G>, JoinError>) {
        match running {
            Ok(work) => self.isolate(work),
            Err(error) if error.is_cancelled() => {}
            Err(error) => self.report(&format!("a task of the server ended: {error}")),
        }
    }
}

/// The result of work that is not an action. `None` if the server stops.
type UncountedEnd<R> = Option<Option<Result<R, String>>>;

/// Returns the task of work that is not an action. Boxed, so that tokio's part of a task is compiled once.
fn uncounted<G: Agent, R: Send + 'static>(
    work: BoxFuture<R>,
    cancel: CancellationToken,
    mut end: Box<dyn TaskEnd<G, UncountedEnd<R>>>,
) -> BoxFuture<OwnerTask<G>> {
    Box::pin(async move {
        let ended = tokio::select! {
            biased;
            result = catch_async(work) => Some(Some(result)),
            () = cancel.cancelled() => None,
            () = poll_fn(|cx| end.poll_gone(cx)) => Some(None),
        };
        let work: OwnerTask<G> = Box::new(move |owner| end.run(owner, ended));
        work
    })
}

/// Returns the task of an action.
fn counted<G: Agent>(
    future: AsyncFuture,
    watch: Watch,
    mut end: Box<dyn TaskEnd<G, Ended>>,
) -> BoxFuture<OwnerTask<G>> {
    Box::pin(async move {
        // The clock is user code too.
        let watched = catch_async(Box::pin(watch.until_end(future, &mut *end)));
        let ended = watched.await.unwrap_or_else(Ended::ClockPanicked);
        let work: OwnerTask<G> = Box::new(move |owner| end.run(owner, ended));
        work
    })
}

/// The end of a task: the caller that waits for it, and the rest of its command.
trait TaskEnd<G: Agent, R>: Send {
    /// Returns whether a caller waits, or none ever did.
    fn is_wanted(&self) -> bool;

    /// Completes when the caller no longer waits. Never completes without a caller.
    fn poll_gone(&mut self, cx: &mut task::Context<'_>) -> Poll<()>;

    /// Responds before an action has ended.
    fn answer_early(&mut self, action: &'static str, limit: Duration);

    /// Continues the command with the task's result.
    fn run(self: Box<Self>, owner: &mut Owner<G>, result: R);
}

struct Waiting<T, E, F> {
    responder: Option<Responder<T, E>>,
    then: F,
}

impl<T, E, F> Waiting<T, E, F> {
    fn new(responder: Option<Responder<T, E>>, then: F) -> Box<Self> {
        Box::new(Self { responder, then })
    }
}

impl<G, T, E, F, R> TaskEnd<G, R> for Waiting<T, E, F>
where
    G: Agent,
    T: Send,
    E: Send,
    F: FnOnce(&mut Owner<G>, Option<Responder<T, E>>, R) + Send,
{
    fn is_wanted(&self) -> bool {
        self.responder.as_ref().is_none_or(Responder::is_wanted)
    }

    fn poll_gone(&mut self, cx: &mut task::Context<'_>) -> Poll<()> {
        match &mut self.responder {
            Some(responder) => responder.poll_abandoned(cx),
            None => Poll::Pending,
        }
    }

    /// Replaces the responder with one without a receiver.
    fn answer_early(&mut self, action: &'static str, limit: Duration) {
        if let Some(responder) = &mut self.responder {
            let (answered, _) = Responder::new(None);
            let error = ServeError::time_limit(action, limit);
            replace(responder, answered).respond(Err(error));
        }
    }

    fn run(self: Box<Self>, owner: &mut Owner<G>, result: R) {
        (self.then)(owner, self.responder, result);
    }
}

/// What stops an action.
struct Watch {
    action: &'static str,
    token: CancellationToken,
    clock: Arc<dyn Clock>,
    limit: Duration,
    grace: Duration,
}

impl Watch {
    /// Runs an action until it ends or is stopped. The caller waits no longer than the time limit.
    async fn until_end<G: Agent>(
        self,
        future: AsyncFuture,
        end: &mut dyn TaskEnd<G, Ended>,
    ) -> Ended {
        let mut action = std::pin::pin!(catch_async(future));
        // An action that is cancelled before its first poll has no effects.
        if self.token.is_cancelled() || !end.is_wanted() {
            return Ended::Cancelled;
        }
        let ended = tokio::select! {
            biased;
            // Polled before the action, which may see the cancellation and return without having done its work.
            () = self.token.cancelled() => Ended::Cancelled,
            done = &mut action => match done {
                Ok(done) => Ended::Done(done),
                Err(message) => Ended::Panicked(message),
            },
            () = poll_fn(|cx| end.poll_gone(cx)) => Ended::Cancelled,
            () = self.clock.sleep(self.limit) => Ended::TimedOut(self.limit),
        };
        if !matches!(ended, Ended::Done(_) | Ended::Panicked(_)) {
            self.token.cancel();
            if matches!(ended, Ended::TimedOut(_)) {
                end.answer_early(self.action, self.limit);
            }
            tokio::select! {
                biased;
                _ = &mut action => {}
                () = self.clock.sleep(self.grace) => {}
            }
        }
        ended
    }
}
