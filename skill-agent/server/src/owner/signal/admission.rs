//! Admission of a signal's instructions, including those that its async actions queue.

use crate::error::ServeError;
use crate::guard::GuardCheck;
use crate::owner::call::admission::{Admission, AdmittedAction, Refusal, check_condition};
use crate::owner::call::arguments::Arguments;
use crate::owner::signal::interruption::{AskedInstruction, Interruption, failed};
use crate::owner::signal::pipeline::SignalPipeline;
use crate::owner::signal::progress::{AllowedInstruction, changed};
use serde_json::Value;
use skill_core::process::{self, ResolvedAction};
use skill_core::{Agent, CallError, Instruction, RunError};

impl<G: Agent> SignalPipeline<'_, G> {
    /// Asks the guard about the instructions that it has not yet allowed. Returns an error if the first action's condition refuses the
    /// signal before anything has run or was approved.
    pub(crate) fn guard(
        &mut self,
        instructions: &[Instruction],
    ) -> Result<Option<RunError>, Interruption> {
        for (index, instruction) in instructions.iter().enumerate() {
            let allowed = self.progress.allowed.get(index);
            if allowed.is_some_and(|allowed| allowed.instruction == *instruction) {
                continue;
            }
            self.progress.allowed.truncate(index);
            let admitted = self.admit(index, instruction)?;
            let admitted = match admitted {
                Err(refused @ CallError::NotNow { .. })
                    if index == 0 && self.progress.is_untouched() =>
                {
                    return Ok(Some(RunError::new(index, &instruction.action, refused)));
                }
                admitted => admitted,
            };
            let allowed = AllowedInstruction::new(instruction.clone(), admitted);
            self.progress.allowed.push(allowed);
        }
        Ok(None)
    }

    /// Asks the guard about an instruction. Returns the action as it will run, or the error with which it will fail.
    fn admit(
        &mut self,
        index: usize,
        instruction: &Instruction,
    ) -> Result<Result<AdmittedAction, CallError>, Interruption> {
        let agent = &*self.transaction.agent();
        let at = match process::resolve(agent, &instruction.action) {
            Ok(at) => at,
            Err(error) => return Ok(Err(error)),
        };
        // The condition of a later pure action is about the state that the earlier ones leave behind. Async actions start before all
        // others. A repeated signal runs nothing.
        if (index == 0 || at.is_async())
            && self.progress.is_routed
            && !self.is_repeated
            && let Err(error) = check_condition(agent, at)
        {
            return failed(error).map(Err);
        }
        let mut arguments = Arguments::Value(instruction.params.clone());
        let (settings, caller) = (self.settings, &self.caller);
        let admitted = match self.progress.decision(index) {
            None => {
                let check = GuardCheck::Full;
                settings.admit_by_name(agent, caller, at, &mut arguments, check)
            }
            Some(decided) => match seen(agent, at, &mut arguments) {
                Ok(seen) if seen == decided.seen => {
                    self.admit_decided(at, &mut arguments, decided.replaced.clone())
                }
                Ok(_) => return Err(Interruption::Failed(changed(instruction))),
                Err(error) => Err(Refusal::Failed(error)),
            },
        };
        let action = at.spec.name;
        match admitted {
            // A recorded answer needs no second approval.
            Ok(Admission::Ask(request)) if !self.is_repeated => {
                Err(Interruption::Ask(Box::new(AskedInstruction {
                    index,
                    instruction: instruction.clone(),
                    action: AdmittedAction { at, arguments },
                    request: *request,
                })))
            }
            Ok(_) => Ok(Ok(AdmittedAction { at, arguments })),
            Err(refusal) => failed(refusal.into_error(action)).map(Err),
        }
    }

    /// Admits an action that the approver approved, perhaps with other arguments. The guard may still deny it.
    fn admit_decided(
        &mut self,
        at: ResolvedAction,
        arguments: &mut Arguments,
        replaced: Option<Value>,
    ) -> Result<Admission, Refusal<CallError>> {
        let (agent, caller) = (&*self.transaction.agent(), &self.caller);
        match replaced {
            Some(replaced) => {
                *arguments = self.settings.admit_replaced(agent, caller, at, replaced)?;
                Ok(Admission::Allowed)
            }
            None => {
                let check = GuardCheck::DenyOnly;
                self.settings
                    .admit_by_name(agent, caller, at, arguments, check)
            }
        }
    }
}

/// Returns an action's arguments as an approver saw them.
fn seen<G: Agent>(
    agent: &G,
    at: ResolvedAction,
    arguments: &mut Arguments,
) -> Result<Value, ServeError<CallError>> {
    arguments.read(agent, at)?;
    Ok(arguments.to_value())
}
