//! What a signal keeps from one way through the agent to the next.

use super::way::Trouble;
use crate::server::SignalError;
use serde_json::Value;
use skill_core::process::QueuedEffects;
use skill_core::{CallError, Instruction};

/// An async action that a signal was routed to, and how it ended.
pub(super) struct Ran {
    pub(super) at: usize,
    pub(super) instruction: Instruction,
    pub(super) result: Result<JobAnswer, CallError>,
}

/// What came of a signal before: it goes its way again when a person was asked, and when an async action has run. Each of its
/// instructions is asked about once and started once, so that this comes to an end.
#[derive(Default)]
pub(super) struct Before {
    /// How many instructions it leads to; nothing on the first way.
    pub(super) count: Option<usize>,
    /// Those that the guard has let through, from the first on.
    pub(super) allowed: Vec<Instruction>,
    /// Those that a person has said yes to, each with its place.
    pub(super) approved: Vec<(usize, Instruction)>,
    /// The async actions that have run.
    pub(super) ran: Vec<Ran>,
}

impl Before {
    /// What was approved and what has run is still there: a yes and a result are worth nothing for other arguments.
    pub(super) fn fits(&self, instructions: &[Instruction]) -> Result<(), Trouble> {
        let ran = self.ran.iter().map(|ran| (ran.at, &ran.instruction));
        let approved = self.approved.iter().map(|(at, yes)| (*at, yes));
        let is_other = self.count.is_some_and(|count| count != instructions.len());
        for (at, instruction) in approved.chain(ran) {
            if is_other || instructions.get(at) != Some(instruction) {
                let action = instruction.action.to_string();
                return Err(Trouble::Failed(SignalError::Changed { action }));
            }
        }
        Ok(())
    }

    pub(super) fn is_approved(&self, instruction: &Instruction) -> bool {
        self.approved.iter().any(|(_, yes)| yes == instruction)
    }
}

/// What an async action left behind.
pub(super) struct JobAnswer {
    pub(super) output: Value,
    pub(super) queued: QueuedEffects,
}
