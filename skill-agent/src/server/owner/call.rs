//! Commands of callers: typed, by name, and changes of the state as such.

use super::{Finished, Owner};
use crate::server::ask::Asked;
use crate::server::guard::{Caller, Pass, Question};
use crate::server::panics::catch;
use crate::server::stats::add;
use crate::server::{CallJsonError, ServeError};
use crate::store::{Keyed, RecordKind};
use serde_json::Value;
use skill_core::process::{self, Performed, ResolvedAction, Transaction};
use skill_core::{Action, Agent, CallError, Instruction, SkillOf};
use std::borrow::Cow;

/// A typed command.
pub(crate) struct Command<A: Action> {
    pub(crate) action: A,
    pub(crate) caller: Caller,
    /// Whether a person has said yes already.
    pub(crate) is_approved: bool,
    /// Few have one, and all are moved several times.
    pub(crate) key: Option<Box<Key<A::Output>>>,
}

/// How the answer of a command that must not be applied twice is kept.
pub(crate) struct Key<T> {
    pub(crate) key: String,
    pub(crate) write: fn(&T) -> Result<Vec<u8>, String>,
    pub(crate) read: fn(&[u8]) -> Result<T, String>,
}

/// A command by name.
pub(crate) struct Named {
    pub(crate) action: String,
    pub(crate) arguments: String,
    pub(crate) caller: Caller,
    pub(crate) is_approved: bool,
}

impl<G: Agent> Owner<G> {
    /// Asks a person; the server goes on meanwhile.
    pub(super) fn ask(
        &mut self,
        question: Question,
        then: impl FnOnce(&mut Self, bool) + Send + 'static,
    ) {
        let nobody: Option<Asked<(), CallError>> = None;
        self.ask_for(question, nobody, |owner, _, yes| then(owner, yes));
    }

    /// The same for somebody; the question is taken back, which is a no, when they do not wait any more.
    pub(super) fn ask_for<T: Send + 'static, E: Send + 'static>(
        &mut self,
        question: Question,
        asked: Option<Asked<T, E>>,
        then: impl FnOnce(&mut Self, Option<Asked<T, E>>, bool) + Send + 'static,
    ) {
        if let Some(approver) = self.settings.approver.clone() {
            let asking = async move { approver.approve(question).await };
            self.jobs.aside(asking, asked, |owner, asked, said| {
                let yes = said.is_some_and(|said| {
                    said.unwrap_or_else(|message| {
                        owner.report(&format!("the approver panicked: {message}"));
                        false
                    })
                });
                then(owner, asked, yes);
            });
        }
    }

    fn denied<E>(&self, action: &'static str, reason: Cow<'static, str>) -> ServeError<E> {
        add(&self.shared.counters.failed, 1);
        tracing::info!(agent = G::SPEC.name, action, %reason, "denied");
        ServeError::Denied {
            action: action.into(),
            reason,
        }
    }

    /// Runs a typed action.
    pub(crate) fn call<A, const AT: usize>(
        &mut self,
        mut command: Command<A>,
        asked: Asked<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        if !asked.is_wanted() {
            return;
        }
        if let Some(key) = &command.key {
            if let Some(answer) = self.recent.answer(&key.key) {
                let answer = (key.read)(answer);
                let answer = answer.map_err(|reason| ServeError::IdempotencyMismatch { reason });
                return self.answer_again(key.key.clone(), answer, asked);
            }
            if self.recent.is_at_work(&key.key) {
                let name = key.key.clone();
                let again = move |owner: &mut Self| owner.call::<A, AT>(command, asked);
                return self.recent.wait(&name, Box::new(again));
            }
        }
        // the name in the agent matters to a guard that was given, and to a person
        let spec = match self.settings.guard.is_some() || A::SPEC.hints.destructive {
            true => process::spec_of::<G, A, AT>(),
            false => &A::SPEC,
        };
        let arguments = || process::readable(&command.action);
        match self
            .settings
            .guard(command.caller, command.is_approved, spec, &arguments)
        {
            Pass::Go => {}
            Pass::No(reason) => return asked.tell(Err(self.denied(spec.name, reason))),
            Pass::Ask => {
                let question = Question::new(command.caller, spec, arguments());
                let key = command.key.as_ref().map(|key| key.key.clone());
                // one that comes again is no other question
                self.enter(key.as_deref());
                return self.ask_for(question, Some(asked), move |owner, asked, yes| {
                    owner.leave(key.as_deref());
                    command.is_approved = true;
                    match (asked, yes) {
                        (Some(asked), true) => owner.call::<A, AT>(command, asked),
                        (Some(asked), false) => {
                            asked.tell(Err(owner.denied(spec.name, REFUSED.into())));
                        }
                        (None, _) => {}
                    }
                });
            }
        }
        match <A::Kind as process::Kind<A>>::IS_ASYNC {
            true => self.start_typed::<A, AT>(command, asked),
            false => self.perform::<A, AT>(command, asked),
        }
    }

    /// Gives the answer of a command that came before, when that is recorded.
    pub(super) fn answer_again<T: Send + 'static, E: Send + 'static>(
        &mut self,
        key: String,
        answer: Result<T, ServeError<E>>,
        asked: Asked<T, E>,
    ) {
        self.answer_in_turn(move |owner, kept| {
            asked.tell(match kept {
                // another in the batch was not kept; this one was
                Err(_) if owner.recent.answer(&key).is_some() => answer,
                Err(error) => Err(ServeError::Store(error)),
                Ok(()) => answer,
            });
        });
    }

    fn perform<A, const AT: usize>(
        &mut self,
        command: Command<A>,
        asked: Asked<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        let Command { action, key, .. } = command;
        let is_durable = self.ledger.is_some();
        let takes_context = <A::Kind as process::Kind<A>>::TAKES_CONTEXT;
        let cause = (is_durable || takes_context).then(|| self.meta());
        let keep = is_durable || asked.ticket.is_some() || key.is_some();
        let instruction = self
            .is_written_down()
            .then(|| Instruction::new(A::NAME, process::readable(&action)));
        let agent = &mut self.agent;
        let result = catch(|| process::perform::<G, A, AT>(agent, action, cause.as_ref(), keep));
        let performed = match result {
            Ok(Ok(Ok(performed))) => performed,
            Ok(Ok(Err(error))) => return asked.tell(Err(self.failed(ServeError::Action(error)))),
            Ok(Err(_)) => unreachable!("an async action is started, not performed"),
            Err(message) => return asked.tell(Err(self.failed(ServeError::Panicked { message }))),
        };
        let Performed {
            output,
            directives,
            saved,
        } = performed;
        if !keep && directives.is_empty() {
            // nothing to record, nothing to carry out
            add(&self.shared.counters.handled, 1);
            return asked.tell(Ok(output));
        }
        if !asked.apply() {
            process::undo(&mut self.agent, saved);
            let error = ServeError::Deadline { applied: false };
            return asked.tell(Err(self.failed(error)));
        }
        let id = cause.and_then(|cause| cause.stamp.as_ref().map(|stamp| stamp.id.clone()));
        let mut finished = Finished::new(RecordKind::Command, id.unwrap_or_default());
        (finished.saved, finished.directives) = (saved, directives);
        finished.instructions.extend(instruction);
        if let Some(key) = key {
            match (key.write)(&output) {
                Ok(answer) => {
                    finished.keyed = Some(Keyed {
                        key: key.key,
                        answer,
                    });
                }
                Err(reason) => {
                    process::undo(&mut self.agent, finished.saved);
                    let error = ServeError::IdempotencyEncode { reason };
                    return asked.tell(Err(self.failed(error)));
                }
            }
        }
        self.finish(finished, move |owner, kept| match kept {
            Ok(()) => asked.tell_by(|| owner.now(), Ok(output)),
            Err(error) => asked.tell(Err(ServeError::Store(error))),
        });
    }

    /// Counts a failure.
    pub(super) fn failed<E>(&self, error: ServeError<E>) -> ServeError<E> {
        add(&self.shared.counters.failed, 1);
        error
    }

    /// Runs an action by name on JSON text.
    pub(crate) fn call_named(&mut self, mut named: Named, asked: Asked<String, CallError>) {
        if !asked.is_wanted() {
            return;
        }
        let address = match self.address(&named) {
            Ok(address) => address,
            Err(error) => return asked.tell(Err(self.failed(error))),
        };
        let spec = address.spec;
        let arguments = || serde_json::from_str(&named.arguments).unwrap_or(Value::Null);
        match self
            .settings
            .guard(named.caller, named.is_approved, spec, &arguments)
        {
            Pass::Go => {}
            Pass::No(reason) => return asked.tell(Err(self.denied(spec.name, reason))),
            Pass::Ask => {
                let question = Question::new(named.caller, spec, arguments());
                return self.ask_for(question, Some(asked), move |owner, asked, yes| {
                    named.is_approved = true;
                    match (asked, yes) {
                        (Some(asked), true) => owner.call_named(named, asked),
                        (Some(asked), false) => {
                            asked.tell(Err(owner.denied(spec.name, REFUSED.into())));
                        }
                        (None, _) => {}
                    }
                });
            }
        }
        match address.is_async() {
            true => self.start_named(address, named, asked),
            false => self.perform_named(address, &named, asked),
        }
    }

    fn address(&self, named: &Named) -> Result<ResolvedAction, CallJsonError> {
        let address = process::resolve(&self.agent, &named.action).map_err(ServeError::Action)?;
        match address.spec.internal && named.caller != Caller::Agent {
            true => Err(ServeError::Action(process::internal(address.spec))),
            false => Ok(address),
        }
    }

    fn perform_named(
        &mut self,
        at: ResolvedAction,
        named: &Named,
        asked: Asked<String, CallError>,
    ) {
        let cause = Some(self.meta());
        let mut transaction = Transaction::begin(&mut self.agent);
        let result = catch(|| transaction.call(at, &named.arguments, cause.as_ref()));
        let output = match result {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => {
                drop(transaction);
                return asked.tell(Err(self.failed(ServeError::Action(error))));
            }
            Err(message) => {
                drop(transaction);
                return asked.tell(Err(self.failed(ServeError::Panicked { message })));
            }
        };
        if !asked.apply() {
            drop(transaction);
            return asked.tell(Err(self.failed(ServeError::Deadline { applied: false })));
        }
        let id = cause.and_then(|cause| cause.stamp.as_ref().map(|stamp| stamp.id.clone()));
        let mut finished = Finished::new(RecordKind::Command, id.unwrap_or_default());
        (finished.saved, finished.directives) = transaction.commit();
        if self.is_written_down() {
            let params = serde_json::from_str(&named.arguments).unwrap_or(Value::Null);
            finished.instructions = vec![Instruction::new(at.spec.name, params)];
        }
        self.finish(finished, move |owner, kept| match kept {
            Ok(()) => asked.tell_by(|| owner.now(), Ok(output)),
            Err(error) => asked.tell(Err(ServeError::Store(error))),
        });
    }
}

/// What a person said.
pub(super) const REFUSED: &str = "the approver said no";
