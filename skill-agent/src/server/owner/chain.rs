//! Commands that follow from commands: what a `Run` directive asks for.

use super::call::REFUSED;
use super::{Finished, Owner};
use crate::server::guard::{Caller, Pass, Question};
use crate::server::panics::catch;
use crate::server::stats::add;
use crate::server::{MAX_HOPS, ServeError};
use crate::store::RecordKind;
use skill_core::process::{self, ResolvedAction, Transaction};
use skill_core::{Agent, Directive, Instruction};

impl<G: Agent> Owner<G> {
    /// Runs what a `Run` directive asks for.
    pub(super) fn run_directive(
        &mut self,
        instruction: Instruction,
        number: Option<u64>,
        hops: u32,
    ) {
        let address = match process::resolve(&self.agent, &instruction.action) {
            Ok(address) => address,
            Err(error) => return self.give_up(number, &error.to_string()),
        };
        let spec = address.spec;
        match self
            .settings
            .guard(Caller::Agent, false, spec, &|| instruction.params.clone())
        {
            Pass::Go => {}
            Pass::No(reason) => {
                return self.give_up(number, &format!("`{}` was denied: {reason}", spec.name));
            }
            Pass::Ask => {
                let question = Question::new(Caller::Agent, spec, instruction.params.clone());
                return self.ask(question, move |owner, yes| match yes {
                    true => owner.run_now(address, instruction, number, hops),
                    false => {
                        let reason = format!("`{}` was denied: {REFUSED}", spec.name);
                        owner.give_up(number, &reason);
                    }
                });
            }
        }
        self.run_now(address, instruction, number, hops);
    }

    fn run_now(
        &mut self,
        at: ResolvedAction,
        instruction: Instruction,
        number: Option<u64>,
        hops: u32,
    ) {
        if at.is_async() {
            return self.start_directive(at, instruction, number, hops);
        }
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        let result = catch(|| transaction.run(std::slice::from_ref(&instruction), Some(&cause)));
        let error = match result {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(message) => Some(format!("`{}` panicked: {message}", instruction.action)),
        };
        if let Some(error) = error {
            drop(transaction);
            return self.give_up(number, &error);
        }
        let (saved, directives) = transaction.commit();
        if self.is_too_far(&directives, hops) {
            process::undo(&mut self.agent, saved);
            return self.give_up(number, &too_many_hops::<String>().to_string());
        }
        let id = cause.stamp.as_ref().map(|stamp| stamp.id.clone());
        let mut finished = Finished::new(RecordKind::Command, id.unwrap_or_default());
        (finished.saved, finished.directives) = (saved, directives);
        (finished.number, finished.hops) = (number, hops);
        finished.instructions = vec![instruction];
        let name = at.spec.name;
        self.finish(finished, move |owner, kept| {
            if let Err(error) = kept {
                owner.report_unstored(name, number, &error);
            }
        });
    }

    /// A directive failed: it is done, and reported.
    pub(super) fn give_up(&mut self, number: Option<u64>, message: &str) {
        add(&self.shared.counters.failed, 1);
        self.done(number);
        self.report(message);
    }

    /// Whether a command so far from its first cause wishes for another.
    pub(super) fn is_too_far(&self, directives: &[Directive], hops: u32) -> bool {
        let leads_on = |directive: &Directive| match directive {
            Directive::Run(_) => true,
            Directive::Emit(signal) => self.comes_back(signal.ty()),
            _ => false,
        };
        hops >= MAX_HOPS && directives.iter().any(leads_on)
    }
}

/// A chain of commands was cut.
pub(super) fn too_many_hops<E>() -> ServeError<E> {
    ServeError::TooManyHops { max: MAX_HOPS }
}
