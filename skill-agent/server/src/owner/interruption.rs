//! Interruptions of a signal in processing.

use super::admission::AdmittedAction;
use crate::error::{ServeError, SignalError};
use crate::guard::ApprovalRequest;
use crate::limits::Limit;
use skill_core::{CallError, Instruction};
use std::borrow::Cow;

/// An instruction that needs approval.
pub(super) struct AskedInstruction {
    pub(super) index: usize,
    pub(super) instruction: Instruction,
    pub(super) action: AdmittedAction,
    pub(super) request: ApprovalRequest,
}

/// Why the processing of a signal was interrupted.
pub(super) enum Interruption {
    Failed(SignalError),
    Panicked(String),
    /// A hook queued too many instructions.
    Limit(Limit),
    Denied(Cow<'static, str>, Cow<'static, str>),
    /// An instruction needs approval first. The signal is then processed again.
    Ask(Box<AskedInstruction>),
    /// The async action at this index must run first. The signal is then processed again.
    Start(usize, Instruction),
    /// The signal is a repetition, and the guard allows it.
    Repeated,
}

/// Returns the error of a failed instruction, or the interruption for a refused one.
pub(super) fn failed(error: ServeError<CallError>) -> Result<CallError, Interruption> {
    match error {
        ServeError::Action(error) => Ok(error),
        ServeError::Denied { action, reason } => Err(Interruption::Denied(action, reason)),
        ServeError::Panicked { message } => Err(Interruption::Panicked(message)),
        other => unreachable!("an action is not refused with {other}"),
    }
}
