//! The task that owns an agent: it takes messages one after another, records what they changed, answers, and carries out
//! the directives.

mod before;
mod begin;
mod call;
mod carry;
mod chain;
mod change;
mod finish;
mod flow;
mod jobs;
mod life;
mod start;
mod wait;
mod way;

pub(crate) use begin::Pendings;
pub(crate) use call::{Command, Key, Named};
pub(crate) use finish::{Batch, Finished};
pub(crate) use jobs::{JobStarter, Jobs};
pub(crate) use life::Epitaph;

use super::builder::Settings;
use super::guard::Caller;
use super::ids::Ids;
use super::ledger::Ledger;
use super::letter::Message;
use super::orders::Order;
use super::plan::Plan;
use super::press::Pressed;
use super::recent::Recent;
use super::schedule::Agenda;
use super::stats;
use super::{Shared, StopReason};
use crate::children::Supervisor;
use skill_core::process::CommandMeta;
use skill_core::{Agent, BoxFuture, Instruction, Signal, Stamp};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use wait::{give_way, next_pressed, refill, until};

/// What is to be done with the owner of the agent.
pub(crate) type Work<G> = Box<dyn FnOnce(&mut Owner<G>) + Send>;

/// How many messages are taken before the store is asked to keep them: the callers of one batch share one fsync.
const BATCH: usize = 256;

/// So many steps wait before messages do.
const PILE: usize = 4 * BATCH;

/// How many batches are taken before the task looks at what else there is: jobs, children, schedules.
const ROUNDS: usize = 8;

/// The agent and everything that happens to it.
pub(crate) struct Owner<G: Agent> {
    pub(super) agent: G,
    pub(super) shared: Arc<Shared>,
    pub(super) settings: Settings<G>,
    pub(super) plan: Plan,
    pub(super) ledger: Option<Ledger>,
    pub(super) batch: Batch<G>,
    pub(super) recent: Recent<G>,
    pub(super) inner: VecDeque<Step>,
    pub(super) again: VecDeque<Work<G>>,
    pub(super) agenda: Agenda,
    pub(super) timer: Option<(SystemTime, BoxFuture<()>)>,
    pub(super) jobs: Jobs<G>,
    pub(super) children: Supervisor,
    pub(super) outlet: Option<mpsc::Sender<super::press::Parcel>>,
    pub(super) pressed: Option<mpsc::UnboundedReceiver<Pressed>>,
    pub(super) press: Aborted,
    /// What the outlet is given next.
    pub(super) parcels: VecDeque<super::press::Parcel>,
    pub(super) ids: Ids,
    pub(super) stopping: Option<StopReason>,
    /// Whether no message is taken any more.
    pub(super) is_closing: bool,
}

/// What an agent told itself to do.
#[derive(Debug)]
pub(super) enum Step {
    Run {
        instruction: Instruction,
        number: Option<u64>,
        hops: u32,
    },
    Signal {
        signal: Signal,
        number: Option<u64>,
        hops: u32,
    },
}

impl<G: Agent> Owner<G> {
    /// The time and an id for a command.
    pub(super) fn stamp(&mut self) -> Stamp {
        let now = self.shared.clock.now();
        Stamp::new(now, self.ids.next(now))
    }

    /// The surroundings of a command that no signal led to.
    pub(super) fn meta(&mut self) -> Arc<CommandMeta> {
        Arc::new(CommandMeta {
            stamp: Some(self.stamp()),
            ..CommandMeta::default()
        })
    }

    /// Whether anybody reads the instructions of a command: a log, or traces.
    pub(super) fn is_written_down(&self) -> bool {
        self.ledger.is_some() || self.settings.trace_payloads
    }

    pub(super) fn now(&self) -> SystemTime {
        self.shared.clock.now()
    }

    /// Takes messages until there is a reason to stop.
    async fn serve(&mut self, mailbox: &mut mpsc::Receiver<Message<G>>) -> StopReason {
        let mut messages = Vec::new();
        let mut has_fired = false;
        let shared = self.shared.clone();
        // waits once for all rounds: to begin and to end a wait takes the lock of those who wait
        let mut ordered = std::pin::pin!(shared.orders.at_least(Order::Stop));
        loop {
            let has_more = self.settle_some().await;
            if let Some(reason) = self.stopping.take() {
                return reason;
            }
            self.set_timer();
            let room = self.room();
            tokio::select! {
                biased;
                order = &mut ordered => return match order {
                    Order::Kill => StopReason::Killed,
                    _ => StopReason::Stopped,
                },
                Some(job) = self.jobs.next() => self.job_ended(job),
                event = self.children.next_event() => self.child_event(event),
                Some(pressed) = next_pressed(&mut self.pressed) => self.pressed(pressed),
                // in turn with the mailbox: a signal may schedule the next without any delay
                () = until(&mut self.timer), if !has_fired || mailbox.is_empty() => {
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

    /// Takes messages for as long as there are some at hand, and then a look at the rest of the world.
    async fn take_all(
        &mut self,
        messages: &mut Vec<Message<G>>,
        mailbox: &mut mpsc::Receiver<Message<G>>,
    ) {
        for _ in 0..ROUNDS {
            self.take(messages);
            let has_more = self.settle_some().await;
            if has_more || self.stopping.is_some() || self.shared.orders.now() != Order::Serve {
                return;
            }
            if mailbox.is_empty() {
                give_way().await;
            }
            if mailbox.is_empty() || self.shared.orders.now() != Order::Serve {
                return;
            }
            refill(messages, mailbox, self.room()).await;
        }
        self.take(messages);
    }

    /// How many messages are taken next: one at a time where what they led to has piled up.
    fn room(&self) -> usize {
        match self.inner.len() < PILE {
            true => BATCH,
            false => 1,
        }
    }

    fn take(&mut self, messages: &mut Vec<Message<G>>) {
        let began = std::time::Instant::now();
        for message in messages.drain(..) {
            message.open(self);
        }
        self.shared.counters.was_busy(began.elapsed());
    }

    /// Records and answers, and takes the steps that follow, until nothing is left to do.
    pub(super) async fn settle(&mut self) {
        while self.settle_some().await {
            tokio::task::yield_now().await;
        }
    }

    /// The same for a batch of steps, and says whether there are more: commands that lead to commands give way to messages.
    async fn settle_some(&mut self) -> bool {
        if self.is_settled() {
            return false;
        }
        self.commit().await;
        for _ in 0..BATCH {
            if let Some(step) = self.inner.pop_front() {
                self.step(step);
            } else if let Some(work) = self.again.pop_front() {
                work(self);
            } else if let Some(work) = self.jobs.next_waiting() {
                work(self);
            } else {
                break;
            }
        }
        self.flush().await;
        let has_more = !self.has_no_steps() || !self.batch.is_empty();
        has_more && !self.must_end()
    }

    /// Whether no command waits for anything: most lead to nothing that is recorded or done after them.
    fn is_settled(&self) -> bool {
        self.has_no_steps() && self.batch.is_empty() && self.parcels.is_empty()
    }

    fn has_no_steps(&self) -> bool {
        self.inner.is_empty() && self.again.is_empty() && !self.jobs.can_start()
    }

    /// Whether nothing more is taken up: what a stop leaves is done all the same, but for a store that failed.
    fn must_end(&self) -> bool {
        let is_over = match &self.stopping {
            Some(StopReason::Store(_)) => true,
            other => other.is_some() && !self.is_closing,
        };
        is_over || self.shared.orders.now() == Order::Kill
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Run {
                instruction,
                number,
                hops,
            } => self.run_directive(instruction, number, hops),
            Step::Signal {
                signal,
                number,
                hops,
            } => {
                let is_own = true;
                let origins = flow::Origins {
                    number,
                    hops,
                    is_own,
                };
                self.signal(signal, None, Caller::Signal, origins);
            }
        }
    }

    /// Waits for the signal that is due next.
    fn set_timer(&mut self) {
        let due = self.agenda.next_due();
        stats::set(&self.shared.counters.scheduled, self.agenda.len());
        if self.timer.as_ref().map(|(due, _)| *due) == due {
            return;
        }
        let now = self.now();
        self.timer = due.map(|due| {
            let left = due.duration_since(now).unwrap_or_default();
            (due, self.shared.clock.sleep(left))
        });
    }

    fn fire_due(&mut self) {
        self.timer = None;
        let now = self.now();
        while let Some(waiting) = self.agenda.pop(now) {
            self.inner.push_back(Step::Signal {
                signal: waiting.signal,
                number: waiting.number,
                hops: 0,
            });
        }
    }
}

/// The task of an outlet, which does not outlive the server.
pub(crate) struct Aborted(pub(crate) Option<JoinHandle<()>>);

impl Aborted {
    /// Ends it, and waits until it has ended.
    pub(super) async fn end(&mut self) {
        if let Some(task) = self.0.take() {
            task.abort();
            let _ = task.await;
        }
    }
}

impl Drop for Aborted {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
