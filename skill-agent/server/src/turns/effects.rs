//! The effects of a turn that stay if the turn is taken back.

use super::mark::{MarkedSchedule, TurnEffect, TurnMark};
use crate::chain::FollowUp;
use skill_core::Directive;

/// The maximum number of effects that are listed for a turn.
const LISTED: usize = 100;

impl TurnMark {
    /// Adds the directives of one of the turn's commands, with their numbers.
    pub(super) fn add_directives(&mut self, directives: &[(Directive, Option<u64>)]) {
        for (directive, number) in directives {
            let effect = match (directive, number) {
                // its command belongs to the turn
                (Directive::Schedule(_), _) if FollowUp::of(directive).is_some() => continue,
                (Directive::Schedule(schedule), Some(n)) => {
                    let ty = schedule.signal.ty().to_owned();
                    self.schedules.push(MarkedSchedule { n: *n, ty });
                    continue;
                }
                (Directive::Emit(emit), _) => TurnEffect::Signal(emit.ty().to_owned()),
                (Directive::Cancel { key, .. }, _) => TurnEffect::Cancelled(key.clone()),
                (Directive::Spawn(spawn), _) => TurnEffect::Child(spawn.id.to_string()),
                _ => continue,
            };
            if self.effects.len() < LISTED && !self.effects.contains(&effect) {
                self.effects.push(effect);
            }
        }
    }
}
