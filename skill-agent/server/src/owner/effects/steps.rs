//! Steps: commands that follow from other commands.

use crate::chain::Chain;
use crate::lifecycle::stop_reason::StopReason;
use crate::mailbox::shutdown::StopLevel;
use crate::owner::signal::incoming::Origins;
use crate::owner::{BATCH, Owner};
use crate::signals::schedule::ScheduledSignal;
use skill_core::{Agent, Caller, Instruction, Signal};

/// A command that the agent itself caused.
#[derive(Debug)]
pub(crate) enum InternalStep {
    Run {
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    },
    Signal {
        signal: Signal,
        number: Option<u64>,
        chain: Chain,
    },
}

impl<G: Agent> Owner<G> {
    /// Commits the batch and runs a limited number of steps, so that chains of commands do not delay messages. Returns whether more
    /// steps are waiting.
    pub(crate) async fn run_some_steps(&mut self) -> bool {
        if self.is_settled() {
            return false;
        }
        self.commit().await;
        for _ in 0..BATCH {
            // A stop does not wait for the remaining steps.
            let is_stopping = self.shared.stop_flag.level() != StopLevel::Serve;
            if is_stopping || self.batch.is_full() || !self.run_next() {
                break;
            }
        }
        self.flush().await;
        let has_more = !self.has_no_steps() || !self.batch.is_empty();
        has_more && !self.must_end()
    }

    /// Runs one step or other waiting work, callers' commands first. Returns `false` if nothing is waiting.
    pub(crate) fn run_next(&mut self) -> bool {
        if let Some(work) = self.retries.pop_front() {
            self.isolate(work);
        } else if let Some(step) = self.steps.pop_front() {
            self.isolate(|owner| owner.step(step));
        } else if self.batch.is_empty()
            && let Some(work) = self.tasks.next_waiting()
        {
            self.isolate(work);
        } else {
            return false;
        }
        true
    }

    /// Returns whether nothing is left to commit, run or deliver, as after most commands.
    pub(crate) fn is_settled(&self) -> bool {
        self.has_no_steps() && self.batch.is_empty() && self.deliveries.is_empty()
    }

    pub(crate) fn has_no_steps(&self) -> bool {
        self.steps.is_empty() && self.retries.is_empty() && !self.tasks.can_start()
    }

    /// Returns whether to run no more steps. During a close, steps run unless the store failed or the server is killed.
    pub(crate) fn must_end(&self) -> bool {
        let is_over = match &self.stopping {
            Some(StopReason::Store(_)) => true,
            other => other.is_some() && !self.is_closing,
        };
        is_over || self.shared.stop_flag.level() == StopLevel::Kill
    }

    fn step(&mut self, step: InternalStep) {
        match step {
            InternalStep::Run {
                instruction,
                number,
                chain,
            } => self.run_directive(instruction, number, chain),
            InternalStep::Signal {
                signal,
                number,
                chain,
            } => {
                let is_own = true;
                let origins = Origins {
                    number,
                    chain,
                    is_own,
                };
                self.signal(signal, None, Caller::Signal, origins);
            }
        }
    }

    pub(crate) fn deliver_scheduled(&mut self, scheduled: ScheduledSignal) {
        self.steps.push_back(InternalStep::Signal {
            signal: scheduled.signal,
            number: scheduled.number,
            // A schedule with a delay begins a new chain.
            chain: scheduled.chain.unwrap_or_default(),
        });
    }
}
