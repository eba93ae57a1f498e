//! The execution of `Run` directives.

use super::admission::Refusal;
use super::arguments::Arguments;
use super::{CompletedCommand, Owner};
use crate::panics::catch;
use crate::server::chain::Chain;
use crate::server::guard::Standing;
use crate::server::stats::add;
use crate::store::RecordKind;
use serde_json::Value;
use skill_core::process::{self, ResolvedAction, Transaction, full_text};
use skill_core::{Agent, CallError, Caller, Instruction};
use std::borrow::Cow;

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
        let mut arguments = Arguments::Value(instruction.params.clone());
        let admitted = self.settings.admit_by_name(
            &self.agent,
            &Caller::Agent,
            address,
            &mut arguments,
            Standing::Unchecked,
        );
        match admitted {
            Ok(()) => self.run_now(address, instruction, arguments, number, chain),
            Err(Refusal::Ask(request)) => {
                self.request_approval(*request, move |owner, verdict| {
                    owner.run_decided(address, instruction, arguments, number, chain, verdict);
                });
            }
            Err(refusal) => self.give_up_refused(address, number, refusal),
        }
    }

    /// Runs an instruction, or gives it up, by the verdict of the approver.
    fn run_decided(
        &mut self,
        at: ResolvedAction,
        instruction: Instruction,
        mut arguments: Arguments,
        number: Option<u64>,
        chain: Chain,
        verdict: Result<Option<Value>, Cow<'static, str>>,
    ) {
        let replaced = match verdict {
            Ok(replaced) => replaced,
            Err(reason) => return self.give_up_refused(at, number, Refusal::Denied(reason)),
        };
        if let Some(replaced) = replaced {
            arguments = Arguments::Value(replaced);
            let (caller, standing) = (&Caller::Agent, Standing::Approved);
            let settings = &self.settings;
            let admitted =
                settings.admit_by_name(&self.agent, caller, at, &mut arguments, standing);
            if let Err(refusal) = admitted {
                return self.give_up_refused(at, number, refusal);
            }
        }
        self.run_now(at, instruction, arguments, number, chain);
    }

    fn give_up_refused(
        &mut self,
        at: ResolvedAction,
        number: Option<u64>,
        refusal: Refusal<CallError>,
    ) {
        let name = at.spec.name;
        let message = match refusal {
            Refusal::Failed(error) => full_text(&error),
            Refusal::Denied(reason) => format!("`{name}` was denied: {reason}"),
            Refusal::Ask(_) => unreachable!("an approved action is denied or allowed"),
        };
        self.give_up(name, number, message);
    }

    fn run_now(
        &mut self,
        at: ResolvedAction,
        instruction: Instruction,
        arguments: Arguments,
        number: Option<u64>,
        chain: Chain,
    ) {
        if at.is_async() {
            return self.when_recorded(move |owner, unusable| match unusable {
                None => owner.start_directive(at, instruction, arguments, number, chain),
                Some(error) => owner.report_unstored(at.spec.name, number, &error),
            });
        }
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let result = catch(|| {
            arguments.with(|input| transaction.step(&instruction.action, input, Some(&cause)))
        });
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
