//! Repeating signals whose run has begun and is not recorded.

use super::{Place, ScheduleQueue, ScheduledSignal};
use skill_core::Directive;
use skill_core::directive::{Effect, Schedule};
use std::time::SystemTime;

impl ScheduleQueue {
    /// Returns the repeating signal that was delivered for the directive with this number, and whose run is not recorded.
    pub(crate) fn running(&self, number: u64) -> Option<&ScheduledSignal> {
        self.running
            .values()
            .find(|running| running.number == Some(number))
    }

    fn running_place(&self, number: u64) -> Option<Place> {
        let mut running = self.running.iter();
        let found = running.find(|(_, running)| running.number == Some(number));
        found.map(|(place, _)| *place)
    }

    /// Removes a repeating signal whose run is recorded.
    pub(crate) fn end_run(&mut self, number: u64) {
        if let Some(place) = self.running_place(number) {
            self.remove(place);
        }
    }

    /// Lets a repeating signal wait until `later`, because the store did not accept its run. Returns `false` if no such signal runs.
    pub(crate) fn run_again(&mut self, number: u64, later: SystemTime) -> bool {
        let running = self.running_place(number);
        let Some(signal) = running.and_then(|place| self.remove(place)) else {
            return false;
        };
        self.add(later, signal);
        true
    }

    /// Adds to the claims on running signals that a recorded command replaces or cancels with its directives.
    pub(crate) fn claim<'d>(&mut self, directives: impl Iterator<Item = &'d Directive>) {
        self.count_claims(directives, |claims| claims + 1);
    }

    /// Removes the claims of a command that was undone.
    pub(crate) fn unclaim<'d>(&mut self, directives: impl Iterator<Item = &'d Directive>) {
        self.count_claims(directives, |claims| claims.saturating_sub(1));
    }

    fn count_claims<'d>(
        &mut self,
        directives: impl Iterator<Item = &'d Directive>,
        count: impl Fn(usize) -> usize,
    ) {
        if self.running.is_empty() {
            return;
        }
        for directive in directives {
            let facts = directive.facts();
            let schedules = facts.schedules.filter(|schedule| !is_continued(schedule));
            let key = schedules.and_then(|schedule| schedule.key.as_deref());
            let place = key.or(facts.cancels).and_then(|key| self.keys.get(key));
            let running = place.and_then(|place| self.running.get_mut(place));
            if let Some(repetition) = running.and_then(|running| running.repetition.as_mut()) {
                repetition.claims = count(repetition.claims);
            }
        }
    }
}

/// Returns whether a schedule is the next run of an earlier one.
fn is_continued(schedule: &Effect<Schedule>) -> bool {
    schedule.next.is_some_and(|next| next.first.is_some())
}
