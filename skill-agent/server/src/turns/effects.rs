//! The effects of a turn that stay if the turn is taken back.

use super::mark::{MarkedSchedule, TurnEffect, TurnMark};
use crate::chain::FollowUp;
use crate::journal::Journal;
use crate::signals::schedule::ScheduleQueue;
use skill_core::Directive;

/// The maximum number of effects that are listed for a turn, and of its scheduled signals that no longer wait.
const LISTED: usize = 100;

impl TurnMark {
    /// Adds the directives of one of the turn's commands, with their numbers.
    pub(crate) fn add_directives(
        &mut self,
        directives: &[(Directive, Option<u64>)],
        waiting: &ScheduleQueue,
        journal: Option<&Journal>,
    ) {
        for (directive, number) in directives {
            let effect = match (directive, number) {
                // its command belongs to the turn
                (Directive::Schedule(_), _) if FollowUp::of(directive).is_some() => continue,
                (Directive::Schedule(schedule), Some(n)) => {
                    let ty = schedule.signal.ty().to_owned();
                    let key = schedule.key.clone();
                    let replaced = key.filter(|key| {
                        let number = waiting.number_of(key);
                        number.is_some_and(|n| self.schedules.iter().all(|one| one.n != n))
                    });
                    self.schedules.push(MarkedSchedule { n: *n, ty });
                    match replaced {
                        Some(key) => TurnEffect::Cancelled(key),
                        None => continue,
                    }
                }
                (Directive::Emit(emit), _) => TurnEffect::Signal(emit.ty().to_owned()),
                (Directive::Cancel { key, .. }, _) => TurnEffect::Cancelled(key.clone()),
                (Directive::Spawn(spawn), _) => TurnEffect::Child(spawn.id.to_string()),
                _ => continue,
            };
            self.add_effect(effect);
        }
        if self.schedules.len() > LISTED {
            let repeating = waiting.numbers();
            let is_waiting = |n| {
                let is_logged = journal.is_some_and(|journal| journal.logged(n).is_some());
                is_logged || repeating.contains(&n)
            };
            let all = std::mem::take(&mut self.schedules).into_iter();
            let (waiting, gone): (Vec<_>, Vec<_>) = all.partition(|one| is_waiting(one.n));
            self.schedules = waiting;
            gone.into_iter()
                .for_each(|gone| self.add_effect(TurnEffect::Fired(gone.ty)));
        }
    }

    fn add_effect(&mut self, effect: TurnEffect) {
        if self.effects.len() < LISTED && !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }
}
