//! Async actions run in their own tasks on a snapshot of the agent. Each one ends with work for the owner.

use super::action_host::ServerActionHost;
use super::watch::{Ended, UncountedEnd, Waiting, Watch, counted, uncounted};
use crate::error::{Applied, ServeError};
use crate::guard::GuardCheck;
use crate::journal::JournalEntry;
use crate::lifecycle::running::{ServerId, under_key};
use crate::mailbox::responder::Responder;
use crate::owner::call::command::Command;
use crate::owner::{BATCH, Owner, OwnerTask};
use crate::panics::{catch, drop_caught};
use crate::progress::ProgressSender;
use crate::stats;
use skill_agent_store::RecordKind;
use skill_core::process::{ActionId, AsyncDone, AsyncFuture, AsyncInput, CallFailure, CommandMeta};
use skill_core::{Agent, Instruction};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// Tasks besides the server task. Each one ends with work for the owner.
pub(crate) struct AsyncTasks<G: Agent> {
    tasks: JoinSet<OwnerTask<G>>,
    pub(crate) running: usize,
    pub(crate) limit: usize,
    pub(crate) waiting: VecDeque<OwnerTask<G>>,
    /// The number of actions that may wait.
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

    /// Returns whether no task runs and no action waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.waiting.is_empty()
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

    /// Returns whether scheduled signals may be delivered. Each signal may add a waiting action. Signals have some extra room, even
    /// if callers have used up all of their own.
    pub(crate) fn may_fire(&self) -> bool {
        self.waiting.len() < self.room + BATCH
    }

    /// Returns the next waiting action that may start. Its work starts nothing if the caller no longer waits.
    pub(crate) fn next_waiting(&mut self) -> Option<OwnerTask<G>> {
        self.can_start().then(|| self.waiting.pop_front())?
    }

    pub(crate) fn drop_waiting(&mut self) {
        self.waiting.drain(..).for_each(drop_caught);
    }
}

impl<G: Agent> Owner<G> {
    /// Queues a command until fewer actions run, or fails with `Full` if too many actions wait. Repeated commands with the same key
    /// wait for the queued command. The queued command later starts over, because another command with the key may be running by
    /// then, but the guard is not asked again.
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
        self.running_keys.waiting() >= self.tasks.room
    }

    /// Returns whether a command with this key is recorded or running.
    pub(crate) fn is_key_known(&self, key: &str) -> bool {
        self.running_keys.contains(key) || self.keys.contains(key)
    }

    /// Marks a key's command as running, so that repeated commands wait from here on.
    pub(crate) fn begin_key(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            self.running_keys.begin(key);
        }
    }

    /// Ends a key's running command. Repeated commands are retried after the current step.
    pub(crate) fn end_key(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            let repeated = self.running_keys.end(key);
            self.retries.extend(repeated);
        }
    }

    /// Wraps an action so that the server recognizes its requests as requests of the key's running command.
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

    /// Runs an action in its own task. The action is cancelled if its caller has stopped waiting, its time is up, or the server
    /// stops. It is dropped if it then exceeds the grace period. At the time limit, its caller gets the error. In all these
    /// cases, `then` is called, unless the server aborts its tasks.
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
