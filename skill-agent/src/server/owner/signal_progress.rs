//! The progress of a signal across repeated processing.

use super::arguments::Arguments;
use crate::server::error::SignalError;
use crate::server::guard::DecidedInstruction;
use serde_json::Value;
use skill_core::process::QueuedEffects;
use skill_core::{CallError, Instruction};

/// An async action that a signal was routed to, and its result.
pub(super) struct CompletedAction {
    pub(super) index: usize,
    pub(super) instruction: Instruction,
    pub(super) result: Result<AsyncAnswer, CallError>,
}

/// An instruction that the guard allowed.
pub(super) struct AllowedInstruction {
    pub(super) instruction: Instruction,
    /// The arguments as the guard saw them, or those of the approver; `None` once the action has run.
    pub(super) arguments: Option<Arguments>,
}

/// The progress of a signal. A signal is processed again after each approval and each async action. Every instruction is
/// approved at most once and started at most once, so processing terminates.
#[derive(Default)]
pub(super) struct SignalProgress {
    /// The number of instructions; `None` before the first pass.
    pub(super) count: Option<usize>,
    /// The instructions that the guard allowed: a prefix of all instructions.
    pub(super) allowed: Vec<AllowedInstruction>,
    /// The instructions that the approver approved, with their indexes.
    pub(super) approved: Vec<(usize, Instruction)>,
    /// The verdicts of approvers on an earlier request with the signal.
    pub(super) decided: Vec<DecidedInstruction>,
    /// The async actions that have run.
    pub(super) completed: Vec<CompletedAction>,
}

impl SignalProgress {
    /// Checks that the signal still leads to the instructions that were approved or have run, because approvals and results do
    /// not apply to other arguments.
    pub(super) fn check_unchanged(&self, instructions: &[Instruction]) -> Result<(), SignalError> {
        let ran = self
            .completed
            .iter()
            .map(|ran| (ran.index, &ran.instruction));
        let approved = self.approved.iter();
        let approved = approved.map(|(index, instruction)| (*index, instruction));
        let count_differs = self.count.is_some_and(|count| count != instructions.len());
        for (index, instruction) in approved.chain(ran) {
            if count_differs || instructions.get(index) != Some(instruction) {
                let action = instruction.action.to_string();
                return Err(SignalError::Changed { action });
            }
        }
        Ok(())
    }

    /// Takes the arguments with which the instruction at an index runs.
    pub(super) fn take_arguments(&mut self, index: usize, instruction: &Instruction) -> Arguments {
        let allowed = self.allowed.get_mut(index);
        let arguments = allowed.and_then(|allowed| allowed.arguments.take());
        arguments.unwrap_or_else(|| Arguments::Value(instruction.params.clone()))
    }
}

/// The output of an async action, and the effects that it queued.
pub(super) struct AsyncAnswer {
    pub(super) output: Value,
    pub(super) queued: QueuedEffects,
}
