//! Runs of schedules that repeat. The record of a run also has the next run, so a crash loses no run and repeats none.

use crate::error::{NotKept, RepeatError};
use crate::journal::{JournalEntry, later, millis, time};
use crate::owner::Owner;
use crate::signals::repeat::{following_run, next_run, present_run};
use crate::signals::schedule::{Repetition, ScheduledSignal};
use skill_agent_store::RecordKind;
use skill_core::directive::{Effect, NextRun, Schedule};
use skill_core::process::Saved;
use skill_core::{Agent, Directive};
use std::time::Duration;

/// The shortest and the longest delay before a run whose record the store refused is tried again. It is as long as the run has
/// waited so far.
const REFUSED: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(3600));

impl<G: Agent> Owner<G> {
    /// Computes the first run of a schedule that repeats.
    pub(super) fn plan_first_run(&mut self, directive: &mut Directive) -> Result<(), NotKept> {
        let Directive::Schedule(schedule) = directive else {
            return Ok(());
        };
        let Schedule { repeat, next, .. } = &schedule.effect;
        let (Some(repeat), None) = (repeat, next) else {
            return Ok(());
        };
        let now = millis(self.now());
        let due = next_run(repeat, now, now)
            .and_then(|run| run.ok_or_else(|| RepeatError::never(repeat)));
        let due = due.map_err(|reason| NotKept::Repeat {
            skill: schedule.origin.skill.clone(),
            reason,
        })?;
        self.set_run(&mut schedule.effect, NextRun { due, first: None });
        Ok(())
    }

    /// Sets the next run of a schedule, and gives its signal the id and the time of that run.
    fn set_run(&mut self, schedule: &mut Schedule, next: NextRun) {
        let id = self.stamp().id;
        schedule.signal.restamp(id, time(next.due));
        schedule.next = Some(next);
    }

    /// Returns the directive for the run after the one that the directive `number` delivered. Returns `None` if no such run is
    /// left, or if the schedule was replaced, cancelled or withdrawn.
    pub(crate) fn following_run(&mut self, number: Option<u64>) -> Option<Directive> {
        let running = self.schedules.running(number?)?;
        let repetition = running.repetition.as_deref()?;
        if repetition.claims > 0 {
            return None;
        }
        let Repetition { repeat, first, .. } = repetition;
        let next = NextRun {
            due: following_run(repeat, repetition.due, repetition.began)?,
            first: *first,
        };
        let mut schedule = Schedule::repeating(repeat.clone(), running.signal.clone());
        schedule.key.clone_from(&running.key);
        let origin = repetition.origin.clone();
        self.set_run(&mut schedule, next);
        Some(Directive::Schedule(Effect::new(schedule, origin)))
    }

    /// Delivers a signal that is due, unless its run was missed and does not take place.
    pub(crate) fn fire(&mut self, mut scheduled: ScheduledSignal) {
        let signal = &mut scheduled.signal;
        if let Some(repetition) = &scheduled.repetition {
            let Repetition {
                repeat, due, began, ..
            } = &**repetition;
            let Some(run) = present_run(repeat, *due, *began) else {
                tracing::warn!(
                    agent = G::SPEC.name,
                    ty = signal.ty(),
                    key = scheduled.key,
                    "a schedule has missed a run"
                );
                return self.done_or_repeat(scheduled.number);
            };
            let id = signal.id().unwrap_or_default().to_owned();
            signal.restamp(id, time(run));
        }
        self.deliver_scheduled(scheduled);
    }

    /// Marks the directive of a signal as done. If its schedule repeats, also records the next run.
    pub(crate) fn done_or_repeat(&mut self, number: Option<u64>) {
        let running = number.and_then(|number| self.schedules.running(number));
        let Some(running) = running else {
            return self.done(number);
        };
        let ty = running.signal.ty().to_owned();
        let mut entry = JournalEntry::new(RecordKind::Mark, String::new());
        entry.number = number;
        self.finish(entry, Saved::default(), move |owner, kept| {
            if let Err(NotKept::Store(error) | NotKept::StoreBefore(error)) = kept {
                owner.report_unstored(&ty, number, &error);
            }
        });
    }

    /// Lets a repeating signal wait, because the store refused the record of its run. Returns `false` if the directive's signal does
    /// not repeat.
    pub(super) fn run_again(&mut self, number: Option<u64>) -> bool {
        let now = self.now();
        number.is_some_and(|number| {
            let running = self.schedules.running(number);
            let due = running.and_then(|running| running.repetition.as_deref());
            let waited = due.and_then(|due| now.duration_since(time(due.due)).ok());
            let delay = waited.unwrap_or_default().clamp(REFUSED.0, REFUSED.1);
            self.schedules.run_again(number, later(now, delay))
        })
    }
}
