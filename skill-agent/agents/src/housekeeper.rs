//! Puts idle agents to sleep, and wakes those that have something to do.

use crate::pool::{Pool, spawn};
use crate::rest::AFTER_FAILURE;
use crate::wake::{AgentHandle, Hold, wake};
use skill_agent_server::SendError;
use skill_agent_server::clock::Clock;
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

/// The longest wait before the wall clock is read again. A sleep does not end early if the clock is set forward or the machine was
/// suspended.
const CLOCK_CHECK: Duration = Duration::from_secs(1);

/// Runs until the agents stop.
pub(crate) async fn run(pool: Weak<Pool>) {
    loop {
        let Some(strong) = pool.upgrade().filter(|pool| !pool.is_stopping()) else {
            return;
        };
        let housekeeping = Arc::clone(&strong.housekeeping);
        let clock = strong.clock.clone();
        let next = strong.tidy();
        drop(strong);
        match next {
            Some(next) => {
                let left = next.duration_since(clock.now()).unwrap_or_default();
                tokio::select! {
                    () = clock.sleep(left.min(CLOCK_CHECK)) => {}
                    () = housekeeping.notified() => {}
                }
            }
            None => housekeeping.notified().await,
        }
    }
}

/// The shortest wait for an agent in use.
const SHORTEST: Duration = Duration::from_millis(100);

impl Pool {
    /// Puts agents to sleep that were unused for long enough, and wakes those that are due. Returns when to look again.
    pub(crate) fn tidy(self: &Arc<Self>) -> Option<SystemTime> {
        let now = self.clock.now();
        let awake = self.awake();
        // an agent that is in use now may be idle that long after
        let mut next = match &awake[..] {
            [] => None,
            _ => now.checked_add(self.idle_after.max(SHORTEST)),
        };
        for entry in &awake {
            let unused_since = {
                let state = entry.state();
                state.is_unused().then_some(state.last_used)
            };
            match unused_since.and_then(|since| since.checked_add(self.idle_after)) {
                Some(end) if end <= now => self.put_to_sleep(entry),
                Some(end) => next = next.map(|next| next.min(end)),
                None => {}
            }
        }
        loop {
            let due = self.due().pop(now);
            let Some(id) = due else { break };
            self.wake_due(id);
        }
        let due = self.due().next();
        [next, due].into_iter().flatten().min()
    }

    /// Wakes an agent that has something to do. Until that is done, its server does not stop.
    fn wake_due(self: &Arc<Self>, id: Arc<str>) {
        spawn(self, |pool| async move {
            let _turn = pool.due_wakes.acquire().await;
            if pool.is_stopping() {
                return;
            }
            let handle = AgentHandle {
                entry: pool.entry(&id),
                hold: Hold::Strong(Arc::clone(&pool)),
                is_urgent: false,
            };
            if let Err(error) = wake(Arc::new(handle), None).await
                && !pool.is_stopping()
            {
                let error = SendError::from(error);
                tracing::error!(agent = pool.name, %id, %error, "an agent that is due is tried again");
                let again = pool.clock.now().checked_add(AFTER_FAILURE);
                pool.set_due(&id, again);
            }
        });
    }
}
