//! Checks a command against the limits before it is kept.

use crate::chain::FollowUp;
use crate::error::NotKept;
use crate::journal::JournalEntry;
use crate::limits::{Limit, MAX_DIRECTIVES, MAX_FOLLOW_UPS, MAX_HOPS, MAX_SCHEDULES};
use crate::owner::Owner;
use skill_core::Agent;

/// A command's follow-ups and schedules, counted before it is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reserved {
    pub(crate) follow_ups: usize,
    /// Scheduled signals that will wait.
    pub(crate) schedules: usize,
}

impl<G: Agent> Owner<G> {
    /// Stamps a command's directives and reserves room for its consequences. Returns an error and reserves nothing if a limit is
    /// exceeded or a schedule cannot repeat.
    pub(crate) fn reserve(&mut self, entry: &mut JournalEntry) -> Result<Reserved, NotKept> {
        if entry.queued() > MAX_DIRECTIVES {
            return Err(NotKept::Limit(Limit::Directives));
        }
        if entry.directives.is_empty() {
            return Ok(Reserved::default());
        }
        self.stamp_directives(&mut entry.directives)?;
        let found = entry.directives.iter().filter_map(FollowUp::of);
        let (mut follow_ups, mut has_hop) = (0, false);
        for follow_up in found {
            follow_ups += 1;
            has_hop |= follow_up == FollowUp::Hop;
        }
        if has_hop && entry.chain.hops() >= MAX_HOPS {
            return Err(NotKept::Limit(Limit::Chain));
        }
        let all = entry.chain.follow_ups().saturating_add(follow_ups);
        if follow_ups > 0 && all > MAX_FOLLOW_UPS {
            return Err(NotKept::Limit(Limit::FollowUps));
        }
        let schedules = self.schedules.more_after(&entry.directives);
        // Schedules from the store must not prevent a start.
        let max = if self.startup.is_none() {
            MAX_SCHEDULES
        } else {
            usize::MAX
        };
        if !self.schedules.reserve(schedules, max) {
            return Err(NotKept::Limit(Limit::Schedules));
        }
        let id = self.journal.as_ref().map_or(0, |log| log.next_directive());
        entry.chain.add(follow_ups, id);
        Ok(Reserved {
            follow_ups,
            schedules,
        })
    }
}
