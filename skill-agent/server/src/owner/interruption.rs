//! The interruption of a signal that is being processed.

use super::admission::AdmittedAction;
use crate::error::{ServeError, SignalError};
use crate::guard::ApprovalRequest;
use crate::limits::Limit;
use skill_core::{CallError, Instruction};
use std::borrow::Cow;

/// An instruction that has to be approved.
pub(super) struct AskedInstruction {
    pub(super) index: usize,
    pub(super) instruction: Instruction,
    pub(super) action: AdmittedAction,
    pub(super) request: ApprovalRequest,
}

/// Why a signal was not processed to its end.
pub(super) enum Interruption {
    Failed(SignalError),
    Panicked(String),
    /// A hook queued too many instructions to run.
    Limit(Limit),
    Denied(Cow<'static, str>, Cow<'static, str>),
    /// An instruction has to be approved first; then the signal is processed again.
    Ask(Box<AskedInstruction>),
    /// The async action at an index has to run first; then the signal is processed again.
    Start(usize, Instruction),
    /// The signal is a repeated one, and the guard allows it.
    Repeated,
}

/// The error with which an instruction fails, or the interruption of a refused one.
pub(super) fn failed(error: ServeError<CallError>) -> Result<CallError, Interruption> {
    match error {
        ServeError::Action(error) => Ok(error),
        ServeError::Denied { action, reason } => Err(Interruption::Denied(action, reason)),
        ServeError::Panicked { message } => Err(Interruption::Panicked(message)),
        other => unreachable!("an action is not refused with {other}"),
    }
}
