//! Approval of a signal's instructions.

use crate::error::{ServeError, SignalError};
use crate::guard::{ApprovalRequest, DecidedInstruction, PendingSignal, Ruling, Verdict};
use crate::owner::Owner;
use crate::owner::approval::NO_CALLER;
use crate::owner::call::admission::{AdmittedAction, Refusal};
use crate::owner::signal::incoming::Incoming;
use crate::owner::signal::interruption::AskedInstruction;
use crate::owner::signal::pipeline::INIT;
use crate::owner::signal::progress::AllowedInstruction;
use serde_json::Value;
use skill_core::process;
use skill_core::{Agent, CallError, Caller, RunError};

/// The reason for a denial if the approver defers a decision after an async action of the signal has run.
const HAS_RUN: &str = "the decision was deferred, but a part of the signal has already run";

impl<G: Agent> Owner<G> {
    /// Asks the approver about an instruction of a signal, and then processes the signal again.
    pub(crate) fn ask_first(&mut self, asked: AskedInstruction, mut incoming: Incoming) {
        let AskedInstruction {
            index,
            instruction,
            action,
            mut request,
        } = asked;
        self.begin_key(incoming.key.as_deref());
        request.command.key = incoming.key.clone().map(|key| (key, String::new()));
        request.command.signal = Some(Box::new(PendingSignal {
            signal: incoming.signal.clone(),
            count: incoming.progress.count,
            index,
            instruction: instruction.clone(),
            decided: incoming.progress.decided.clone(),
        }));
        let responder = incoming.responder.take();
        let then =
            move |owner: &mut Self, responder, mut request: ApprovalRequest, verdict: Verdict| {
                owner.end_key(incoming.key.as_deref());
                incoming.responder = responder;
                let replaced = match Ruling::from(verdict) {
                    Ruling::Run(replaced) => replaced,
                    Ruling::Reject(rejection) => {
                        let error = ServeError::rejected(rejection, request.tool.name);
                        return owner.refuse(incoming, error);
                    }
                    Ruling::Defer { caller_decides } => {
                        request.caller_decides = caller_decides;
                        return owner.defer_signal(incoming, request);
                    }
                };
                let action = match replaced.clone() {
                    None => action,
                    Some(replaced) => match owner.replace(action, &incoming.caller, replaced) {
                        Ok(action) => action,
                        Err(refusal) => {
                            let name = request.tool.name;
                            let error = refusal
                                .into_error(name.clone())
                                .map(|error| SignalError::from(RunError::new(index, &name, error)));
                            return owner.refuse(incoming, error);
                        }
                    },
                };
                let progress = &mut incoming.progress;
                let allowed = AllowedInstruction::new(instruction.clone(), Ok(action));
                progress.allowed.push(allowed);
                progress.decided.push(DecidedInstruction {
                    index,
                    instruction,
                    seen: request.arguments,
                    replaced,
                });
                owner.go_on(incoming);
            };
        self.request_approval_for(request, responder, then);
    }

    /// Replaces an action's arguments with the approver's, and asks the guard about them.
    pub(crate) fn replace(
        &self,
        action: AdmittedAction,
        caller: &Caller,
        arguments: Value,
    ) -> Result<AdmittedAction, Refusal<CallError>> {
        let at = action.at;
        process::check_current(&self.agent, at)
            .map_err(|error| Refusal::Failed(ServeError::Action(error)))?;
        let arguments = self
            .settings
            .admit_replaced(&self.agent, caller, at, arguments)?;
        Ok(AdmittedAction { at, arguments })
    }

    /// Ends a signal whose decision is deferred, if its caller waits for the request.
    fn defer_signal(&mut self, mut incoming: Incoming, request: ApprovalRequest) {
        let reason = match incoming.responder.take() {
            Some(responder) if incoming.ty != INIT && incoming.progress.completed.is_empty() => {
                return self.defer(request, responder);
            }
            Some(responder) if incoming.ty != INIT => {
                incoming.responder = Some(responder);
                HAS_RUN
            }
            responder => {
                incoming.responder = responder;
                NO_CALLER
            }
        };
        let (action, reason) = (request.tool.name.into(), reason.into());
        self.refuse(incoming, ServeError::Denied { action, reason });
    }
}
