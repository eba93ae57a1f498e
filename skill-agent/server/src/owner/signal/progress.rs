//! The progress of a signal across repeated processing.

use crate::error::SignalError;
use crate::guard::DecidedInstruction;
use crate::owner::call::admission::AdmittedAction;
use serde_json::Value;
use skill_core::process::QueuedEffects;
use skill_core::{CallError, Instruction};

/// An async action that a signal was routed to, and its result.
pub(crate) struct CompletedAction {
    pub(crate) index: usize,
    pub(crate) instruction: Instruction,
    pub(crate) result: Result<AsyncAnswer, CallError>,
}

/// An instruction that the guard allowed, or that fails before the guard is asked.
pub(crate) struct AllowedInstruction {
    pub(crate) instruction: Instruction,
    /// The action, or the error for an unknown action or wrong arguments. The error is reported when the instruction runs. `None`
    /// after the instruction has run.
    pub(crate) admitted: Option<Result<AdmittedAction, CallError>>,
    /// The instruction with its final arguments, for people who read the log.
    shown: Instruction,
}

impl AllowedInstruction {
    pub(crate) fn new(
        instruction: Instruction,
        admitted: Result<AdmittedAction, CallError>,
    ) -> Self {
        let shown = match &admitted {
            Ok(action) => action.shown(&instruction),
            Err(_) => instruction.clone(),
        };
        Self {
            instruction,
            admitted: Some(admitted),
            shown,
        }
    }
}

/// A signal's progress. A signal is processed again after each approval and each async action, but processing terminates, because
/// every instruction is approved at most once and started at most once.
#[derive(Default)]
pub(crate) struct SignalProgress {
    /// The number of instructions, `None` before the first pass.
    pub(crate) count: Option<usize>,
    /// Whether routes chose the instructions. Conditions are checked only then, because a hook queues its own instructions.
    pub(crate) is_routed: bool,
    /// The instructions that the guard allowed, a prefix of all instructions.
    pub(crate) allowed: Vec<AllowedInstruction>,
    /// The instructions that the approver approved.
    pub(crate) decided: Vec<DecidedInstruction>,
    /// The async actions that have run.
    pub(crate) completed: Vec<CompletedAction>,
}

impl SignalProgress {
    /// Checks that the signal still leads to the instructions that were approved or have run. Approvals and results do not apply
    /// to other arguments.
    pub(crate) fn check_unchanged(&self, instructions: &[Instruction]) -> Result<(), SignalError> {
        let ran = self.completed.iter();
        let ran = ran.map(|ran| (ran.index, &ran.instruction));
        let decided = self.decided.iter();
        let decided = decided.map(|decided| (decided.index, &decided.instruction));
        let count_differs = self.count.is_some_and(|count| count != instructions.len());
        for (index, instruction) in decided.chain(ran) {
            if count_differs || instructions.get(index) != Some(instruction) {
                return Err(changed(instruction));
            }
        }
        Ok(())
    }

    /// Returns whether nothing was approved and no async action has run.
    pub(crate) fn is_untouched(&self) -> bool {
        self.decided.is_empty() && self.completed.is_empty()
    }

    /// Returns the approver's decision on the instruction at `index`.
    pub(crate) fn decision(&self, index: usize) -> Option<&DecidedInstruction> {
        self.decided.iter().find(|decided| decided.index == index)
    }

    /// Returns the instructions with their final arguments, for people who read the log.
    pub(crate) fn shown(&self) -> Vec<Instruction> {
        let shown = self.allowed.iter().map(|allowed| allowed.shown.clone());
        shown.collect()
    }

    /// Takes the action of the instruction at `index`.
    pub(crate) fn take_admitted(&mut self, index: usize) -> Result<AdmittedAction, CallError> {
        let allowed = self.allowed.get_mut(index);
        let admitted = allowed.and_then(|allowed| allowed.admitted.take());
        admitted.expect("every instruction is admitted, and runs once")
    }
}

/// Returns the error for a signal that no longer leads to an instruction.
pub(crate) fn changed(instruction: &Instruction) -> SignalError {
    SignalError::Changed {
        action: instruction.action.to_string(),
    }
}

/// An async action's output and queued effects.
pub(crate) struct AsyncAnswer {
    pub(crate) output: Value,
    pub(crate) queued: QueuedEffects,
}
