//! A signal inside the transaction: hooks, routes, instructions, hooks again.

use super::before::{Before, JobAnswer};
use crate::server::SignalError;
use crate::server::builder::Settings;
use crate::server::guard::{Caller, Pass, Question};
use crate::server::plan::Plan;
use crate::store::RecordKind;
use serde_json::Value;
use skill_core::process::{self, CommandMeta, Transaction};
use skill_core::{Agent, CallError, Directive, Handled, HookError, Instruction, RunError, Signal};
use std::borrow::Cow;
use std::sync::Arc;

/// The first signal of a start, for the agent's own hooks.
pub(super) const INIT: &str = "agent.init";

/// What the way through the agent came to.
pub(super) struct Flowed {
    pub(super) kind: RecordKind,
    pub(super) answer: Value,
    pub(super) instructions: Vec<Instruction>,
}

/// Why it came to nothing.
pub(super) enum Trouble {
    Failed(SignalError),
    Panicked(String),
    Denied(&'static str, Cow<'static, str>),
    /// A person has to be asked about the instruction of a place first; then the signal goes its way again.
    Ask(usize, Instruction, Box<Question>),
    /// The async action of a place has to run first; then the signal goes its way again.
    Start(usize, Instruction),
}

/// A transaction on its way through hooks and routes.
pub(super) struct Way<'a, G: Agent> {
    pub(super) transaction: Transaction<'a, G>,
    pub(super) plan: &'a Plan,
    pub(super) settings: &'a Settings<G>,
    pub(super) caller: Caller,
    pub(super) before: Before,
}

impl<G: Agent> Way<'_, G> {
    pub(super) fn go(&mut self, meta: &mut Arc<CommandMeta>) -> Result<Flowed, Trouble> {
        // the first signal of a start is the agent's own
        let hooked = match signal_of(meta).ty() {
            INIT => self.plan.hooked().filter(|skill| *skill == 0).collect(),
            ty => self.plan.matching::<G>(ty),
        };
        for skill in &hooked {
            self.prepare(*skill, meta)?;
        }
        let signal = signal_of(meta);
        let own = process::skills::<G>()[0].actions;
        let is_own = |action: &str| own.iter().any(|spec| spec.name == action);
        let found = self.plan.router.matches(signal);
        let routed: Vec<_> = found
            .iter()
            .filter(|route| signal.ty() != INIT || is_own(route.target.action()))
            .map(|route| route.target.instruction(signal))
            .collect();
        let (kind, instructions) = match routed.is_empty() {
            true => (RecordKind::Handled, self.handle(&hooked, meta)?),
            false => (RecordKind::Command, routed),
        };
        self.before.fits(&instructions)?;
        self.before.count = Some(instructions.len());
        self.guard(&instructions)?;
        let result = self.run(&instructions, meta)?;
        let answer = self.transform(&hooked, result, meta)?;
        Ok(Flowed {
            kind,
            answer,
            instructions,
        })
    }

    fn prepare(&mut self, skill: usize, meta: &mut Arc<CommandMeta>) -> Result<(), Trouble> {
        let signal = signal_of(meta).clone();
        let prepared = self
            .transaction
            .prepare(skill, signal, Some(meta))
            .map_err(|source| hook_failed::<G>(skill, "prepare_signal", source))?;
        Arc::make_mut(meta).signal = Some(prepared);
        Ok(())
    }

    /// The first skill that handles it; what that skill wants to run is run at once, as routed instructions are.
    fn handle(
        &mut self,
        hooked: &[usize],
        meta: &Arc<CommandMeta>,
    ) -> Result<Vec<Instruction>, Trouble> {
        let signal = signal_of(meta);
        for skill in hooked {
            let before = self.transaction.directives().len();
            let handled = self
                .transaction
                .handle(*skill, signal, Some(meta))
                .map_err(|source| hook_failed::<G>(*skill, "handle_signal", source))?;
            if handled == Handled::Done {
                return Ok(take_runs(self.transaction.directives(), before));
            }
        }
        let before = self.transaction.directives().len();
        let handled = self.transaction.handle_mounted(signal, Some(meta));
        match handled {
            Ok(Handled::Ignored) => {}
            Ok(Handled::Done) => return Ok(take_runs(self.transaction.directives(), before)),
            Err(error) => return Err(Trouble::Failed(error.into())),
        }
        match signal.ty() {
            INIT => Ok(Vec::new()),
            ty => Err(Trouble::Failed(SignalError::Unhandled {
                ty: ty.to_owned(),
                agent: G::SPEC.name,
            })),
        }
    }

    fn guard(&mut self, instructions: &[Instruction]) -> Result<(), Trouble> {
        for (at, instruction) in instructions.iter().enumerate() {
            if self.before.allowed.get(at) == Some(instruction) {
                continue;
            }
            // an action that is not there is told of when it is run
            let Ok(address) = process::resolve(self.transaction.agent(), &instruction.action)
            else {
                continue;
            };
            let arguments = || instruction.params.clone();
            let spec = address.spec;
            // a yes is one to an action with its arguments, and to nothing else that the signal runs
            let is_approved = self.before.is_approved(instruction);
            match self
                .settings
                .guard(self.caller, is_approved, spec, &arguments)
            {
                Pass::Go => {}
                Pass::No(reason) => return Err(Trouble::Denied(spec.name, reason)),
                Pass::Ask => {
                    let question = Box::new(Question::new(self.caller, spec, arguments()));
                    self.before.allowed = instructions[..at].to_vec();
                    return Err(Trouble::Ask(at, instruction.clone(), question));
                }
            }
        }
        Ok(())
    }

    /// Runs all of it or nothing; what the hooks did before stays for now, as `transform_result` may make an answer of the
    /// error. So the run saves by itself: the states that the hooks left, not those before them.
    fn run(
        &mut self,
        instructions: &[Instruction],
        meta: &Arc<CommandMeta>,
    ) -> Result<Result<Value, RunError>, Trouble> {
        let mut ran = self.take_done(instructions)?.into_iter();
        let mut run = Transaction::begin(self.transaction.agent());
        let mut outputs = Vec::with_capacity(instructions.len());
        for (index, instruction) in instructions.iter().enumerate() {
            let result = match process::is_async::<G>(&instruction.action) {
                false => run.run(std::slice::from_ref(instruction), Some(meta)),
                true => match ran.next() {
                    Some(result) => apply(&mut run, instruction, result, meta),
                    None => unreachable!("one was taken for each"),
                },
            };
            match result {
                Ok(output) => outputs.extend(output),
                Err(error) => {
                    return Ok(Err(RunError::at(index, &instruction.action, error.source)));
                }
            }
        }
        let (saved, directives) = run.commit();
        self.transaction.absorb(saved, directives);
        if let Some(reply) = first_reply(self.transaction.directives()) {
            return Ok(Ok(reply.clone()));
        }
        Ok(Ok(match outputs.len() {
            0 => Value::Null,
            1 => outputs.remove(0),
            _ => Value::Array(outputs),
        }))
    }

    /// What the async actions among the instructions left behind. One that has not run yet has to run first.
    fn take_done(
        &mut self,
        instructions: &[Instruction],
    ) -> Result<Vec<Result<JobAnswer, CallError>>, Trouble> {
        for (at, instruction) in instructions.iter().enumerate() {
            let has_run = self.before.ran.iter().any(|ran| ran.at == at);
            if !has_run && process::is_async::<G>(&instruction.action) {
                self.before.allowed = instructions.to_vec();
                return Err(Trouble::Start(at, instruction.clone()));
            }
        }
        // in the order of their places: the first that has not run is the one that is started
        Ok(self.before.ran.drain(..).map(|ran| ran.result).collect())
    }

    fn transform(
        &mut self,
        hooked: &[usize],
        result: Result<Value, RunError>,
        meta: &Arc<CommandMeta>,
    ) -> Result<Value, Trouble> {
        if hooked.is_empty() {
            return result.map_err(|error| Trouble::Failed(error.into()));
        }
        let had_reply = first_reply(self.transaction.directives()).is_some();
        let mut result = result.map_err(HookError::from);
        let mut last = 0;
        for skill in hooked {
            let before = result.as_ref().err().map(place_of);
            result = self
                .transaction
                .transform(*skill, signal_of(meta), result, Some(meta));
            if result.as_ref().err().map(place_of) != before {
                last = *skill;
            }
        }
        let answer = result.map_err(|error| match error.downcast::<RunError>() {
            Ok(error) => Trouble::Failed(error.into()),
            Err(source) => hook_failed::<G>(last, "transform_result", source),
        })?;
        match first_reply(self.transaction.directives()) {
            Some(reply) if !had_reply => Ok(reply.clone()),
            _ => Ok(answer),
        }
    }
}

/// What an async action left behind: its `then`s are run, its directives are queued.
fn apply<G: Agent>(
    run: &mut Transaction<'_, G>,
    instruction: &Instruction,
    result: Result<JobAnswer, CallError>,
    meta: &Arc<CommandMeta>,
) -> Result<Vec<Value>, RunError> {
    let mut answer = result.map_err(|error| RunError::at(0, &instruction.action, error))?;
    let (then, mounts) = (answer.queued.take_then(), answer.queued.take_mounts());
    run.directives().extend(answer.queued.directives);
    run.run(&then, Some(meta))?;
    run.mount_queued(mounts);
    Ok(vec![answer.output])
}

fn hook_failed<G: Agent>(skill: usize, hook: &'static str, source: HookError) -> Trouble {
    Trouble::Failed(SignalError::Hook {
        skill: process::skills::<G>()[skill].name,
        hook,
        source: source.into_inner(),
    })
}

/// Tells an error that a hook hands on from one that it put in its place: it stays where it is.
fn place_of(error: &HookError) -> *const () {
    std::ptr::from_ref(error.inner()).cast()
}

pub(super) fn signal_of(meta: &Arc<CommandMeta>) -> &Signal {
    meta.signal
        .as_ref()
        .expect("the occasion of a flow is made with its signal")
}

fn first_reply(directives: &[Directive]) -> Option<&Value> {
    directives.iter().find_map(|directive| match directive {
        Directive::Reply(reply) => Some(reply.signal.data()),
        _ => None,
    })
}

/// Takes the `Run`s out that were queued since there were `before` directives.
fn take_runs(directives: &mut Vec<Directive>, before: usize) -> Vec<Instruction> {
    let mut runs = Vec::new();
    for directive in directives.split_off(before) {
        match directive {
            Directive::Run(run) => runs.push(run.effect),
            other => directives.push(other),
        }
    }
    runs
}
