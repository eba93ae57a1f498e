//! Agents wake when a handle to them is used.

use crate::index::Listed;
use crate::places::Place;
use crate::pool::{Attempt, Entry, Phase, Pool, spawn};
use crate::rest::AFTER_FAILURE;
use skill_agent_server::__private::{Lease, NotAwake, Started, Wake, catch};
use skill_agent_server::StartError;
use skill_agent_server::clock::Clock;
use skill_agent_store::StoreError;
use skill_core::child::BoxFuture;
use skill_core::process::full_text;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// How a handle holds all agents.
#[derive(Clone)]
pub(crate) enum Hold {
    /// As one of the handles that keep the agents running.
    Strong(Arc<Pool>),
    /// As a resource of an agent, which does not keep the agents running.
    Weak(Weak<Pool>),
}

impl Hold {
    pub(crate) fn pool(&self) -> Option<Arc<Pool>> {
        match self {
            Self::Strong(pool) => Some(Arc::clone(pool)),
            Self::Weak(pool) => pool.upgrade(),
        }
    }
}

/// A handle to an agent.
pub(crate) struct AgentHandle {
    pub(crate) hold: Hold,
    /// Whether its calls do not wait for a place.
    pub(crate) is_urgent: bool,
    pub(crate) entry: Arc<Entry>,
}

type Outcome = watch::Receiver<Option<Result<(), NotAwake>>>;

/// The reason for a call to wait.
enum Wait {
    /// For an attempt to wake the agent.
    Attempt(Arc<Attempt>, Outcome),
    /// For an agent on the way to sleep.
    Change,
}

impl Wake for AgentHandle {
    fn server(&self) -> Option<Started> {
        self.entry.state().server().cloned()
    }

    fn lease(self: Arc<Self>) -> Option<Lease> {
        let mut state = self.entry.state();
        let server = match &state.phase {
            Phase::Awake(server, _) if !server.is_closed() => server.clone(),
            _ => return None,
        };
        state.leases += 1;
        state.is_kept = false;
        drop(state);
        Some(Lease::new(server, self))
    }

    fn wake(self: Arc<Self>) -> BoxFuture<Result<Lease, NotAwake>> {
        Box::pin(async move {
            let within = self.hold.pool().map(|pool| pool.within);
            wake(Arc::clone(&self), within.filter(|_| !self.is_urgent)).await
        })
    }

    fn release(&self) {
        if let Some(pool) = self.hold.pool() {
            release(&pool, &self.entry);
        }
    }
}

/// Wakes an agent. If `within` is `None`, the call waits for a place without a limit.
pub(crate) async fn wake(
    handle: Arc<AgentHandle>,
    within: Option<Duration>,
) -> Result<Lease, NotAwake> {
    let pool = handle.hold.pool().ok_or(NotAwake::Stopped)?;
    // kept until the lease is taken, because the agent stays awake for those that wait
    let mut waited;
    loop {
        if pool.is_stopping() {
            return Err(NotAwake::Stopped);
        }
        let mut changed = pin!(handle.entry.changed.notified());
        changed.as_mut().enable();
        match begin(&pool, &handle) {
            None => {
                if let Some(lease) = Arc::clone(&handle).lease() {
                    return Ok(lease);
                }
            }
            Some(Wait::Change) => changed.await,
            Some(Wait::Attempt(attempt, outcome)) => {
                waited = outcome;
                ended(&pool, &attempt, &mut waited, within).await?;
                if let Some(lease) = Arc::clone(&handle).lease() {
                    return Ok(lease);
                }
            }
        }
    }
}

/// Begins to wake an agent. Returns `None` if it is awake.
fn begin(pool: &Arc<Pool>, handle: &AgentHandle) -> Option<Wait> {
    let entry = &handle.entry;
    let mut state = entry.state();
    match &state.phase {
        Phase::Awake(server, _) if !server.is_closed() => None,
        // its server stops, or is asked to
        Phase::Awake(..) | Phase::Resting(..) => Some(Wait::Change),
        Phase::Waking(attempt) => {
            if handle.is_urgent {
                attempt.is_urgent.send_replace(true);
            }
            let outcome = attempt.outcome.subscribe();
            Some(Wait::Attempt(Arc::clone(attempt), outcome))
        }
        Phase::Asleep => {
            let attempt = Arc::new(Attempt {
                outcome: watch::Sender::new(None),
                has_place: AtomicBool::new(false),
                is_urgent: watch::Sender::new(handle.is_urgent),
            });
            let outcome = attempt.outcome.subscribe();
            state.phase = Phase::Waking(Arc::clone(&attempt));
            drop(state);
            let (entry, ours) = (Arc::clone(entry), Arc::clone(&attempt));
            spawn(pool, |pool| async move { run(&pool, &entry, &ours).await });
            Some(Wait::Attempt(attempt, outcome))
        }
    }
}

/// Waits for the end of an attempt. The time limit is for the place.
async fn ended(
    pool: &Pool,
    attempt: &Attempt,
    outcome: &mut Outcome,
    within: Option<Duration>,
) -> Result<(), NotAwake> {
    if let Some(within) = within {
        tokio::select! {
            biased;
            ended = outcome.wait_for(Option::is_some) => return result(ended.ok().as_deref()),
            () = pool.clock.sleep(within) => {}
        }
        if !attempt.has_place.load(Ordering::Acquire) {
            return Err(NotAwake::NoPlace(within));
        }
    }
    let ended = outcome.wait_for(Option::is_some).await;
    result(ended.ok().as_deref())
}

fn result(outcome: Option<&Option<Result<(), NotAwake>>>) -> Result<(), NotAwake> {
    match outcome {
        Some(Some(result)) => result.clone(),
        _ => Err(NotAwake::Stopped),
    }
}

/// Makes an attempt.
async fn run(pool: &Arc<Pool>, entry: &Arc<Entry>, attempt: &Attempt) {
    let result = match started(pool, entry, attempt).await {
        Some(Ok((server, place))) => {
            pool.ids()
                .awake
                .insert(Arc::clone(&entry.id), Arc::clone(entry));
            let now = pool.clock.now();
            {
                let mut state = entry.state();
                // for the calls that wait
                state.leases += 1;
                state.last_used = now;
            }
            entry.set_phase(Phase::Awake(server.clone(), place));
            pool.watch(entry, &server);
            attempt.outcome.send_replace(Some(Ok(())));
            tokio::select! {
                () = attempt.outcome.closed() => {}
                // a call that is not polled does not hold up the end
                () = pool.stopping() => {}
            }
            release(pool, entry);
            pool.housekeeping.notify_one();
            return;
        }
        Some(Err(error)) => Err(error),
        // no call waits any more; one that has come meanwhile tries again
        None => Ok(()),
    };
    entry.set_phase(Phase::Asleep);
    attempt.outcome.send_replace(Some(result));
}

/// Starts the server of an agent. Returns `None` if no call waits for it any more.
async fn started(
    pool: &Arc<Pool>,
    entry: &Arc<Entry>,
    attempt: &Attempt,
) -> Option<Result<(Started, Place), NotAwake>> {
    let failed = |error| NotAwake::Start(Arc::new(error));
    let made = catch(|| (pool.make)(pool, entry))
        .unwrap_or_else(|message| Err(StartError::panicked(message)));
    let starting = match made {
        Ok(starting) => starting,
        Err(error) => return Some(Err(failed(error))),
    };
    let place = match pool.places.try_take() {
        Some(place) => place,
        None => {
            let mut urgent = attempt.is_urgent.subscribe();
            let waiting = pool.places.wait();
            if !*urgent.borrow() {
                pool.free_a_place();
            }
            tokio::select! {
                biased;
                // the sender is in `attempt`
                _ = urgent.wait_for(|is_urgent| *is_urgent) => Place::extra(),
                place = waiting.take() => place,
                () = attempt.outcome.closed() => return None,
                () = pool.stopping() => return Some(Err(NotAwake::Stopped)),
            }
        }
    };
    attempt.has_place.store(true, Ordering::Release);
    let server = start(pool, entry, starting).await.inspect_err(|error| {
        let error = full_text(error);
        tracing::error!(agent = pool.name, id = %entry.id, error, "an agent was not woken");
    });
    Some(server.map(|server| (server, place)).map_err(failed))
}

/// Lists an agent as awake, and starts its server. If the start fails, the list is as before.
async fn start(
    pool: &Pool,
    entry: &Entry,
    starting: BoxFuture<Result<Started, StartError>>,
) -> Result<Started, StartError> {
    let store = |error: Arc<StoreError>| StartError::index(&entry.id, full_text(&error));
    let before = pool.index.get(&entry.id).await.map_err(store)?;
    if before != Some(Listed::Awake) {
        let awake = Some(Listed::Awake);
        pool.index.put(&entry.id, awake).await.map_err(store)?;
    }
    pool.set_due(&entry.id, None);
    let error = match starting.await {
        Ok(server) => return Ok(server),
        Err(error) => error,
    };
    if let Err(error) = pool.index.put(&entry.id, before).await {
        tracing::error!(agent = pool.name, id = %entry.id, %error, "the index was not written");
    }
    let due = match before {
        None => None,
        Some(Listed::Asleep(due)) => due,
        Some(Listed::Awake) => Some(pool.clock.now()),
    };
    let again = pool.clock.now().checked_add(AFTER_FAILURE);
    let due = due.map(|due| again.map_or(due, |again| due.max(again)));
    pool.set_due(&entry.id, due);
    Err(error)
}

/// Gives a lease back.
fn release(pool: &Arc<Pool>, entry: &Arc<Entry>) {
    let now = pool.clock.now();
    let mut state = entry.state();
    state.leases = state.leases.saturating_sub(1);
    state.last_used = now;
    let is_extra = state.has_extra_place();
    let gives_place = state.may_give_place() && (is_extra || pool.places.are_wanted());
    drop(state);
    pool.activity.note();
    if gives_place {
        pool.put_to_sleep(entry);
    }
}
