//! Approval of the instructions of signals.

use super::Owner;
use super::admission::Refusal;
use super::approval::NOBODY_WAITS;
use super::arguments::Arguments;
use super::signal::Incoming;
use super::signal_pipeline::AskedInstruction;
use super::signal_progress::AllowedInstruction;
use crate::server::error::{ServeError, SignalError};
use crate::server::guard::{ApprovalRequest, DecidedInstruction, PendingSignal, Standing, Verdict};
use skill_core::process::{self, full_text};
use skill_core::{Agent, Caller, Instruction, RunError};

impl<G: Agent> Owner<G> {
    /// Asks the approver about an instruction of a signal; then the signal is processed again.
    pub(super) fn ask_first(&mut self, asked: AskedInstruction, mut incoming: Incoming) {
        let AskedInstruction {
            index,
            instruction,
            arguments,
            mut request,
        } = asked;
        self.begin_key(incoming.key.as_deref());
        request.command.signal = Some(Box::new(PendingSignal {
            signal: incoming.signal.clone(),
            index,
            decided: incoming.progress.decided.clone(),
        }));
        let responder = incoming.responder.take();
        let then = move |owner: &mut Self, responder, request: ApprovalRequest, verdict| {
            owner.end_key(incoming.key.as_deref());
            incoming.responder = responder;
            let (mut arguments, mut replaced) = (arguments, None);
            match verdict {
                Verdict::Approve => {}
                Verdict::ApproveWith(other) => {
                    arguments = Arguments::Value(other.clone());
                    replaced = Some(other);
                    let admitted =
                        owner.admit_replaced(&instruction, &incoming.caller, &mut arguments);
                    if let Err(error) = admitted {
                        return owner.refuse(incoming, error);
                    }
                }
                verdict => return owner.refuse_signal(incoming, request, verdict),
            }
            let progress = &mut incoming.progress;
            progress.decided.push(DecidedInstruction {
                index,
                seen: request.arguments,
                replaced,
            });
            progress.allowed.push(AllowedInstruction {
                instruction: instruction.clone(),
                arguments: Some(arguments),
            });
            progress.approved.push((index, instruction));
            owner.go_on(incoming);
        };
        self.request_approval_for(request, responder, then);
    }

    /// Asks the guard about the arguments that the approver gave to an instruction of a signal.
    fn admit_replaced(
        &self,
        instruction: &Instruction,
        caller: &Caller,
        arguments: &mut Arguments,
    ) -> Result<(), ServeError<SignalError>> {
        let failed =
            |error| ServeError::Action(RunError::new(0, &instruction.action, error).into());
        let at = process::resolve(&self.agent, &instruction.action).map_err(failed)?;
        let standing = Standing::Approved;
        self.settings
            .admit_by_name(&self.agent, caller, at, arguments, standing)
            .map_err(|refusal| match refusal {
                Refusal::Failed(error) => {
                    let error = full_text(&error);
                    let reason = format!("the arguments of the approver are wrong: {error}").into();
                    self.denied(at.spec.name, reason)
                }
                Refusal::Denied(reason) => self.denied(at.spec.name, reason),
                Refusal::Ask(_) => unreachable!("an approved action is denied or allowed"),
            })
    }

    /// Refuses a signal one of whose instructions is not approved, or puts the decision off.
    fn refuse_signal(
        &mut self,
        mut incoming: Incoming,
        request: ApprovalRequest,
        verdict: Verdict,
    ) {
        let action = request.tool.name.clone().into();
        let error = match verdict {
            Verdict::Abort(reason) => ServeError::Aborted { action, reason },
            Verdict::Later => match incoming.responder.take() {
                Some(responder) => return self.put_off(request, responder),
                None => {
                    let reason = NOBODY_WAITS.into();
                    ServeError::Denied { action, reason }
                }
            },
            Verdict::Deny(reason) => ServeError::Denied { action, reason },
            Verdict::Approve | Verdict::ApproveWith(_) => {
                unreachable!("a signal that is approved goes on")
            }
        };
        self.refuse(incoming, error);
    }
}
