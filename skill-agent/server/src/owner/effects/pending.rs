//! Pending directives.

use crate::lifecycle::stop_report::StopReport;
use crate::owner::Owner;
use crate::stats;
use skill_core::Agent;

/// The pending directives of a server without a store.
#[derive(Debug, Default)]
pub(crate) struct UnloggedDirectives {
    /// The number of the last directive.
    last: u64,
    count: usize,
}

impl UnloggedDirectives {
    /// Adds a directive and returns its number.
    pub(crate) fn add(&mut self) -> u64 {
        self.last += 1;
        self.count += 1;
        self.last
    }

    pub(crate) fn done(&mut self) {
        self.count = self.count.saturating_sub(1);
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

impl<G: Agent> Owner<G> {
    /// Marks a directive as done. The mark is written with the next record.
    pub(crate) fn done(&mut self, number: Option<u64>) {
        stats::add(&self.shared.counters.directives, 1);
        match (&mut self.journal, number) {
            (Some(journal), Some(number)) => journal.done(number),
            (None, Some(_)) => self.unlogged.done(),
            (_, None) => {}
        }
    }

    /// Returns how many directives are not done yet.
    pub(crate) fn stop_report(&self) -> StopReport {
        match &self.journal {
            Some(journal) => StopReport {
                pending: journal.pending(),
                dropped: 0,
            },
            None => StopReport {
                pending: 0,
                dropped: self.unlogged.count(),
            },
        }
    }
}
