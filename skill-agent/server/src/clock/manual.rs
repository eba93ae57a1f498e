//! A clock that stands still until a test advances it.

use crate::clock::Clock;
use skill_core::child::BoxFuture;
use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

/// A clock that moves only through [`advance`](Self::advance) and [`set`](Self::set). Clones share the same time.
///
/// A test waits with [`wait_for_sleepers`](Self::wait_for_sleepers) until the tested code sleeps, and then advances the time, so
/// no real time passes.
///
/// ```
/// use skill_agent::clock::Clock;
/// use skill_agent::testing::ManualClock;
/// use std::time::Duration;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let clock = ManualClock::new();
/// let started = clock.now();
/// let task = tokio::spawn(clock.sleep(Duration::from_secs(3600)));
/// clock.wait_for_sleepers(1).await;
/// clock.advance(Duration::from_secs(3600));
/// task.await.unwrap();
/// assert_eq!(clock.now(), started + Duration::from_secs(3600));
/// # });
/// ```
#[derive(Clone)]
pub struct ManualClock {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Notified when a sleep starts.
    began: Notify,
}

struct State {
    now: SystemTime,
    /// The total of all advances. Sleeps are measured against it.
    elapsed: Duration,
    /// The sleeps, ordered by due time and then by the number of the call.
    sleepers: BTreeMap<Key, Option<Waker>>,
    calls: u64,
}

/// The elapsed time at which the sleep is due, and the number of the call.
type Key = (Duration, u64);

impl Shared {
    /// Locks the state, ignoring poisoning, because no code leaves a change half done while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ManualClock {
    /// Creates a clock at 2026-01-01 00:00:00 UTC, so that every run of a test has the same times.
    pub fn new() -> Self {
        Self::at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600))
    }

    /// Creates a clock at the time `now`.
    pub fn at(now: SystemTime) -> Self {
        let state = State {
            now,
            elapsed: Duration::ZERO,
            sleepers: BTreeMap::new(),
            calls: 0,
        };
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                began: Notify::new(),
            }),
        }
    }

    /// Advances the time, and completes the sleeps that are due, in order.
    ///
    /// A task that sleeps again starts from the new time. To see every beat of a periodic task, advance by one beat at a time. If
    /// the platform cannot represent the new wall-clock time, the wall clock moves by two hundred years instead, or not at all.
    pub fn advance(&self, duration: Duration) {
        let due = {
            let mut state = self.shared.state();
            state.now = after(state.now, duration);
            state.elapsed = state.elapsed.saturating_add(duration);
            let elapsed = state.elapsed;
            let later = state.sleepers.split_off(&(elapsed, u64::MAX));
            std::mem::replace(&mut state.sleepers, later)
        };
        for waker in due.into_values().flatten() {
            waker.wake();
        }
    }

    /// Sets the wall-clock time forward or back, as a person or a time server does. The elapsed time does not change, so sleeps
    /// take as long as before.
    pub fn set(&self, now: SystemTime) {
        self.shared.state().now = now;
    }

    /// Returns the number of sleeps that are not yet due and have not been dropped.
    pub fn sleepers(&self) -> usize {
        self.shared.state().sleepers.len()
    }

    /// Waits until at least `count` sleeps have started and are not yet due.
    pub async fn wait_for_sleepers(&self, count: usize) {
        loop {
            let began = self.shared.began.notified();
            if self.sleepers() >= count {
                return;
            }
            began.await;
        }
    }
}

/// Returns `now + duration`, without panicking.
fn after(now: SystemTime, duration: Duration) -> SystemTime {
    /// Two hundred years, which is longer than any test.
    const LONG: Duration = Duration::from_secs(200 * 366 * 24 * 3600);
    now.checked_add(duration)
        .or_else(|| now.checked_add(LONG))
        .unwrap_or(now)
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.state();
        f.debug_struct("ManualClock")
            .field("now", &state.now)
            .field("sleepers", &state.sleepers.len())
            .finish()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> SystemTime {
        self.shared.state().now
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        let mut state = self.shared.state();
        state.calls += 1;
        let key = (state.elapsed.saturating_add(duration), state.calls);
        if key.0 > state.elapsed {
            state.sleepers.insert(key, None);
        }
        drop(state);
        self.shared.began.notify_waiters();
        Box::pin(Sleep {
            shared: self.shared.clone(),
            key,
        })
    }
}

struct Sleep {
    shared: Arc<Shared>,
    key: Key,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.shared.state();
        let Some(waker) = state.sleepers.get_mut(&self.key) else {
            // the entry was removed when the sleep became due
            return Poll::Ready(());
        };
        let old = waker.replace(cx.waker().clone());
        // dropping a task's last waker drops the task, which may drop another sleeper
        drop(state);
        drop(old);
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let _waker = self.shared.state().sleepers.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records its own name when it is woken.
    struct Note(&'static str, Arc<Mutex<Vec<&'static str>>>);

    impl std::task::Wake for Note {
        fn wake(self: Arc<Self>) {
            self.1.lock().unwrap().push(self.0);
        }
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn sleepers_wake_in_the_order_in_which_they_are_due() {
        let clock = ManualClock::new();
        let notes = Arc::default();
        let poll = |name, sleep: &mut BoxFuture<()>| {
            let waker = Waker::from(Arc::new(Note(name, Arc::clone(&notes))));
            sleep.as_mut().poll(&mut Context::from_waker(&waker))
        };
        let mut sleeps = [("c", 3), ("a", 1), ("b", 2), ("d", 3), ("late", 4)]
            .map(|(name, after)| (name, clock.sleep(seconds(after))));
        for (name, sleep) in &mut sleeps {
            assert!(poll(name, sleep).is_pending());
        }
        assert_eq!(clock.sleepers(), 5);
        clock.advance(seconds(3));
        assert_eq!(*notes.lock().unwrap(), ["a", "b", "c", "d"]);
        assert_eq!(clock.sleepers(), 1);
        for (name, sleep) in &mut sleeps {
            assert_eq!(poll(name, sleep).is_pending(), *name == "late");
        }
        drop(sleeps);
        assert_eq!(clock.sleepers(), 0);
    }

    #[test]
    fn time_is_counted_from_the_call_and_may_be_endless() {
        let clock = ManualClock::at(SystemTime::UNIX_EPOCH);
        let mut polled = Context::from_waker(Waker::noop());
        let mut first = clock.sleep(seconds(2));
        let mut endless = clock.sleep(Duration::MAX);
        clock.clone().advance(seconds(2));
        assert!(first.as_mut().poll(&mut polled).is_ready());
        assert!(
            clock
                .sleep(Duration::ZERO)
                .as_mut()
                .poll(&mut polled)
                .is_ready()
        );
        assert!(endless.as_mut().poll(&mut polled).is_pending());
        assert_eq!(clock.now(), SystemTime::UNIX_EPOCH + seconds(2));
    }

    #[test]
    fn a_sleep_takes_as_long_when_the_clock_is_set() {
        let clock = ManualClock::new();
        let began = clock.now();
        let mut polled = Context::from_waker(Waker::noop());
        let mut sleep = clock.sleep(seconds(10));
        for now in [began + seconds(100), began - seconds(100)] {
            clock.set(now);
            assert_eq!(clock.now(), now);
            assert!(sleep.as_mut().poll(&mut polled).is_pending());
        }
        clock.advance(seconds(9));
        assert!(sleep.as_mut().poll(&mut polled).is_pending());
        clock.advance(seconds(1));
        assert!(sleep.as_mut().poll(&mut polled).is_ready());
        assert_eq!(clock.now(), began - seconds(90));
    }

    #[tokio::test]
    async fn a_test_waits_for_those_who_sleep() {
        let clock = ManualClock::new();
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move {
                clock.sleep(seconds(1)).await;
                clock.sleep(seconds(1)).await;
                clock.now()
            }
        });
        let began = clock.now();
        for _ in 0..2 {
            clock.wait_for_sleepers(1).await;
            clock.advance(seconds(1));
        }
        assert_eq!(sleeper.await.unwrap(), began + seconds(2));
    }
}
