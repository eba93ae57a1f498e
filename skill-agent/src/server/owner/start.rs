//! Async actions of each kind of caller: how they start, and what becomes of what they leave behind.

use super::before::JobAnswer;
use super::call::{Command, Named};
use super::chain::too_many_hops;
use super::jobs::Job;
use super::{Finished, Owner};
use crate::server::ask::Asked;
use crate::server::guard::{Caller, Pass};
use crate::server::panics::catch;
use crate::server::{ServeError, SignalError};
use crate::store::{Keyed, RecordKind};
use serde_json::Value;
use skill_core::process::{
    self, AsyncFailure, AsyncInput, AsyncOutput, CommandMeta, QueuedEffects, ResolvedAction,
    Transaction, action_id_of, readable,
};
use skill_core::{Action, Agent, CallError, Instruction, SkillOf};
use std::sync::Arc;

/// What an async action that a signal was routed to left behind.
pub(super) type Signalled = Result<Result<JobAnswer, CallError>, ServeError<SignalError>>;

impl<G: Agent> Owner<G> {
    pub(super) fn start_typed<A, const AT: usize>(
        &mut self,
        command: Command<A>,
        asked: Asked<A::Output, A::Error>,
    ) where
        A: Action<Error: Send + 'static> + Send,
        A::Skill: SkillOf<G, AT>,
    {
        if self.jobs.running >= self.jobs.limit {
            let key = command.key.as_ref().map(|key| key.key.clone());
            let later = move |owner: &mut Self, asked| {
                // from the beginning but for the guard: the first under its key may run by then
                let is_approved = true;
                owner.call::<A, AT>(
                    Command {
                        is_approved,
                        ..command
                    },
                    asked,
                );
            };
            return self.wait(asked, key, later);
        }
        let Some(at) = action_id_of::<G, A, AT>() else {
            // `agent!` refuses skills with unlisted actions; one written by hand may have some
            let reason = "its skill does not list it".into();
            let action = A::NAME.into();
            return asked.tell(Err(ServeError::Denied { action, reason }));
        };
        let Command { action, key, .. } = command;
        let instruction = self
            .is_written_down()
            .then(|| Instruction::new(A::NAME, readable(&action)));
        let name = key.as_ref().map(|key| key.key.clone());
        let begun = self.begin(at, AsyncInput::Typed(Box::new(action)), instruction, name);
        let (future, token, mut job) = match begun {
            Ok(begun) => begun,
            Err(_) => unreachable!("the arguments of a typed call are not read"),
        };
        self.run_beside(future, token, Some(asked), move |owner, asked, ended| {
            let mut output = ended.and_then(|done| match done.output {
                Ok(output) => Ok((typed::<A::Output>(output), done.queued)),
                Err(AsyncFailure::Typed(error)) => Err(ServeError::Action(
                    *error
                        .downcast()
                        .expect("a job of an action fails with its error"),
                )),
                Err(AsyncFailure::Call(failure)) => Err(ServeError::Then(Arc::new(
                    failure.of_action(A::NAME).into(),
                ))),
            });
            if let (Some(key), Ok((answer, _))) = (&key, &output) {
                match (key.write)(answer) {
                    Ok(answer) => job.answer = Some(answer),
                    Err(reason) => output = Err(ServeError::IdempotencyEncode { reason }),
                }
            }
            owner.end(job, asked, output);
        });
    }

    pub(super) fn start_named(
        &mut self,
        at: ResolvedAction,
        named: Named,
        asked: Asked<String, CallError>,
    ) {
        if self.jobs.running >= self.jobs.limit {
            let later = move |owner: &mut Self, asked| owner.start_named(at, named, asked);
            return self.wait(asked, None, later);
        }
        let name = at.spec.name;
        let instruction = self.is_written_down().then(|| {
            let params = serde_json::from_str(&named.arguments).unwrap_or(Value::Null);
            Instruction::new(name, params)
        });
        let place = at.id;
        let input = AsyncInput::Text(named.arguments);
        let (future, token, job) = match self.begin(place, input, instruction, None) {
            Ok(begun) => begun,
            Err(failure) => {
                let error = ServeError::Action(failure.of_action(name));
                return asked.tell(Err(self.failed(error)));
            }
        };
        self.run_beside(future, token, Some(asked), move |owner, asked, ended| {
            let output = ended.and_then(|done| match done.output {
                Ok(AsyncOutput::Text(text)) => Ok((text, done.queued)),
                Err(AsyncFailure::Call(failure)) => {
                    Err(ServeError::Action(failure.of_action(name)))
                }
                _ => unreachable!("a job of a text answers with a text"),
            });
            owner.end(job, asked, output);
        });
    }

    /// An async action that a directive asks for.
    pub(super) fn start_directive(
        &mut self,
        at: ResolvedAction,
        instruction: Instruction,
        number: Option<u64>,
        hops: u32,
    ) {
        if self.jobs.running >= self.jobs.limit {
            let later =
                move |owner: &mut Self| owner.start_directive(at, instruction, number, hops);
            self.jobs.waiting.push_back(Box::new(later));
            return;
        }
        let name = at.spec.name;
        let place = at.id;
        let input = AsyncInput::Value(instruction.params.clone());
        let (future, token, mut job) = match self.begin(place, input, Some(instruction), None) {
            Ok(begun) => begun,
            Err(failure) => return self.give_up(number, &failure.of_action(name).to_string()),
        };
        (job.number, job.hops) = (number, hops);
        let nobody: Option<Asked<(), CallError>> = None;
        self.run_beside(future, token, nobody, move |owner, nobody, ended| {
            let output = ended.and_then(|done| match done.output {
                Ok(_) => Ok(((), done.queued)),
                Err(AsyncFailure::Call(failure)) => {
                    Err(ServeError::Action(failure.of_action(name)))
                }
                Err(_) => unreachable!("a job of a value fails as a call does"),
            });
            match output {
                // the server stops: the directive is not done, and comes again
                Err(ServeError::Stopped) => {}
                Err(error) => owner.give_up(number, &error.to_string()),
                output => owner.end(job, nobody, output),
            }
        });
    }

    /// An async action that a signal is routed to; `then` gets what it left behind. With `must_wait` it waits its turn, however
    /// many do.
    pub(super) fn start_signalled(
        &mut self,
        instruction: Instruction,
        asked: Option<Asked<Value, SignalError>>,
        meta: &Arc<CommandMeta>,
        must_wait: bool,
        then: impl FnOnce(&mut Self, Option<Asked<Value, SignalError>>, Signalled) + Send + 'static,
    ) {
        if self.jobs.running >= self.jobs.limit {
            if !must_wait && self.jobs.waiting.len() >= self.jobs.room {
                return then(self, asked, Err(ServeError::Full));
            }
            let meta = meta.clone();
            let later = move |owner: &mut Self| match asked.as_ref().is_none_or(Asked::is_wanted) {
                true => owner.start_signalled(instruction, asked, &meta, must_wait, then),
                false => then(owner, asked, Err(ServeError::Stopped)),
            };
            return self.jobs.waiting.push_back(Box::new(later));
        }
        let at = match process::resolve(&self.agent, &instruction.action) {
            Ok(at) => at,
            Err(error) => return then(self, asked, Ok(Err(error))),
        };
        let place = at.id;
        let name = at.spec.name;
        let input = AsyncInput::Value(instruction.params);
        let (future, token, _) = match self.begin_for(place, input, None, None, meta) {
            Ok(begun) => begun,
            Err(failure) => return then(self, asked, Ok(Err(failure.of_action(name)))),
        };
        self.run_beside(future, token, asked, move |owner, asked, ended| {
            let answer = ended.map(|done| match done.output {
                Ok(AsyncOutput::Text(text)) => {
                    let output = process::as_value(name, &text)?;
                    Ok(JobAnswer {
                        output,
                        queued: done.queued,
                    })
                }
                Err(AsyncFailure::Call(failure)) => Err(failure.of_action(name)),
                _ => unreachable!("a job of a value answers with a text"),
            });
            then(owner, asked, answer);
        });
    }

    /// Applies what an action queued, and answers.
    fn end<T: Send + 'static, E: Send + 'static>(
        &mut self,
        job: Job,
        asked: Option<Asked<T, E>>,
        output: Result<(T, QueuedEffects), ServeError<E>>,
    ) {
        self.leave(job.key.as_deref());
        let result = output.and_then(|(output, queued)| {
            let finished = self.apply_then(&job, queued)?;
            match asked.as_ref().is_none_or(Asked::apply) {
                true => Ok((output, finished)),
                false => {
                    process::undo(&mut self.agent, finished.saved);
                    Err(ServeError::Deadline { applied: false })
                }
            }
        });
        match (result, asked) {
            (Ok((output, finished)), asked) => {
                self.finish(finished, move |owner, kept| match (kept, asked) {
                    (Ok(()), Some(asked)) => asked.tell_by(|| owner.now(), Ok(output)),
                    (Err(error), Some(asked)) => asked.tell(Err(ServeError::Store(error))),
                    (Err(error), None) => {
                        let what = job.instruction.as_ref().map_or("", |ran| &ran.action);
                        owner.report_unstored(what, job.number, &error);
                    }
                    (Ok(()), None) => {}
                })
            }
            (Err(error), Some(asked)) => asked.tell(Err(self.failed(error))),
            (Err(error), None) => self.give_up(job.number, &error.of_nobody().to_string()),
        }
    }

    /// Runs what was queued with `cx.then`: all of it or nothing.
    fn apply_then<E>(
        &mut self,
        job: &Job,
        mut queued: QueuedEffects,
    ) -> Result<Finished<G>, ServeError<E>> {
        let (then, mounts) = (queued.take_then(), queued.take_mounts());
        self.may_run(&then)?;
        let cause = self.meta();
        let mut transaction = Transaction::begin(&mut self.agent);
        match catch(|| transaction.run(&then, Some(&cause))) {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(ServeError::Then(Arc::new(error.into()))),
            Err(message) => return Err(ServeError::Panicked { message }),
        }
        transaction.directives().splice(0..0, queued.directives);
        transaction.mount_queued(mounts);
        let (saved, directives) = transaction.commit();
        if self.is_too_far(&directives, job.hops) {
            process::undo(&mut self.agent, saved);
            return Err(too_many_hops());
        }
        let mut finished = Finished::new(RecordKind::Command, job.id.clone());
        (finished.saved, finished.directives) = (saved, directives);
        (finished.number, finished.hops) = (job.number, job.hops);
        finished.instructions = job.instruction.iter().cloned().chain(then).collect();
        finished.keyed = job
            .key
            .clone()
            .zip(job.answer.clone())
            .map(|(key, answer)| Keyed { key, answer });
        Ok(finished)
    }

    /// The guard sits before what an action queued, too. There is no time left to ask anybody.
    fn may_run<E>(&self, then: &[Instruction]) -> Result<(), ServeError<E>> {
        for instruction in then {
            let Ok(at) = process::resolve(&self.agent, &instruction.action) else {
                continue;
            };
            let arguments = || instruction.params.clone();
            // counted when the action ends
            let denied = |reason| ServeError::Denied {
                action: at.spec.name.into(),
                reason,
            };
            match self
                .settings
                .guard(Caller::Agent, false, at.spec, &arguments)
            {
                Pass::Go => {}
                Pass::No(reason) => return Err(denied(reason)),
                Pass::Ask => {
                    let reason = "what an async action queued is not put before a person";
                    return Err(denied(reason.into()));
                }
            }
        }
        Ok(())
    }
}

fn typed<T: 'static>(output: AsyncOutput) -> T {
    match output {
        AsyncOutput::Typed(output) => *output
            .downcast()
            .expect("a job of an action answers with its output"),
        AsyncOutput::Text(_) => unreachable!("a typed job answers typed"),
    }
}
