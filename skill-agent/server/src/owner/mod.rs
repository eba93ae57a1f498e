//! The server task. It owns an agent, runs messages one after another, records the changes, responds, and executes the
//! directives.

mod any_owner;
mod approval;
pub(crate) mod call;
mod effects;
pub(crate) mod idle;
pub(crate) mod lifecycle;
pub(crate) mod rows;
mod signal;
pub(crate) mod turns;

use crate::owner::effects::pending::UnloggedDirectives;
use crate::owner::effects::steps::InternalStep;
use crate::owner::idle::IdleRequests;
pub(crate) use call::arguments::Arguments;
pub(crate) use call::batch::Batch;
pub(crate) use call::by_name::JsonCommand;
pub(crate) use call::typed::TypedCommand;
pub(crate) use effects::tasks::AsyncTasks;
pub(crate) use lifecycle::exit::ExitNotifier;
pub(crate) use lifecycle::startup::Startup;
pub(crate) use signal::pipeline::is_reserved;

use super::idempotency::{RunningKeys, UsedKeys};
use super::ids::Ids;
use super::journal::Journal;
use super::mailbox::message::BoxEnvelope;
use super::mailbox::shutdown::StopLevel;
use super::stats;
use crate::children::Supervisor;
use crate::clock::Clock;
use crate::lifecycle::settings::Settings;
use crate::lifecycle::shared::Shared;
use crate::lifecycle::stop_reason::StopReason;
use crate::owner::lifecycle::select::{next_report, receive_more, until, yield_to_tasks};
use crate::owner::rows::RowsRead;
use crate::panics::catch;
use crate::signals::outbox::{Delivery, DeliveryReport};
use crate::signals::routing::SignalRouting;
use crate::signals::schedule::ScheduleQueue;
use crate::turns::{Turns, TurnsWork};
use skill_core::child::BoxFuture;
use skill_core::process::CommandMeta;
use skill_core::{Agent, Stamp};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Work that the server task runs on its owner.
pub(crate) type OwnerTask<G> = Box<dyn FnOnce(&mut Owner<G>) + Send>;

/// The maximum number of messages per batch. The records of a batch are written together, so that its callers share one fsync.
const BATCH: usize = 256;

/// With this many steps waiting, messages are taken one at a time.
const STEP_BACKLOG: usize = 4 * BATCH;

/// The longest wait for a scheduled signal before the wall clock is read again. A sleep does not end early if the clock is set
/// forward or the machine was suspended.
const CLOCK_CHECK: Duration = Duration::from_secs(1);

/// The approximate number of batches between two checks of async actions, children and schedules.
const ROUNDS: usize = 8;

/// An agent, and the state of the task that serves it.
pub(crate) struct Owner<G: Agent> {
    pub(super) agent: G,
    pub(super) shared: Arc<Shared>,
    pub(super) settings: Settings<G>,
    pub(super) routing: SignalRouting,
    pub(super) journal: Option<Journal>,
    pub(super) batch: Batch<G>,
    pub(super) keys: UsedKeys,
    pub(super) running_keys: RunningKeys<OwnerTask<G>>,
    pub(super) steps: VecDeque<InternalStep>,
    /// Commands that waited for another command with the same idempotency key.
    pub(super) retries: VecDeque<OwnerTask<G>>,
    /// Pages of rows to read after the running messages.
    pub(super) row_reads: Vec<RowsRead>,
    /// The kept turns of conversations.
    pub(super) turns: Turns,
    /// Work on kept turns to do after the running messages.
    pub(super) turn_work: Vec<TurnsWork>,
    pub(super) schedules: ScheduleQueue,
    pub(super) timer: Option<(SystemTime, BoxFuture<()>)>,
    pub(super) tasks: AsyncTasks<G>,
    pub(super) children: Supervisor,
    pub(super) outbox: Option<mpsc::Sender<Delivery>>,
    pub(super) delivery_reports: Option<mpsc::UnboundedReceiver<DeliveryReport>>,
    pub(super) outbox_task: AbortOnDrop,
    /// Deliveries that did not fit into the outbox's channel yet.
    pub(super) deliveries: VecDeque<Delivery>,
    /// The number of deliveries that the outbox task has and has not reported.
    pub(super) undelivered: usize,
    pub(super) idle_requests: IdleRequests,
    /// Pending directives of a server without a store.
    pub(super) unlogged: UnloggedDirectives,
    /// The emitted signal types that nothing received, although the agent has a route for them. The server warned about each type
    /// once.
    pub(super) unheard: HashSet<String>,
    pub(super) ids: Ids,
    pub(super) stopping: Option<StopReason>,
    /// The state of the startup, until it ends.
    pub(super) startup: Option<Startup>,
    /// Whether the mailbox is closed.
    pub(super) is_closing: bool,
}

impl<G: Agent> Owner<G> {
    /// Creates a command's stamp: the time and a new id.
    pub(super) fn stamp(&mut self) -> Stamp {
        let now = self.now();
        Stamp::new(now, self.ids.next(now))
    }

    /// Creates the metadata of a command without a signal.
    pub(super) fn meta(&mut self) -> Arc<CommandMeta> {
        self.meta_with_key(None)
    }

    /// Like [`meta`](Self::meta), with the idempotency key that the caller gave.
    pub(super) fn meta_with_key(&mut self, idempotency_key: Option<String>) -> Arc<CommandMeta> {
        Arc::new(CommandMeta {
            stamp: Some(self.stamp()),
            idempotency_key,
            ..CommandMeta::default()
        })
    }

    /// Returns whether a command's instructions are recorded, in a log or in traces.
    pub(super) fn records_instructions(&self) -> bool {
        self.journal.is_some() || self.settings.trace_payloads
    }

    pub(super) fn now(&self) -> SystemTime {
        self.shared.clock.now()
    }

    /// Runs work that calls user code outside a command, such as the `Drop` of its arguments. A panic is reported, and the server
    /// continues.
    pub(super) fn isolate(&mut self, work: impl FnOnce(&mut Self)) {
        let mut work = Some(work);
        self.isolate_dyn(&mut |owner| {
            if let Some(work) = work.take() {
                work(owner);
            }
        });
    }

    /// Like [`isolate`](Self::isolate), but not generic over the work, so that it is compiled once for each agent.
    fn isolate_dyn(&mut self, work: &mut dyn FnMut(&mut Self)) {
        if let Err(message) = catch(|| work(self)) {
            self.report(&format!("the code of the agent panicked: {message}"));
        }
    }

    /// Handles messages, timers and finished tasks until the server has to stop.
    async fn serve(&mut self, mailbox: &mut mpsc::Receiver<BoxEnvelope>) -> StopReason {
        let mut messages = Vec::new();
        let mut has_fired = false;
        let shared = self.shared.clone();
        // All rounds share one future, because each new future takes the lock of the `Notify` twice.
        let mut stopped = std::pin::pin!(shared.stop_flag.at_least(StopLevel::Stop));
        loop {
            self.run_turn_work().await;
            let has_more = self.run_some_steps().await;
            self.run_row_reads().await;
            if let Some(reason) = self.stopping.take() {
                return reason;
            }
            if !self.idle_requests.is_empty() && self.answer_idle(!mailbox.is_empty()) {
                return StopReason::Stopped;
            }
            self.set_timer();
            let (room, may_fire) = (self.room(), self.tasks.may_fire());
            tokio::select! {
                biased;
                level = &mut stopped => return match level {
                    StopLevel::Kill => StopReason::Killed,
                    _ => StopReason::Stopped,
                },
                Some(ended) = self.tasks.next() => self.task_ended(ended),
                event = self.children.next_event() => self.child_event(event),
                Some(report) = next_report(&mut self.delivery_reports) => self.delivery_reported(report),
                // Alternates with the mailbox, because a signal may schedule another one without delay.
                () = until(&mut self.timer), if may_fire && (!has_fired || mailbox.is_empty()) => {
                    self.fire_due();
                    has_fired = true;
                    tokio::task::yield_now().await;
                }
                count = mailbox.recv_many(&mut messages, room) => match count {
                    0 => return StopReason::Stopped,
                    _ => {
                        has_fired = false;
                        self.take_all(&mut messages, mailbox).await;
                    }
                },
                () = tokio::task::yield_now(), if has_more => {}
            }
        }
    }

    /// Runs available messages, for a limited number of rounds.
    async fn take_all(
        &mut self,
        messages: &mut Vec<BoxEnvelope>,
        mailbox: &mut mpsc::Receiver<BoxEnvelope>,
    ) {
        for _ in 0..ROUNDS {
            self.take(messages).await;
            let has_more = self.run_some_steps().await;
            if has_more
                || self.stopping.is_some()
                || self.shared.stop_flag.level() != StopLevel::Serve
            {
                return;
            }
            if mailbox.is_empty() {
                yield_to_tasks().await;
            }
            if mailbox.is_empty() || self.shared.stop_flag.level() != StopLevel::Serve {
                return;
            }
            receive_more(messages, mailbox, self.room()).await;
        }
        self.take(messages).await;
    }

    /// Returns how many messages or due signals to take next: one at a time while many steps wait.
    fn room(&self) -> usize {
        if self.steps.len() < STEP_BACKLOG {
            BATCH
        } else {
            1
        }
    }

    async fn take(&mut self, messages: &mut Vec<BoxEnvelope>) {
        let mut began = std::time::Instant::now();
        for message in messages.drain(..) {
            self.isolate(|owner| message.run_on(owner));
            if self.batch.is_full() {
                self.shared.counters.was_busy(began.elapsed());
                self.commit().await;
                began = std::time::Instant::now();
            }
        }
        self.shared.counters.was_busy(began.elapsed());
    }

    /// Sets the timer for the next due signal, or for the next check of the clock.
    fn set_timer(&mut self) {
        let due = self.schedules.next_due();
        stats::set(&self.shared.counters.scheduled, self.schedules.len());
        if self.timer.as_ref().map(|(due, _)| *due) == due {
            return;
        }
        let now = self.now();
        self.timer = due.map(|due| {
            let left = due.duration_since(now).unwrap_or_default();
            let left = left.min(CLOCK_CHECK);
            (due, self.shared.clock.sleep(left))
        });
    }

    /// Delivers due signals while there is room, and leaves the others waiting.
    fn fire_due(&mut self) {
        self.timer = None;
        let now = self.now();
        for _ in 0..self.room() {
            let Some(scheduled) = self.schedules.pop(now) else {
                return;
            };
            self.fire(scheduled);
        }
    }
}

/// A task that is aborted when this handle is dropped.
pub(crate) struct AbortOnDrop(pub(crate) Option<JoinHandle<()>>);

impl AbortOnDrop {
    /// Aborts the task and waits for its end.
    pub(super) async fn end(&mut self) {
        if let Some(task) = self.0.take() {
            task.abort();
            let _ = task.await;
        }
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
