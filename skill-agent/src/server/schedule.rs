//! Scheduled signals.

use skill_core::Signal;
use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

/// Scheduled signals, in the order in which they are due.
#[derive(Debug, Default)]
pub(crate) struct ScheduleQueue {
    waiting: BTreeMap<(SystemTime, u64), ScheduledSignal>,
    keys: HashMap<String, (SystemTime, u64)>,
    counter: u64,
}

/// A scheduled signal.
#[derive(Debug)]
pub(crate) struct ScheduledSignal {
    pub(crate) signal: Signal,
    pub(crate) key: Option<String>,
    /// The number of the directive in the log.
    pub(crate) number: Option<u64>,
}

impl ScheduleQueue {
    /// Adds a signal. Returns the signal with the same key, which it replaces.
    pub(crate) fn add(
        &mut self,
        due: SystemTime,
        waiting: ScheduledSignal,
    ) -> Option<ScheduledSignal> {
        let replaced = waiting.key.as_deref().and_then(|key| self.cancel(key));
        self.counter += 1;
        let place = (due, self.counter);
        if let Some(key) = &waiting.key {
            self.keys.insert(key.clone(), place);
        }
        self.waiting.insert(place, waiting);
        replaced
    }

    /// Removes the signal with a key.
    pub(crate) fn cancel(&mut self, key: &str) -> Option<ScheduledSignal> {
        let place = self.keys.remove(key)?;
        self.waiting.remove(&place)
    }

    /// The due time of the next signal.
    pub(crate) fn next_due(&self) -> Option<SystemTime> {
        self.waiting.keys().next().map(|(due, _)| *due)
    }

    /// Removes the next signal if it is due at `now`.
    pub(crate) fn pop(&mut self, now: SystemTime) -> Option<ScheduledSignal> {
        let first = self
            .waiting
            .first_entry()
            .filter(|entry| entry.key().0 <= now)?;
        let waiting = first.remove();
        if let Some(key) = &waiting.key {
            self.keys.remove(key);
        }
        Some(waiting)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
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
