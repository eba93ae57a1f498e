//! The execution of `Run` directives.

use super::approval::DENIED_BY_APPROVER;
use super::{CompletedCommand, Owner};
use crate::panics::catch;
use crate::server::chain::Chain;
use crate::server::guard::{ApprovalRequest, GuardOutcome};
use crate::server::stats::add;
use crate::store::RecordKind;
use skill_core::process::{self, ResolvedAction, Transaction, full_text};
use skill_core::{Agent, Caller, Instruction};

impl<G: Agent> Owner<G> {
    /// Runs the instruction of a `Run` directive, if the guard allows it.
    pub(super) fn run_directive(
        &mut self,
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    ) {
        let address = match process::resolve(&self.agent, &instruction.action) {
            Ok(address) => address,
            Err(error) => {
                let message = full_text(&error);
                return self.give_up(&instruction.action, number, message);
            }
        };
        let spec = address.spec;
        match self
            .settings
            .guard(&Caller::Agent, false, spec, &|| instruction.params.clone())
        {
            GuardOutcome::Allow => {}
            GuardOutcome::Deny(reason) => {
                let message = format!("`{}` was denied: {reason}", spec.name);
                return self.give_up(spec.name, number, message);
            }
            GuardOutcome::Ask => {
                let request =
                    ApprovalRequest::new(&Caller::Agent, spec, instruction.params.clone());
                return self.request_approval(request, move |owner, is_approved| {
                    if is_approved {
                        owner.run_now(address, instruction, number, chain);
                    } else {
                        let reason = format!("`{}` was denied: {DENIED_BY_APPROVER}", spec.name);
                        owner.give_up(spec.name, number, reason);
                    }
                });
            }
        }
        self.run_now(address, instruction, number, chain);
    }

    fn run_now(
        &mut self,
        at: ResolvedAction,
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    ) {
        if at.is_async() {
            return self.when_recorded(move |owner, unusable| match unusable {
                None => owner.start_directive(at, instruction, number, chain),
                Some(error) => owner.report_unstored(at.spec.name, number, &error),
            });
        }
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let result = catch(|| transaction.run(std::slice::from_ref(&instruction), Some(&cause)));
        let error = match result {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(full_text(&error)),
            Err(message) => Some(format!("`{}` panicked: {message}", instruction.action)),
        };
        if let Some(error) = error {
            drop(transaction);
            return self.give_up(at.spec.name, number, error);
        }
        let (saved, directives) = transaction.commit();
        let id = cause.stamp.as_ref().map(|stamp| stamp.id.clone());
        let mut completed = CompletedCommand::new(RecordKind::Command, id.unwrap_or_default());
        (completed.saved, completed.directives) = (saved, directives);
        (completed.number, completed.chain) = (number, chain);
        completed.instructions = vec![instruction];
        let name = at.spec.name;
        self.finish(completed, move |owner, kept| {
            if let Err(reason) = kept {
                owner.report_not_kept(name, number, reason);
            }
        });
    }

    /// Marks a directive that failed as done, and reports the error, once the state that it failed on is recorded.
    pub(super) fn give_up(&mut self, what: &str, number: Option<u64>, message: String) {
        self.report_in_turn(what, number, message, move |owner| owner.done(number));
    }

    /// Counts a failure, and reports it after `then` once the state that the command saw is recorded.
    pub(super) fn report_in_turn(
        &mut self,
        what: &str,
        number: Option<u64>,
        message: String,
        then: impl FnOnce(&mut Self) + Send + 'static,
    ) {
        add(&self.shared.counters.failed, 1);
        let what = what.to_owned();
        self.answer_in_turn(move |owner, kept| match kept {
            Ok(()) => {
                then(owner);
                owner.report(&message);
            }
            Err(error) => owner.report_unstored(&what, number, &error),
        });
    }
}
