//! Runs the calls of one completion, in parallel where possible.

use super::outcome::{called, interrupted, panicked, pending, progress, reason};
use super::outlet::Outlet;
use super::running::{CallResult, CallStep, RunningCall};
use super::{Ledger, TurnTask};
use crate::cancel::Interruption;
#[cfg(feature = "documents")]
use crate::history::context;
use crate::history::groups;
use crate::keeper::StepKeeper;
use crate::layers::LayeredResults;
use crate::limits::PARALLEL_CALLS;
use crate::{CallPart, Event, Message, Stop};
use skill_agent_models::Repair;
use skill_agent_server::__private::catch_async;
use skill_agent_server::{Applied, ProgressSender};
use skill_agent_toolbox::__private::{CallAttempt, HeldCall, ToolKind};
use skill_agent_toolbox::{ListedTool, ToolError, ToolSession};
use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

/// A call to run.
struct Job {
    call: CallPart,
    /// The model's arguments, without the `null`s that stand for omitted arguments.
    arguments: String,
    /// The tool's lane, or `None` for a tool that is not in the list.
    lane: Option<String>,
    reads: bool,
    /// The tool's kind, or `None` for a tool that is not in the list.
    kind: Option<ToolKind>,
    /// The repairs of the arguments, set at the end of the call.
    repairs: Arc<OnceLock<Vec<Repair>>>,
    state: State,
}

enum State {
    Waiting,
    Running,
    Ended(CallResult),
}

impl Job {
    fn repairs(&self) -> Vec<Repair> {
        self.repairs.get().cloned().unwrap_or_default()
    }
}

/// The results of the calls, in order.
pub(super) struct Results {
    pub(super) results: Vec<CallResult>,
    /// Repairs of each call's arguments.
    pub(super) repairs: Vec<Vec<Repair>>,
    /// Why the calls were interrupted, or `None` if they were not.
    pub(super) interrupted: Option<Stop>,
}

impl TurnTask {
    /// Runs the calls of a completion, except those that already have a result in `without_run`.
    pub(super) async fn run_calls(
        &self,
        calls: &[CallPart],
        without_run: Vec<Option<CallResult>>,
        tools: &[Arc<ListedTool>],
        attempt: CallAttempt,
        outlet: &Outlet,
    ) -> Results {
        let by_name: HashMap<&str, &ListedTool> = tools
            .iter()
            .map(|listed| (listed.tool.name.as_str(), &**listed))
            .collect();
        let job = |(call, result): (&CallPart, Option<CallResult>)| {
            let listed = by_name.get(call.call.name.as_str());
            let provider = self.setup.answering_profile().provider;
            let arguments = &call.call.arguments;
            Job {
                call: call.clone(),
                arguments: listed.map_or_else(
                    || arguments.clone(),
                    |listed| {
                        let restored = provider.restore_omitted(&listed.tool.as_tool(), arguments);
                        restored.into_owned()
                    },
                ),
                lane: listed.map(|listed| listed.lane.clone()),
                reads: listed.is_some_and(|listed| listed.tool.hints.read_only),
                kind: listed.map(|listed| listed.kind),
                repairs: Arc::default(),
                state: result.map_or(State::Waiting, State::Ended),
            }
        };
        let jobs = calls.iter().zip(without_run).map(job).collect();
        let pool = Pool {
            jobs,
            running: Vec::new(),
            interrupted: None,
            session: self.setup.session.clone(),
            history: Arc::clone(&self.history),
            keeper: self.setup.keeper.clone(),
            attempt,
            layered: self.results.clone(),
            ledger: self.ledger.clone(),
        };
        pool.run(&self.interruption, outlet).await
    }
}

struct Pool {
    jobs: Vec<Job>,
    running: Vec<(usize, RunningCall)>,
    /// The reason not to start any more calls, or `None` if calls may still be started.
    interrupted: Option<Stop>,
    session: Arc<ToolSession>,
    history: Arc<Vec<Message>>,
    keeper: Option<Arc<dyn StepKeeper>>,
    attempt: CallAttempt,
    layered: LayeredResults,
    ledger: Ledger,
}

impl Pool {
    async fn run(mut self, interruption: &Interruption, outlet: &Outlet) -> Results {
        for index in 0..self.jobs.len() {
            if matches!(self.jobs[index].state, State::Ended(_)) {
                report(&self.jobs[index], outlet).await;
            }
        }
        loop {
            if self.interrupted.is_none() {
                self.start(outlet).await;
            }
            if self.running.is_empty() {
                break;
            }
            tokio::select! {
                biased;
                stop = interruption.wait(), if !is_cut(self.interrupted) => {
                    self.interrupt(stop, outlet).await;
                }
                (index, step) = self.next() => match step {
                    CallStep::Progress(value) => {
                        outlet.emit(progress(&self.jobs[index].call, value)).await;
                    }
                    CallStep::Ended(result) => self.ended(index, result, outlet).await,
                },
            }
        }
        self.end(outlet).await
    }

    async fn ended(&mut self, index: usize, result: CallResult, outlet: &Outlet) {
        if matches!(result, Err(ToolError::Aborted { .. })) {
            self.interrupted = Some(Stop::Aborted);
        }
        self.jobs[index].state = State::Ended(result);
        report(&self.jobs[index], outlet).await;
    }

    /// Starts the calls that may run now.
    async fn start(&mut self, outlet: &Outlet) {
        for index in 0..self.jobs.len() {
            if self.running.len() >= PARALLEL_CALLS {
                return;
            }
            if !matches!(self.jobs[index].state, State::Waiting) || self.must_wait(index) {
                continue;
            }
            let job = &mut self.jobs[index];
            job.state = State::Running;
            let (name, arguments) = (job.call.call.name.clone(), job.arguments.clone());
            let begun = Event::Calling(job.call.clone());
            let (session, repairs) = (self.session.clone(), Arc::clone(&job.repairs));
            let key = self.keeper.as_ref().map(|keeper| keeper.key(&job.call.id));
            let attempt = self.attempt;
            let (layered, part) = (self.layered.clone(), job.call.clone());
            let ledger = self.ledger.clone();
            let history = Arc::clone(&self.history);
            let call = RunningCall::new(job.kind, |progress| {
                let called = call(session, key, attempt, name, arguments, progress, repairs);
                let called = ledger.scope(called);
                Box::pin(async move {
                    let result = called.await;
                    #[cfg(feature = "documents")]
                    let result = context::of_load(&history, &part, result);
                    let result = groups::of_load(&history, result);
                    layered.pass(Some(part), result).await
                })
            });
            self.running.push((index, call));
            outlet.emit(begun).await;
        }
    }

    /// Returns whether an earlier call of the same lane is still open, unless both calls only read.
    fn must_wait(&self, index: usize) -> bool {
        let (earlier, job) = (&self.jobs[..index], &self.jobs[index]);
        let is_before = |other: &Job| {
            let is_open = !matches!(other.state, State::Ended(_));
            is_open && other.lane == job.lane && !(other.reads && job.reads)
        };
        job.lane.is_some() && earlier.iter().any(is_before)
    }

    /// Returns the next progress or the end of a running call.
    async fn next(&mut self) -> (usize, CallStep) {
        poll_fn(|cx| {
            for at in 0..self.running.len() {
                let (index, call) = &mut self.running[at];
                let Poll::Ready(step) = call.poll_next(cx) else {
                    continue;
                };
                let index = *index;
                match step {
                    CallStep::Ended(_) => drop(self.running.swap_remove(at)),
                    // a call that constantly reports progress must not starve the others
                    CallStep::Progress(_) => self.running.rotate_left(at + 1),
                }
                return Poll::Ready((index, step));
            }
            Poll::Pending
        })
        .await
    }

    /// Cancels the running calls.
    async fn interrupt(&mut self, stop: Stop, outlet: &Outlet) {
        // cancel all calls before emitting the first event, because its reader may be slow
        let running = std::mem::take(&mut self.running).into_iter();
        let cancelled: Vec<_> = running
            .map(|(index, call)| (index, call.cancel()))
            .collect();
        for (index, (values, result)) in cancelled {
            for value in values {
                let progress = progress(&self.jobs[index].call, value);
                outlet.emit(progress).await;
            }
            let tool = &self.jobs[index].call.call.name;
            let result = result.unwrap_or_else(|| Err(interrupted(tool, stop)));
            self.ended(index, result, outlet).await;
        }
        self.interrupted.get_or_insert(stop);
    }

    /// Returns the results of all calls. The result of a call that did not start is an error.
    async fn end(mut self, outlet: &Outlet) -> Results {
        for index in 0..self.jobs.len() {
            let job = &mut self.jobs[index];
            if !matches!(job.state, State::Ended(_)) {
                let why = self.interrupted.map_or("the turn has ended", reason);
                let message = format!("it was not run, {why}");
                let error = ToolError::failed(&job.call.call.name, message, Applied::No);
                job.state = State::Ended(Err(error));
                report(&self.jobs[index], outlet).await;
            }
        }
        let repairs = self.jobs.iter().map(Job::repairs).collect();
        let results = self.jobs.into_iter().filter_map(|job| match job.state {
            State::Ended(result) => Some(result),
            _ => None,
        });
        Results {
            results: results.collect(),
            repairs,
            interrupted: self.interrupted,
        }
    }
}

/// Emits the result of a call.
async fn report(job: &Job, outlet: &Outlet) {
    let State::Ended(result) = &job.state else {
        return;
    };
    let called = called(&job.call, result.clone(), job.repairs());
    outlet.emit(Event::Called(called)).await;
    for pending in pending(&job.call.id, result) {
        outlet.emit(Event::Approval(Box::new(pending))).await;
    }
}

/// Returns whether the running calls were cancelled. An abort does not cancel them.
fn is_cut(interrupted: Option<Stop>) -> bool {
    interrupted.is_some_and(|stop| stop != Stop::Aborted)
}

async fn call(
    session: Arc<ToolSession>,
    key: Option<String>,
    attempt: CallAttempt,
    name: String,
    arguments: String,
    progress: Option<ProgressSender>,
    repairs: Arc<OnceLock<Vec<Repair>>>,
) -> CallResult {
    let held = key.as_deref().map(|key| HeldCall { key, attempt });
    let called = session.call_listing_repairs(held, &name, &arguments, progress, &repairs);
    let called = catch_async(Box::pin(called)).await;
    called.unwrap_or_else(|message| {
        tracing::error!(tool = name, %message, "a tool panicked");
        Err(panicked(&name))
    })
}
