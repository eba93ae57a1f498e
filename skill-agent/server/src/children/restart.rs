//! Handles the end of a child: ignores it, restarts the child, or gives up.

use super::child::State;
use super::supervisor::Exit;
use super::{ChildEvent, ExitReason, RestartLimitExceeded, Supervisor};
use skill_core::child::Restart;
use std::time::{Duration, SystemTime};

impl Supervisor {
    /// Handles the end of a child that was not asked to stop.
    pub(super) fn handle_exit(&mut self, exit: Exit) {
        let Exit {
            index,
            since,
            reason,
        } = exit;
        let child = &self.children[index];
        self.events.push_back(ChildEvent::Exited {
            id: child.spec.id.clone(),
            reason: reason.clone(),
        });
        let wanted = match child.spec.restart {
            Restart::Permanent => true,
            Restart::Transient => reason != ExitReason::Finished,
            // `Restart` is `non_exhaustive`; an unknown policy does not restart the child
            _ => false,
        };
        if !wanted || self.closed {
            self.order.retain(|other| *other != index);
            return;
        }
        let now = self.clock.now();
        self.drop_old_restarts(now);
        if self.restarts.len() >= self.limits.max_restarts as usize {
            self.give_up(index, reason);
        } else {
            self.restart(index, now, passed(since, now));
        }
    }

    fn restart(&mut self, index: usize, now: SystemTime, ran: Duration) {
        self.restarts.push_back((now, index));
        self.restarted += 1;
        let child = &mut self.children[index];
        if ran >= self.limits.within {
            child.attempts = 0;
        }
        child.attempts = child.attempts.saturating_add(1);
        child.state = State::Waiting;
        let (id, attempt) = (child.spec.id.clone(), child.attempts);
        let after = self.backoff.wait(attempt);
        tracing::info!(child = %id, skill = child.skill, attempt, ?after, "child restarts");
        self.events
            .push_back(ChildEvent::Restarting { id, attempt, after });
        self.waits.push((index, self.clock.sleep(after)));
    }

    fn give_up(&mut self, index: usize, last: ExitReason) {
        self.order.retain(|other| *other != index);
        self.close();
        let child = &self.children[index];
        let reason = RestartLimitExceeded {
            id: child.spec.id.clone(),
            skill: child.skill,
            restarts: self.restarts.len(),
            own: self.restarts.iter().filter(|(_, i)| *i == index).count(),
            within: self.limits.within,
            last,
        };
        tracing::error!(child = %reason.id, skill = reason.skill, %reason, "too many restarts");
        self.events.push_back(ChildEvent::GaveUp {
            id: child.spec.id.clone(),
            reason,
        });
    }

    /// Prevents any more starts, and cancels the pending restarts.
    pub(super) fn close(&mut self) {
        self.closed = true;
        for (index, _) in self.waits.drain(..) {
            self.children[index].state = State::Idle;
            self.order.retain(|other| *other != index);
        }
    }

    /// Drops the restarts that are outside the time window at the time `now`.
    fn drop_old_restarts(&mut self, now: SystemTime) {
        for (at, _) in &mut self.restarts {
            // if the clock was set back, these restarts would otherwise count until the clock reaches their times again
            *at = (*at).min(now);
        }
        let within = self.limits.within;
        self.restarts.retain(|(at, _)| passed(*at, now) <= within);
    }
}

/// Returns the time that has passed, or zero if the clock was set back.
fn passed(from: SystemTime, to: SystemTime) -> Duration {
    to.duration_since(from).unwrap_or_default()
}
