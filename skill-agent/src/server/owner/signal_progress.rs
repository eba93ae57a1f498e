//! The progress of a signal that is processed several times.

use super::signal_pipeline::Interruption;
use crate::server::error::SignalError;
use serde_json::Value;
use skill_core::process::QueuedEffects;
use skill_core::{CallError, Instruction};

/// An async action that a signal was routed to, and its result.
pub(super) struct CompletedAction {
    pub(super) at: usize,
    pub(super) instruction: Instruction,
    pub(super) result: Result<AsyncAnswer, CallError>,
}

/// The progress of a signal. A signal is processed again after each approval and each async action; every instruction is
/// approved once and started once, so this ends.
#[derive(Default)]
pub(super) struct SignalProgress {
    /// How many instructions it leads to; `None` before the first time.
    pub(super) count: Option<usize>,
    /// The instructions that the guard allowed, from the first one on.
    pub(super) allowed: Vec<Instruction>,
    /// The instructions that the approver approved, with their indexes.
    pub(super) approved: Vec<(usize, Instruction)>,
    /// The async actions that have run.
    pub(super) completed: Vec<CompletedAction>,
}

impl SignalProgress {
    /// Checks that the signal still leads to what was approved and what has run: approvals and results do not apply to other
    /// arguments.
    pub(super) fn fits(&self, instructions: &[Instruction]) -> Result<(), Interruption> {
        let ran = self.completed.iter().map(|ran| (ran.at, &ran.instruction));
        let approved = self.approved.iter().map(|(at, yes)| (*at, yes));
        let is_other = self.count.is_some_and(|count| count != instructions.len());
        for (at, instruction) in approved.chain(ran) {
            if is_other || instructions.get(at) != Some(instruction) {
                let action = instruction.action.to_string();
                return Err(Interruption::Failed(SignalError::Changed { action }));
            }
        }
        Ok(())
    }

    pub(super) fn is_approved(&self, instruction: &Instruction) -> bool {
        self.approved.iter().any(|(_, yes)| yes == instruction)
    }
}

/// The output of an async action, and what it queued.
pub(super) struct AsyncAnswer {
    pub(super) output: Value,
    pub(super) queued: QueuedEffects,
}
