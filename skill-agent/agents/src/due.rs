//! The sleeping agents that have something to do at a known time.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::SystemTime;

/// The ids of the agents by the time at which they wake.
#[derive(Default)]
pub(crate) struct Due {
    by_time: BTreeSet<(SystemTime, Arc<str>)>,
    by_id: HashMap<Arc<str>, SystemTime>,
}

impl Due {
    /// Sets the time of an agent.
    pub(crate) fn set(&mut self, id: &Arc<str>, due: Option<SystemTime>) {
        if let Some(before) = self.by_id.remove(id) {
            self.by_time.remove(&(before, Arc::clone(id)));
        }
        if let Some(due) = due {
            self.by_id.insert(Arc::clone(id), due);
            self.by_time.insert((due, Arc::clone(id)));
        }
    }

    /// Removes an agent that is due.
    pub(crate) fn pop(&mut self, now: SystemTime) -> Option<Arc<str>> {
        self.next().filter(|due| *due <= now)?;
        let (_, id) = self.by_time.pop_first()?;
        self.by_id.remove(&id);
        Some(id)
    }

    /// Returns when the first agent is due.
    pub(crate) fn next(&self) -> Option<SystemTime> {
        self.by_time.first().map(|(due, _)| *due)
    }
}
