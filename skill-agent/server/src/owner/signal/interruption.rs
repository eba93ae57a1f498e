//! Reasons to interrupt the processing of a signal.

use crate::error::{ServeError, SignalError};
use crate::guard::ApprovalRequest;
use crate::limits::Limit;
use crate::owner::call::admission::AdmittedAction;
use skill_core::{CallError, Instruction};
use std::borrow::Cow;

/// An instruction that needs approval.
pub(crate) struct AskedInstruction {
    pub(crate) index: usize,
    pub(crate) instruction: Instruction,
    pub(crate) action: AdmittedAction,
    pub(crate) request: ApprovalRequest,
}

/// Why the processing of a signal was interrupted.
pub(crate) enum Interruption {
    Failed(SignalError),
    Panicked(String),
    /// The signal's hooks queued too many directives.
    Limit(Limit),
    Denied(Cow<'static, str>, Cow<'static, str>),
    /// An instruction needs approval. The signal is processed again after the decision.
    Ask(Box<AskedInstruction>),
    /// The async action at this index must run. The signal is processed again after its end.
    Start(usize, Instruction),
    /// The signal is a repetition, and the guard allows it.
    Repeated,
}

/// Returns the error of a failed instruction, or the interruption for a refused one.
pub(crate) fn failed(error: ServeError<CallError>) -> Result<CallError, Interruption> {
    match error {
        ServeError::Action(error) => Ok(error),
        ServeError::Denied { action, reason } => Err(Interruption::Denied(action, reason)),
        ServeError::Panicked { message, .. } => Err(Interruption::Panicked(message)),
        other => unreachable!("an action is not refused with {other}"),
    }
}
