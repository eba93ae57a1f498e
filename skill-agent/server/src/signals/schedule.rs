//! Scheduled signals.

mod running;

use crate::chain::{Chain, is_loopback};
use crate::journal::millis;
use skill_core::directive::{Origin, Repeat};
use skill_core::{Directive, Signal};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::SystemTime;

/// Scheduled signals, ordered by due time.
#[derive(Debug, Default)]
pub(crate) struct ScheduleQueue {
    waiting: BTreeMap<Place, ScheduledSignal>,
    /// Repeating signals that were delivered and whose run is not recorded, at their earlier positions.
    running: BTreeMap<Place, ScheduledSignal>,
    keys: HashMap<String, Place>,
    /// The queue positions of signals that were scheduled without a delay.
    follow_ups: BTreeSet<Place>,
    counter: u64,
    /// The number of places reserved for the signals of commands whose directives have not been executed yet.
    reserved: usize,
}

/// The due time, and a counter that preserves the order of insertion.
type Place = (SystemTime, u64);

/// A scheduled signal.
#[derive(Clone, Debug)]
pub(crate) struct ScheduledSignal {
    pub(crate) signal: Signal,
    pub(crate) key: Option<String>,
    /// The number of the directive in the log, or in memory without a store. `None` if no directive queued the signal.
    pub(crate) number: Option<u64>,
    /// The chain that the signal continues, if it was scheduled without delay.
    pub(crate) chain: Option<Chain>,
    /// How the signal repeats.
    pub(crate) repetition: Option<Box<Repetition>>,
}

/// How a scheduled signal repeats. Times are in milliseconds since the Unix epoch.
#[derive(Clone, Debug)]
pub(crate) struct Repetition {
    pub(crate) repeat: Repeat,
    pub(crate) origin: Origin,
    /// When the run is due.
    pub(crate) due: u64,
    /// The number of the directive that began the schedule.
    pub(crate) first: Option<u64>,
    /// When the run began.
    pub(crate) began: u64,
    /// The number of recorded commands that replace or cancel the schedule, and whose directives are not executed yet.
    pub(crate) claims: usize,
}

impl ScheduledSignal {
    /// Returns the number of the directive that scheduled the signal, or its first run if it repeats.
    fn first(&self) -> Option<u64> {
        let repetition = self.repetition.as_ref();
        repetition.map_or(self.number, |repetition| repetition.first)
    }
}

/// A scheduled signal that was taken out of the queue.
pub(crate) struct Waiting {
    place: Place,
    is_running: bool,
    signal: ScheduledSignal,
}

impl Waiting {
    /// Returns the directive's number in the log.
    pub(crate) fn number(&self) -> Option<u64> {
        self.signal.number
    }

    /// Returns the number of the directive that scheduled the signal, or its first run if it repeats.
    pub(crate) fn first(&self) -> Option<u64> {
        self.signal.first()
    }
}

impl ScheduleQueue {
    /// Adds a signal. Returns the signal with the same key that it replaces, if any.
    pub(crate) fn add(
        &mut self,
        due: SystemTime,
        waiting: ScheduledSignal,
    ) -> Option<ScheduledSignal> {
        let replaced = waiting.key.as_deref().and_then(|key| self.cancel(key));
        self.counter += 1;
        self.insert((due, self.counter), waiting);
        replaced
    }

    fn insert(&mut self, place: Place, waiting: ScheduledSignal) {
        if let Some(key) = &waiting.key {
            self.keys.insert(key.clone(), place);
        }
        if waiting.chain.is_some() {
            self.follow_ups.insert(place);
        }
        self.waiting.insert(place, waiting);
    }

    /// Removes the signal with this key.
    pub(crate) fn cancel(&mut self, key: &str) -> Option<ScheduledSignal> {
        let place = *self.keys.get(key)?;
        self.remove(place)
    }

    fn remove(&mut self, place: Place) -> Option<ScheduledSignal> {
        let removed = self.waiting.remove(&place);
        let removed = removed.or_else(|| self.running.remove(&place))?;
        self.follow_ups.remove(&place);
        if let Some(key) = &removed.key {
            self.keys.remove(key);
        }
        Some(removed)
    }

    /// Returns the waiting signals, and the repeating ones whose run is not recorded.
    fn all(&self) -> impl Iterator<Item = (&Place, &ScheduledSignal)> {
        self.waiting.iter().chain(&self.running)
    }

    /// Returns the numbers of the directives that are carried out when their signals are due.
    pub(crate) fn waiting(&self) -> HashSet<u64> {
        let waiting = self.waiting.values();
        waiting.filter_map(|signal| signal.number).collect()
    }

    /// Returns the numbers of the directives whose signals are waiting. If a signal repeats, the number is that of its first run.
    pub(crate) fn numbers(&self) -> HashSet<u64> {
        self.all()
            .filter_map(|(_, waiting)| waiting.first())
            .collect()
    }

    /// Returns the number of the directive whose signal waits with this key. If the signal repeats, the number is that of its first
    /// run.
    pub(crate) fn number_of(&self, key: &str) -> Option<u64> {
        let place = self.keys.get(key)?;
        let waiting = self.waiting.get(place);
        waiting.or_else(|| self.running.get(place))?.first()
    }

    /// Removes the waiting signals of these directives. A signal that repeats is found by the number of its first run.
    pub(crate) fn take(&mut self, numbers: &HashSet<u64>) -> Vec<Waiting> {
        let is_taken = |waiting: &ScheduledSignal| {
            waiting
                .first()
                .is_some_and(|number| numbers.contains(&number))
        };
        let places = self.all().filter(|(_, waiting)| is_taken(waiting));
        let places: Vec<_> = places.map(|(place, _)| *place).collect();
        let taken = places.into_iter().filter_map(|place| {
            let is_running = self.running.contains_key(&place);
            let signal = self.remove(place)?;
            Some(Waiting {
                place,
                is_running,
                signal,
            })
        });
        taken.collect()
    }

    /// Adds a signal that was taken.
    pub(crate) fn put_back(&mut self, waiting: Waiting) {
        let Waiting { place, signal, .. } = waiting;
        if !waiting.is_running {
            return self.insert(place, signal);
        }
        if let Some(key) = &signal.key {
            self.keys.insert(key.clone(), place);
        }
        self.running.insert(place, signal);
    }

    /// Returns the next signal's due time.
    pub(crate) fn next_due(&self) -> Option<SystemTime> {
        self.waiting.keys().next().map(|(due, _)| *due)
    }

    /// Removes the next signal if it is due at `now`. A signal that repeats keeps its key until its run is recorded.
    pub(crate) fn pop(&mut self, now: SystemTime) -> Option<ScheduledSignal> {
        let (place, waiting) = self.waiting.first_key_value()?;
        let place = Some(*place).filter(|(due, _)| *due <= now)?;
        if waiting.repetition.is_none() {
            return self.remove(place);
        }
        let mut signal = self.waiting.remove(&place)?;
        if let Some(repetition) = &mut signal.repetition {
            repetition.began = millis(now);
        }
        self.running.insert(place, signal.clone());
        Some(signal)
    }

    /// Removes the next signal that was scheduled without delay.
    pub(crate) fn pop_follow_up(&mut self) -> Option<ScheduledSignal> {
        let place = *self.follow_ups.first()?;
        self.remove(place)
    }

    /// Returns whether no waiting signal was scheduled without delay.
    pub(crate) fn has_no_follow_ups(&self) -> bool {
        self.follow_ups.is_empty()
    }

    /// Returns how many more signals would be waiting after a command's directives. Does not count signals that replace others,
    /// or signals that the command cancels.
    pub(crate) fn more_after(&self, directives: &[Directive]) -> usize {
        let mut changed = HashMap::new();
        let (mut added, mut removed) = (0_usize, 0);
        for directive in directives {
            let facts = directive.facts();
            let (key, is_waiting) = match (facts.schedules, facts.cancels) {
                (Some(schedule), _) if is_loopback(schedule) => continue,
                (Some(schedule), _) => (schedule.key.as_deref(), true),
                (None, Some(key)) => (Some(key), false),
                (None, None) => continue,
            };
            let was_waiting = key.is_some_and(|key| {
                let before = changed.insert(key, is_waiting);
                before.unwrap_or_else(|| self.keys.contains_key(key))
            });
            added += usize::from(is_waiting && !was_waiting);
            removed += usize::from(was_waiting && !is_waiting);
        }
        added.saturating_sub(removed)
    }

    /// Reserves room for signals that a command adds later. If more than `max` signals would be waiting or reserved, reserves
    /// nothing and returns `false`.
    pub(crate) fn reserve(&mut self, more: usize, max: usize) -> bool {
        let has_room = more == 0 || self.len() + self.reserved + more <= max;
        if has_room {
            self.reserved += more;
        }
        has_room
    }

    /// Releases reserved room after the signals were added or the command was undone.
    pub(crate) fn release(&mut self, more: usize) {
        self.reserved -= more;
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len() + self.running.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::{Duration, UNIX_EPOCH};

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn waiting(ty: &'static str, key: Option<&str>) -> ScheduledSignal {
        ScheduledSignal {
            signal: Signal::new(ty, json!({})),
            key: key.map(str::to_owned),
            number: None,
            chain: None,
            repetition: None,
        }
    }

    #[test]
    fn signals_are_due_in_order_of_time_and_then_of_addition() {
        let mut schedules = ScheduleQueue::default();
        for (ty, due) in [("late", 9), ("one", 5), ("two", 5), ("early", 1)] {
            assert!(schedules.add(at(due), waiting(ty, None)).is_none());
        }
        assert_eq!(schedules.next_due(), Some(at(1)));
        let mut order = Vec::new();
        while let Some(next) = schedules.pop(at(5)) {
            order.push(next.signal.ty().to_owned());
        }
        assert_eq!(order, ["early", "one", "two"]);
        assert_eq!((schedules.len(), schedules.next_due()), (1, Some(at(9))));
    }

    #[test]
    fn a_signal_replaces_the_one_with_the_same_key() {
        let mut schedules = ScheduleQueue::default();
        schedules.add(at(5), waiting("first", Some("k")));
        let replaced = schedules.add(at(7), waiting("second", Some("k")));
        assert_eq!(replaced.unwrap().signal.ty(), "first");
        assert_eq!(schedules.cancel("k").unwrap().signal.ty(), "second");
        assert!(schedules.cancel("k").is_none());
        assert!(schedules.pop(at(100)).is_none());
    }
}
