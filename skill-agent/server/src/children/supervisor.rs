//! The supervisor, which starts children and restarts those that end.

use super::child::{Child, RunningTask, State, StopToken};
use super::{Backoff, ChildError, ChildEvent, ExitReason, RestartLimits};
use crate::clock::Clock;
use crate::panics::drop_caught;
use skill_core::child::{BoxFuture, ChildHost};
use skill_core::process::full_text;
use skill_core::serde_json::Value;
use skill_core::{ChildContext, ChildSpec, HookError};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::SystemTime;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The children of one agent. Dropping the supervisor aborts all of them.
///
/// The supervisor itself has no task. If there are no children, it does not create a task set.
pub struct Supervisor {
    pub(super) children: Vec<Child>,
    /// The indexes of the children that are running or waiting, in start order. A restarted child keeps its position.
    pub(super) order: Vec<usize>,
    /// The tasks of the children, created with the first child.
    pub(super) tasks: Option<JoinSet<Result<(), HookError>>>,
    /// The children that are waiting to be restarted, each with its timer.
    pub(super) waits: Vec<(usize, BoxFuture<()>)>,
    /// The times of the recent restarts, each with the index of its child.
    pub(super) restarts: VecDeque<(SystemTime, usize)>,
    pub(super) events: VecDeque<ChildEvent>,
    pub(super) clock: Arc<dyn Clock>,
    host: Arc<dyn ChildHost>,
    pub(super) limits: RestartLimits,
    pub(super) backoff: Backoff,
    pub(super) restarted: u64,
    /// Whether no more children may be started.
    pub(super) closed: bool,
}

/// The number of running and waiting children, and of restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChildStats {
    /// The number of children with a running task. A stuck child that the supervisor has given up does not count.
    pub running: usize,
    /// The number of children that are waiting to be restarted.
    pub waiting: usize,
    /// The number of restarts since the server started.
    pub restarts: u64,
}

/// The end of a child's task.
pub(super) struct Exit {
    pub index: usize,
    pub since: SystemTime,
    pub reason: ExitReason,
}

impl Supervisor {
    /// Creates a supervisor for the children in `specs`, each paired with the name of the skill that declares it. Does not start
    /// any child.
    ///
    /// # Errors
    /// Returns an error if two children have the same id.
    pub fn new(
        specs: Vec<(&'static str, ChildSpec)>,
        clock: Arc<dyn Clock>,
        host: Arc<dyn ChildHost>,
    ) -> Result<Self, ChildError> {
        check_unique_ids(&specs)?;
        Ok(Self {
            children: specs
                .into_iter()
                .map(|(skill, spec)| Child::new(skill, spec))
                .collect(),
            order: Vec::new(),
            tasks: None,
            waits: Vec::new(),
            restarts: VecDeque::new(),
            events: VecDeque::new(),
            clock,
            host,
            limits: RestartLimits::default(),
            backoff: Backoff::default(),
            restarted: 0,
            closed: false,
        })
    }

    /// Sets the restart limit.
    #[must_use]
    pub fn with_limits(mut self, limits: RestartLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the delays before restarts.
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Starts the children that are not on demand, in declaration order. If a child fails or panics immediately, the next event
    /// reports it like any other exit.
    ///
    /// # Errors
    /// Returns an error if the children have already been stopped.
    ///
    /// # Panics
    /// Panics outside a tokio runtime if there is a child to start.
    pub fn start_all(&mut self) -> Result<(), ChildError> {
        for index in 0..self.children.len() {
            let Child { spec, state, .. } = &self.children[index];
            if spec.on_demand || !matches!(state, State::Idle) {
                continue;
            }
            self.ensure_open(index)?;
            self.launch(index);
        }
        Ok(())
    }

    /// Executes a `Spawn` directive: starts the child `id` with `params`, provided that the child is on demand or has ended.
    ///
    /// # Errors
    /// Returns an error if no child has this id, if the child is already running, or if the children have been stopped.
    ///
    /// # Panics
    /// Panics outside a tokio runtime.
    pub fn spawn(&mut self, id: &str, params: Value) -> Result<(), ChildError> {
        let Some(index) = self.children.iter().position(|child| child.spec.id == id) else {
            return Err(ChildError::unknown(id, self.ids()));
        };
        self.ensure_open(index)?;
        let child = &mut self.children[index];
        if !matches!(child.state, State::Idle) {
            return Err(ChildError::Running {
                id: child.spec.id.clone(),
                on_demand: child.spec.on_demand,
            });
        }
        child.params = (!params.is_null()).then(|| Arc::new(params));
        child.attempts = 0;
        self.launch(index);
        Ok(())
    }

    /// Waits for the next event without a time limit, and restarts children in the meantime.
    ///
    /// This method is cancel safe: if the future is dropped before it is ready, no event is lost.
    pub async fn next_event(&mut self) -> ChildEvent {
        poll_fn(|cx| self.poll_event(cx)).await
    }

    /// Returns the number of running and waiting children, and of restarts.
    pub fn stats(&self) -> ChildStats {
        let running = |child: &&Child| matches!(child.state, State::Running(_));
        ChildStats {
            running: self.children.iter().filter(running).count(),
            waiting: self.waits.len(),
            restarts: self.restarted,
        }
    }

    fn ids(&self) -> Vec<Cow<'static, str>> {
        self.children.iter().map(|c| c.spec.id.clone()).collect()
    }

    fn ensure_open(&self, index: usize) -> Result<(), ChildError> {
        if self.closed {
            let id = self.children[index].spec.id.clone();
            return Err(ChildError::Stopped { id });
        }
        Ok(())
    }

    /// Spawns the task of a child that is not running.
    fn launch(&mut self, index: usize) {
        let child = &mut self.children[index];
        let stop = CancellationToken::new();
        let cx = ChildContext::new(
            child.spec.id.clone(),
            child.params.clone(),
            self.host.clone(),
            Arc::new(StopToken(stop.clone())),
        );
        let spec = child.spec.clone();
        let tasks = self.tasks.get_or_insert_default();
        // `start` runs inside the task, so that a panic in it counts as a panic of the task
        let abort = tasks.spawn(async move { spec.start(cx).await });
        child.state = State::Running(RunningTask {
            task: abort.id(),
            abort,
            stop,
            since: self.clock.now(),
        });
        if !self.order.contains(&index) {
            self.order.push(index);
        }
        let id = child.spec.id.clone();
        tracing::debug!(child = %id, skill = child.skill, "child started");
        self.events.push_back(ChildEvent::Started { id });
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<ChildEvent> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(event);
            }
            if let Poll::Ready(exit) = self.poll_exit(cx) {
                self.handle_exit(exit);
                continue;
            }
            let index = ready!(self.poll_wait(cx));
            self.launch(index);
        }
    }

    /// Waits for a task to end, and marks its child as idle.
    pub(super) fn poll_exit(&mut self, cx: &mut Context<'_>) -> Poll<Exit> {
        let Some(tasks) = &mut self.tasks else {
            return Poll::Pending;
        };
        // an empty set needs no waker, because tasks are only added through `&mut self`
        while let Some(joined) = ready!(tasks.poll_join_next_with_id(cx)) {
            let (task, reason) = match joined {
                Ok((task, Ok(()))) => (task, ExitReason::Finished),
                Ok((task, Err(error))) => {
                    let reason = ExitReason::Failed(full_text(error.inner()));
                    drop_caught(error);
                    (task, reason)
                }
                Err(error) => (error.id(), ExitReason::of_join_error(error)),
            };
            for (index, child) in self.children.iter_mut().enumerate() {
                if let State::Running(RunningTask {
                    task: own, since, ..
                }) = child.state
                    && own == task
                {
                    child.state = State::Idle;
                    child.log_exit(&reason);
                    return Poll::Ready(Exit {
                        index,
                        since,
                        reason,
                    });
                }
            }
        }
        Poll::Pending
    }

    /// Waits until the restart delay of a child has passed, and returns the child's index.
    fn poll_wait(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        let is_over = |(_, wait): &mut (usize, BoxFuture<()>)| wait.as_mut().poll(cx).is_ready();
        match self.waits.iter_mut().position(is_over) {
            Some(position) => Poll::Ready(self.waits.remove(position).0),
            None => Poll::Pending,
        }
    }
}

/// Returns an error if two children have the same id.
fn check_unique_ids(specs: &[(&'static str, ChildSpec)]) -> Result<(), ChildError> {
    let mut seen = HashMap::new();
    for (skill, spec) in specs {
        if let Some(first) = seen.insert(&spec.id, *skill) {
            return Err(ChildError::Duplicate {
                id: spec.id.clone(),
                first,
                second: skill,
            });
        }
    }
    Ok(())
}

impl fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor")
            .field("children", &self.ids())
            .field("stats", &self.stats())
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}
