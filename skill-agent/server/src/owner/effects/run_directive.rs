//! Executes `Run` directives.

use crate::chain::Chain;
use crate::guard::GuardCheck;
use crate::journal::JournalEntry;
use crate::owner::Owner;
use crate::owner::call::admission::{Admission, AdmittedAction, Refusal};
use crate::owner::call::arguments::Arguments;
use crate::owner::call::reply::Reply;
use crate::panics::catch;
use crate::stats::add;
use skill_agent_store::RecordKind;
use skill_core::process::{self, ResolvedAction, Transaction, full_text};
use skill_core::{Agent, CallError, Caller, Instruction};

impl<G: Agent> Owner<G> {
    /// Runs the instruction of a `Run` directive if the guard allows it.
    pub(crate) fn run_directive(
        &mut self,
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    ) {
        let at = match process::resolve(&self.agent, &instruction.action) {
            Ok(at) => at,
            Err(error) => {
                let message = full_text(&error);
                return self.give_up(&instruction.action, number, message);
            }
        };
        let mut arguments = Arguments::Value(instruction.params.clone());
        let (caller, check) = (&Caller::Agent, GuardCheck::Full);
        let settings = &self.settings;
        let admitted = settings.admit_by_name(&self.agent, caller, at, &mut arguments, check);
        let action = AdmittedAction { at, arguments };
        match admitted {
            Ok(Admission::Allowed) => self.run_admitted(action, instruction, number, chain),
            Ok(Admission::Ask(request)) => {
                self.request_approval(*request, move |owner, verdict| {
                    let replaced = match verdict {
                        Ok(replaced) => replaced,
                        Err(error) => {
                            return owner.give_up(at.spec.name, number, full_text(&error));
                        }
                    };
                    let action = match replaced {
                        None => Ok(action),
                        Some(replaced) => owner.replace(action, &Caller::Agent, replaced),
                    };
                    match action {
                        Ok(action) => owner.run_admitted(action, instruction, number, chain),
                        Err(refusal) => owner.give_up_refused(at, number, refusal),
                    }
                });
            }
            Err(refusal) => self.give_up_refused(at, number, refusal),
        }
    }

    fn give_up_refused(
        &mut self,
        at: ResolvedAction,
        number: Option<u64>,
        refusal: Refusal<CallError>,
    ) {
        let name = at.spec.name;
        self.give_up(name, number, full_text(&refusal.into_error(name)));
    }

    fn run_admitted(
        &mut self,
        action: AdmittedAction,
        instruction: Instruction,
        number: Option<u64>,
        chain: Chain,
    ) {
        let instruction = action.shown(&instruction);
        if action.at.is_async() {
            return self.when_recorded(move |owner, unusable| match unusable {
                None => owner.start_directive(action, instruction, number, chain),
                Some(error) => owner.report_unstored(action.at.spec.name, number, &error),
            });
        }
        let AdmittedAction { at, arguments } = action;
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let result =
            catch(|| arguments.with(|input| transaction.call_current(at, input, Some(&cause))));
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
        let mut entry = JournalEntry::new(RecordKind::Command, id.unwrap_or_default());
        entry.directives = directives;
        (entry.number, entry.chain) = (number, chain);
        entry.instructions = vec![instruction];
        let reply: Reply<(), CallError> = Reply::new(None, at.spec.name, number);
        self.settle(entry, saved, Ok(()), reply);
    }

    /// Marks a failed directive as done and reports the error, once the state that it saw is recorded.
    pub(crate) fn give_up(&mut self, what: &str, number: Option<u64>, message: String) {
        self.report_in_turn(what, number, message, move |owner| owner.done(number));
    }

    /// Counts a failure. Once the state that the command saw is recorded, calls `then` and reports the failure.
    pub(crate) fn report_in_turn(
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
