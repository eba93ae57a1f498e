//! Requests about the work of a server: whether it has any, and to stop if it has none.

use super::Owner;
use crate::journal::{Journal, PendingDirective};
use crate::lifecycle::rest::{Idleness, Rest};
use crate::lifecycle::stop_reason::StopReason;
use crate::mailbox::responder::Responder;
use skill_core::Agent;
use std::convert::Infallible;
use std::time::SystemTime;

/// The requests that were not answered yet.
#[derive(Default)]
pub(crate) struct IdleRequests {
    /// Those that wait until there is nothing to do.
    pub(crate) when_idle: Vec<Responder<(), Infallible>>,
    /// Those that are answered at once.
    pub(crate) stop_if_idle: Vec<Responder<Idleness, Infallible>>,
}

impl IdleRequests {
    pub(crate) fn is_empty(&self) -> bool {
        self.when_idle.is_empty() && self.stop_if_idle.is_empty()
    }
}

impl<G: Agent> Owner<G> {
    /// Responds to requests. Returns whether the server is to stop.
    pub(super) fn answer_idle(&mut self, has_messages: bool) -> bool {
        let is_idle = !has_messages && self.has_nothing_to_do();
        if is_idle {
            for responder in self.idle_requests.when_idle.drain(..) {
                responder.respond(Ok(()));
            }
        }
        let children = self.children.stats();
        let idleness = if !is_idle {
            Idleness::Busy
        } else if children.running + children.waiting > 0 || self.turns.are_in_use() {
            Idleness::Kept
        } else {
            Idleness::Stops
        };
        let mut is_to_stop = false;
        for responder in self.idle_requests.stop_if_idle.drain(..) {
            is_to_stop |= idleness == Idleness::Stops && responder.is_wanted();
            responder.respond(Ok(idleness));
        }
        is_to_stop
    }

    /// Returns whether no command, async action or delivery is running or waiting, and no signal is due.
    fn has_nothing_to_do(&self) -> bool {
        let now = self.now();
        self.is_settled()
            && self.undelivered == 0
            && self.tasks.is_empty()
            && self.schedules.next_due().is_none_or(|due| due > now)
    }

    /// Returns the work that is left for the next server.
    pub(super) fn rest(&self, reason: &StopReason) -> Rest {
        let scheduled = self.schedules.waiting();
        let is_scheduled = |pending: &PendingDirective| scheduled.contains(&pending.logged.n);
        let mut pending = self.journal.iter().flat_map(Journal::not_done);
        Rest {
            next_due: if pending.all(is_scheduled) {
                self.schedules.next_due()
            } else {
                Some(SystemTime::UNIX_EPOCH)
            },
            is_stored: self.journal.as_ref().is_some_and(Journal::is_stored),
            has_failed: !reason.is_wanted(),
        }
    }
}
