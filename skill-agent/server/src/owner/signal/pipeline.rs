//! Processes a signal in one transaction: hooks, routes, instructions, and hooks again.

use crate::error::SignalError;
use crate::lifecycle::settings::Settings;
use crate::limits::{Limit, MAX_DIRECTIVES};
use crate::owner::call::admission::AdmittedAction;
use crate::owner::signal::interruption::Interruption;
use crate::owner::signal::progress::{AsyncAnswer, SignalProgress};
use crate::owner::signal::then::apply;
use crate::signals::routing;
use crate::signals::routing::SignalRouting;
use serde_json::Value;
use skill_agent_schema::shorten_type;
use skill_agent_store::RecordKind;
use skill_core::process::{self, CommandMeta, Transaction};
use skill_core::{
    Agent, CallError, Caller, Directive, Handled, HookError, Instruction, RunError, Signal,
};
use std::sync::Arc;

/// The first signal of a start, for the agent's own hooks.
pub(crate) const INIT: &str = "agent.init";

/// The type of the signal that reports an error.
pub(crate) const ERROR: &str = "agent.error";

/// Returns whether only the server sends signals of this type.
pub(crate) fn is_reserved(ty: &str) -> bool {
    ty == INIT || ty == ERROR
}

/// The outcome of a processed signal.
pub(crate) struct Processed {
    pub(crate) kind: RecordKind,
    pub(crate) answer: Value,
    pub(crate) instructions: Vec<Instruction>,
}

/// A signal's transaction, with the hooks and routes to apply.
pub(crate) struct SignalPipeline<'a, G: Agent> {
    pub(crate) transaction: Transaction<'a, G>,
    pub(crate) routing: &'a SignalRouting,
    pub(crate) settings: &'a Settings<G>,
    pub(crate) caller: Caller,
    pub(crate) progress: SignalProgress,
    pub(crate) is_repeated: bool,
}

impl<G: Agent> SignalPipeline<'_, G> {
    pub(crate) fn run_signal(
        &mut self,
        meta: &mut Arc<CommandMeta>,
    ) -> Result<Processed, Interruption> {
        // The first signal of a start is only for the agent's own hooks.
        let hooked = match signal_of(meta).ty() {
            INIT => self.routing.hooked().filter(|skill| *skill == 0).collect(),
            ty => self.routing.matching::<G>(ty),
        };
        for skill in &hooked {
            self.prepare(*skill, meta)?;
        }
        let (kind, instructions) = match self.routed(signal_of(meta)) {
            Ok(routed) if routed.is_empty() => (RecordKind::Handled, self.handle(&hooked, meta)?),
            Ok(routed) => (RecordKind::Command, routed),
            // Without a decision by the guard, a foreign caller gets no recorded answer.
            Err(error) if self.is_repeated => return Err(Interruption::Failed(error.into())),
            Err(error) => {
                // An error now must not drop actions that ran or were decided in an earlier pass.
                let unchanged = self.progress.check_unchanged(&[]);
                unchanged.map_err(Interruption::Failed)?;
                return Ok(Processed {
                    kind: RecordKind::Command,
                    answer: self.transform(&hooked, Err(error), meta)?,
                    instructions: Vec::new(),
                });
            }
        };
        let unchanged = self.progress.check_unchanged(&instructions);
        unchanged.map_err(Interruption::Failed)?;
        self.progress.count = Some(instructions.len());
        self.progress.is_routed = kind == RecordKind::Command;
        let refused = self.guard(&instructions)?;
        if self.is_repeated {
            return Err(self.repeated());
        }
        if let Some(refused) = refused {
            return Ok(Processed {
                kind,
                answer: self.transform(&hooked, Err(refused), meta)?,
                instructions: Vec::new(),
            });
        }
        let shown = self.progress.shown();
        let result = self.run(&instructions, meta)?;
        let answer = self.transform(&hooked, result, meta)?;
        Ok(Processed {
            kind,
            answer,
            instructions: shown,
        })
    }

    /// Returns the interruption for a repeated signal. A foreign caller gets the recorded answer only if the guard has seen each
    /// instruction.
    fn repeated(&mut self) -> Interruption {
        let is_foreign = self.caller.is_foreign();
        let unseen = self.progress.allowed.iter_mut().enumerate();
        let mut unseen = unseen
            .filter(|_| is_foreign)
            .filter_map(|(index, allowed)| {
                let error = allowed.admitted.take()?.err()?;
                Some(RunError::new(index, &allowed.instruction.action, error))
            });
        match unseen.next() {
            Some(error) => Interruption::Failed(error.into()),
            None => Interruption::Repeated,
        }
    }

    /// Returns the instructions of the routes that match a signal.
    fn routed(&mut self, signal: &Signal) -> Result<Vec<Instruction>, RunError> {
        // The first signal of a start uses only routes to the agent's own actions, which may ignore its data.
        let is_init = signal.ty() == INIT;
        let own = process::skills::<G>()[0].actions;
        let is_own = |action: &str| own.iter().any(|spec| spec.name == action);
        let mut found = self.routing.router.matches(signal);
        found.retain(|route| !is_init || is_own(route.target.action()));
        let agent = &*self.transaction.agent();
        let found = found.iter().enumerate();
        found
            .map(|(index, route)| {
                let failed = |error| RunError::new(index, route.target.action(), error);
                let is_lenient = is_init || route.route.lenient;
                routing::instruction(agent, route, signal, is_lenient).map_err(failed)
            })
            .collect()
    }

    fn prepare(&mut self, skill: usize, meta: &mut Arc<CommandMeta>) -> Result<(), Interruption> {
        let signal = signal_of(meta).clone();
        let prepared = self
            .transaction
            .prepare(skill, signal, Some(meta))
            .map_err(|source| hook_failed::<G>(skill, "prepare_signal", source))?;
        Arc::make_mut(meta).signal = Some(prepared);
        Ok(())
    }

    /// Calls `handle_signal` until a skill handles the signal. Returns the instructions that this skill queued, which run like
    /// routed instructions.
    fn handle(
        &mut self,
        hooked: &[usize],
        meta: &Arc<CommandMeta>,
    ) -> Result<Vec<Instruction>, Interruption> {
        let signal = signal_of(meta);
        for skill in hooked {
            let before = self.transaction.directives().len();
            let handled = self
                .transaction
                .handle(*skill, signal, Some(meta))
                .map_err(|source| hook_failed::<G>(*skill, "handle_signal", source))?;
            if handled == Handled::Done {
                return self.take_runs(before);
            }
        }
        let before = self.transaction.directives().len();
        let handled = self.transaction.handle_mounted(signal, Some(meta));
        match handled {
            Ok(Handled::Ignored) => {}
            Ok(Handled::Done) => return self.take_runs(before),
            Err(error) => return Err(Interruption::Failed(error.into())),
        }
        match signal.ty() {
            INIT => Ok(Vec::new()),
            ty => Err(Interruption::Failed(self.unhandled(ty))),
        }
    }

    /// Returns the error for a signal that nothing handles.
    fn unhandled(&mut self, ty: &str) -> SignalError {
        let disabled = process::disabled_for(self.transaction.agent(), ty);
        let mistake = process::mistake_in_signal_type(ty);
        let (suggestion, listed) = self.routing.suggestion::<G>(ty);
        let ty = shorten_type(ty).into_owned();
        match (disabled, mistake) {
            (Some(skill), _) => SignalError::Disabled { ty, skill },
            (None, Some(mistake)) => SignalError::NoType { ty, mistake },
            (None, None) => SignalError::Unhandled {
                ty,
                agent: G::SPEC.name,
                suggestion,
                listed,
            },
        }
    }

    /// Removes the `Run`s after the first `before` directives, and returns their instructions.
    fn take_runs(&mut self, before: usize) -> Result<Vec<Instruction>, Interruption> {
        let directives = self.transaction.directives();
        // Checked before any of them is approved or started.
        if directives.len() > MAX_DIRECTIVES {
            return Err(Interruption::Limit(Limit::Directives));
        }
        let mut runs = Vec::new();
        for directive in directives.split_off(before) {
            match directive {
                Directive::Run(run) => runs.push(run.effect),
                other => directives.push(other),
            }
        }
        Ok(runs)
    }

    /// Runs all instructions or none, in their own transaction. If they fail, the hooks' changes stay for now, because
    /// `transform_result` may turn the error into an answer.
    fn run(
        &mut self,
        instructions: &[Instruction],
        meta: &Arc<CommandMeta>,
    ) -> Result<Result<Value, RunError>, Interruption> {
        let mut ran = self.take_done(instructions)?.into_iter();
        let mut run = Transaction::begin(self.transaction.agent());
        let mut outputs = Vec::with_capacity(instructions.len());
        for (index, instruction) in instructions.iter().enumerate() {
            let result = if process::is_async::<G>(&instruction.action) {
                match ran.next() {
                    Some(result) => {
                        apply(self.settings, &mut run, &instruction.action, result, meta)?
                    }
                    None => unreachable!("one was taken for each"),
                }
            } else {
                let admitted = self.progress.take_admitted(index);
                let call = if self.progress.is_routed {
                    Transaction::call_checked
                } else {
                    Transaction::call_current
                };
                admitted.and_then(|AdmittedAction { at, arguments }| {
                    arguments.with(|input| call(&mut run, at, input, Some(meta)))
                })
            };
            match result {
                Ok(output) => outputs.push(output),
                Err(source) => {
                    return Ok(Err(RunError::new(index, &instruction.action, source)));
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

    /// Takes the results of the instructions' async actions. Returns an interruption for an action that has not run yet.
    fn take_done(
        &mut self,
        instructions: &[Instruction],
    ) -> Result<Vec<Result<AsyncAnswer, CallError>>, Interruption> {
        for (index, instruction) in instructions.iter().enumerate() {
            let has_run = self
                .progress
                .completed
                .iter()
                .any(|completed| completed.index == index);
            if !has_run && process::is_async::<G>(&instruction.action) {
                return Err(Interruption::Start(index, instruction.clone()));
            }
        }
        // The results are in instruction order, because the actions are started in that order.
        Ok(self
            .progress
            .completed
            .drain(..)
            .map(|ran| ran.result)
            .collect())
    }

    fn transform(
        &mut self,
        hooked: &[usize],
        result: Result<Value, RunError>,
        meta: &Arc<CommandMeta>,
    ) -> Result<Value, Interruption> {
        if hooked.is_empty() {
            return result.map_err(|error| Interruption::Failed(error.into()));
        }
        let had_reply = first_reply(self.transaction.directives()).is_some();
        let mut result = result.map_err(HookError::from);
        let mut last = 0;
        for skill in hooked {
            let before = result.as_ref().err().map(error_address);
            result = self
                .transaction
                .transform(*skill, signal_of(meta), result, Some(meta));
            if result.as_ref().err().map(error_address) != before {
                last = *skill;
            }
        }
        let answer = result.map_err(|error| match error.downcast::<RunError>() {
            Ok(error) => Interruption::Failed(error.into()),
            Err(source) => hook_failed::<G>(last, "transform_result", source),
        })?;
        match first_reply(self.transaction.directives()) {
            Some(reply) if !had_reply => Ok(reply.clone()),
            _ => Ok(answer),
        }
    }
}

fn hook_failed<G: Agent>(skill: usize, hook: &'static str, error: HookError) -> Interruption {
    let skill = process::skills::<G>()[skill].name;
    Interruption::Failed(match error.__into_mount_error() {
        Ok(error) => SignalError::Mount { skill, hook, error },
        Err(source) => SignalError::Hook {
            skill,
            hook,
            source,
        },
    })
}

/// Returns the address of an error. The address shows whether a hook passed the error on or replaced it.
fn error_address(error: &HookError) -> *const () {
    std::ptr::from_ref(error.inner()).cast()
}

pub(crate) fn signal_of(meta: &Arc<CommandMeta>) -> &Signal {
    meta.signal
        .as_ref()
        .expect("the metadata of a signal is made with the signal")
}

fn first_reply(directives: &[Directive]) -> Option<&Value> {
    directives.iter().find_map(|directive| match directive {
        Directive::Reply(reply) => Some(reply.signal.data()),
        _ => None,
    })
}
