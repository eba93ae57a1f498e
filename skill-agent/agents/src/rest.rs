//! Agents go to sleep, and their ends are noted.

use crate::index::Listed;
use crate::pool::{Entry, Phase, Pool, State, spawn};
use skill_agent_server::__private::{Idleness, Rest, Started};
use skill_agent_server::clock::Clock;
use skill_agent_server::{AnyAgent, ErasedServer};
use std::mem;
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

/// How long an agent sleeps at least whose server failed.
pub(crate) const AFTER_FAILURE: Duration = Duration::from_secs(30);

impl Pool {
    /// Puts the agent to sleep that was unused for the longest time, so that another gets its place.
    pub(crate) fn free_a_place(self: &Arc<Self>) {
        let awake = self.awake();
        let unused = awake.iter().filter_map(|entry| {
            let state = entry.state();
            state.may_give_place().then_some((state.last_used, entry))
        });
        if let Some((_, entry)) = unused.min_by_key(|(last_used, _)| *last_used) {
            self.put_to_sleep(entry);
        }
    }

    /// Puts an agent to sleep that no call uses, if it has nothing to do.
    pub(crate) fn put_to_sleep(self: &Arc<Self>, entry: &Arc<Entry>) {
        let Some(server) = rest(&mut entry.state()) else {
            return;
        };
        let entry = Arc::clone(entry);
        spawn(self, |pool| async move {
            let server = server.handle::<AnyAgent>();
            let now = pool.clock.now();
            match server.stop_if_idle().await {
                // `ended` follows
                Ok(Idleness::Stops) | Err(_) => return,
                Ok(Idleness::Kept) => go_on(&entry, now, |state| state.is_kept = true),
                Ok(Idleness::Busy) => {
                    go_on(&entry, now, |state| state.is_watched = true);
                    pool.wait_until_idle(&entry, server);
                }
            }
            // another agent may have less to do
            if pool.places.are_wanted() {
                pool.free_a_place();
            }
        });
    }

    /// Frees the place of a busy agent once it has nothing to do, if another agent wants it then.
    fn wait_until_idle(self: &Arc<Self>, entry: &Arc<Entry>, server: ErasedServer) {
        let (pool, entry) = (Arc::downgrade(self), Arc::downgrade(entry));
        self.runtime.spawn(async move {
            // a server that has stopped is noted in `ended`
            let _ = server.when_idle().await;
            drop(server);
            let (Some(pool), Some(entry)) = (pool.upgrade(), entry.upgrade()) else {
                return;
            };
            let is_extra = {
                let mut state = entry.state();
                state.is_watched = false;
                state.has_extra_place()
            };
            if is_extra || pool.places.are_wanted() {
                pool.put_to_sleep(&entry);
            }
        });
    }

    /// Waits for the end of an agent's server, and notes what it leaves.
    pub(crate) fn watch(self: &Arc<Self>, entry: &Arc<Entry>, server: &Started) {
        let rested = server.clone().handle::<AnyAgent>().rested();
        let (pool, entry) = (Arc::downgrade(self), Arc::downgrade(entry));
        self.runtime.spawn(async move {
            let rest = rested.await;
            if let (Some(pool), Some(entry)) = (Weak::upgrade(&pool), Weak::upgrade(&entry)) {
                spawn(&pool, |pool| async move { pool.ended(&entry, rest).await });
            }
        });
    }

    async fn ended(&self, entry: &Arc<Entry>, rest: Option<Rest>) {
        let was_resting = matches!(entry.state().phase, Phase::Resting(..));
        let now = self.clock.now();
        let mut due = rest.map_or(Some(SystemTime::UNIX_EPOCH), |rest| rest.next_due);
        // An agent that fell asleep has done all that it could do now.
        if was_resting || rest.is_none_or(|rest| rest.has_failed) {
            let earliest = now.checked_add(AFTER_FAILURE);
            due = due.map(|due| match earliest {
                Some(earliest) if due <= now => earliest,
                _ => due,
            });
        }
        let listed = match rest {
            Some(rest) => rest.is_stored.then_some(Listed::Asleep(due)),
            // its task was lost
            None => Some(Listed::Awake),
        };
        if let Err(error) = self.index.put(&entry.id, listed).await {
            // the row still says that the agent is awake, so it is woken after the next start
            tracing::error!(agent = self.name, id = %entry.id, %error, "the index was not written");
        }
        let removed = self.ids().awake.remove(&entry.id);
        entry.set_phase(Phase::Asleep);
        drop(removed);
        self.set_due(&entry.id, due);
    }
}

/// Changes the phase of an agent that no call uses. Returns its server.
fn rest(state: &mut State) -> Option<Started> {
    if !state.is_unused() {
        return None;
    }
    match mem::replace(&mut state.phase, Phase::Asleep) {
        Phase::Awake(server, place) => {
            state.phase = Phase::Resting(server.clone(), place);
            Some(server)
        }
        other => {
            state.phase = other;
            None
        }
    }
}

/// Undoes [`rest`].
fn go_on(entry: &Entry, now: SystemTime, note: impl FnOnce(&mut State)) {
    let mut state = entry.state();
    match mem::replace(&mut state.phase, Phase::Asleep) {
        Phase::Resting(server, place) => state.phase = Phase::Awake(server, place),
        other => state.phase = other,
    }
    state.last_used = now;
    note(&mut state);
    drop(state);
    entry.changed.notify_waiters();
}
