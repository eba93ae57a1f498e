//! Admission of the instructions of a signal, and of those that its async actions queue.

use super::admission::Refusal;
use super::arguments::Arguments;
use super::signal_pipeline::{AskedInstruction, Interruption, SignalPipeline};
use super::signal_progress::{AllowedInstruction, AsyncAnswer};
use crate::server::error::{ServeError, SignalError};
use crate::server::guard::Standing;
use crate::server::settings::Settings;
use serde_json::Value;
use skill_core::process::{self, CallFailure, CommandMeta, Transaction};
use skill_core::{Agent, CallError, Instruction, RunError};
use std::sync::Arc;

impl<G: Agent> SignalPipeline<'_, G> {
    /// Asks the guard about the instructions that it has not allowed yet.
    pub(super) fn guard(&mut self, instructions: &[Instruction]) -> Result<(), Interruption> {
        for (at, instruction) in instructions.iter().enumerate() {
            let allowed = self.progress.allowed.get(at);
            if allowed.is_some_and(|allowed| allowed.instruction == *instruction) {
                continue;
            }
            self.progress.allowed.truncate(at);
            let arguments = self.admit(at, instruction)?;
            self.progress.allowed.push(AllowedInstruction {
                instruction: instruction.clone(),
                arguments: Some(arguments),
            });
        }
        Ok(())
    }

    /// Asks the guard about an instruction. Returns the arguments with which it runs.
    fn admit(
        &mut self,
        index: usize,
        instruction: &Instruction,
    ) -> Result<Arguments, Interruption> {
        let mut arguments = Arguments::Value(instruction.params.clone());
        let agent = &*self.transaction.agent();
        // `run` reports an unknown action.
        let Ok(at) = process::resolve(agent, &instruction.action) else {
            return Ok(arguments);
        };
        let (settings, caller) = (self.settings, &self.caller);
        let admitted =
            settings.admit_by_name(agent, caller, at, &mut arguments, Standing::Unchecked);
        let request = match admitted {
            Err(Refusal::Ask(request)) => request,
            admitted => {
                return admitted
                    .map(|()| arguments)
                    .map_err(|refusal| refused(index, at.spec.name, refusal));
            }
        };
        // A recorded answer needs no second approval.
        if self.is_repeated {
            return Ok(arguments);
        }
        let mut decided = self.progress.decided.iter();
        let Some(decided) = decided.find(|decided| decided.index == index) else {
            return Err(Interruption::Ask(Box::new(AskedInstruction {
                index,
                instruction: instruction.clone(),
                arguments,
                request: *request,
            })));
        };
        if decided.seen != request.arguments {
            let action = at.spec.name.to_owned();
            return Err(Interruption::Failed(SignalError::Changed { action }));
        }
        if let Some(replaced) = &decided.replaced {
            arguments = Arguments::Value(replaced.clone());
            let standing = Standing::Approved;
            settings
                .admit_by_name(agent, caller, at, &mut arguments, standing)
                .map_err(|refusal| refused(index, at.spec.name, refusal))?;
        }
        Ok(arguments)
    }
}

/// Applies the result of an async action: runs its `then`s, queues its directives.
pub(super) fn apply<G: Agent>(
    settings: &Settings<G>,
    run: &mut Transaction<'_, G>,
    action: &str,
    result: Result<AsyncAnswer, CallError>,
    meta: &Arc<CommandMeta>,
) -> Result<Result<Value, CallError>, Interruption> {
    let mut answer = match result {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(error)),
    };
    let (then, mounts) = (answer.queued.take_then(), answer.queued.take_mounts());
    run.directives().extend(answer.queued.directives);
    for instruction in &then {
        let admitted = settings.admit_then(run.agent(), instruction);
        let arguments = admitted.map_err(|(action, refusal)| refused(0, action, refusal))?;
        let ran = arguments.with(|input| run.step(&instruction.action, input, Some(meta)));
        if let Err(error) = ran {
            return Ok(Err(error));
        }
    }
    let mounted = run.mount_queued(mounts);
    Ok(mounted.map(|()| answer.output).or_else(|error| {
        let at = process::resolve(run.agent(), action)?;
        Err(CallFailure::Mount(error).with_action(at.spec.name))
    }))
}

/// Why a signal is not processed after an instruction was refused, which is not one that the approver is asked about.
fn refused(index: usize, action: &'static str, refusal: Refusal<CallError>) -> Interruption {
    match refusal {
        Refusal::Denied(reason) => Interruption::Denied(action, reason),
        Refusal::Failed(ServeError::Action(error)) => {
            Interruption::Failed(RunError::new(index, action, error).into())
        }
        Refusal::Failed(ServeError::Panicked { message }) => Interruption::Panicked(message),
        Refusal::Ask(_) | Refusal::Failed(_) => {
            Interruption::Denied(action, "the approver cannot be asked about it".into())
        }
    }
}
