//! A stop answers the mailbox, gives follow-ups the grace period, and returns what is left.

use crate::fan_agent::*;
use crate::support::seconds;
use skill_agent::child::BoxFuture;
use skill_agent::clock::Clock;
use skill_agent::server::{MAX_FOLLOW_UPS, OutboundSignal, PublishFuture, SignalSink, StopReport};
use skill_agent::testing::ManualClock;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

listed_enum! {
    /// How commands follow from one another.
    enum Chain {
        Runs,
        Loopbacks,
        Schedules,
    }
}

impl Chain {
    fn repeat(self) -> Repeat {
        let (kind, count) = match self {
            Self::Runs => (Kind::Run, 10),
            Self::Loopbacks => (Kind::Loopback, 2),
            Self::Schedules => (Kind::Now, 2),
        };
        Repeat { kind, count }
    }
}

/// The number of commands that a chain leaves: each turn queued as many as its count, and each but the first was one of those.
fn left(chain: Chain) -> usize {
    turns() * chain.repeat().count - (turns() - 1)
}

#[timed_test::test]
async fn a_stop_ends_a_chain_that_goes_on_for_longer_than_the_grace_time() {
    for chain in Chain::ALL {
        let clock = ManualClock::new();
        advance_each_turn(&clock);
        reset_turns();
        let builder = fan().clock(clock.clone()).grace(seconds(5));
        let server = builder.start().await.unwrap();
        // The call and the stop are in the mailbox together: all turns but the first are in the grace period.
        let mut call = pin!(server.call(chain.repeat()));
        let polled = std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending()));
        assert!(polled.await);
        let report = server.stop().await.unwrap();
        call.await.unwrap();
        assert_eq!(turns(), 6, "{chain:?}");
        let dropped = left(*chain);
        assert_eq!((report.pending, report.dropped), (0, dropped), "{chain:?}");
    }
}

#[timed_test::test]
async fn a_stop_interrupts_a_chain_after_the_present_command() {
    let clock = ManualClock::new();
    advance_each_turn(&clock);
    let builder = fan().clock(clock.clone()).grace(seconds(5));
    let server = builder.start().await.unwrap();
    let other = server.clone();
    at_turn(300, move || {
        let mut stop = pin!(other.stop());
        let polled = stop.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending());
    });
    server.call(Chain::Runs.repeat()).await.unwrap();
    let report = server.stop().await.unwrap();
    assert_eq!(turns(), 300 + 5);
    assert_eq!(report.dropped, left(Chain::Runs));
}

/// Counts what it takes.
#[derive(Clone, Default)]
struct CountingSink(Arc<AtomicUsize>);

impl SignalSink for CountingSink {
    fn publish(&self, _: OutboundSignal) -> PublishFuture<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(()) })
    }
}

#[timed_test::test]
async fn follow_ups_that_end_within_the_grace_time_are_run() {
    for kind in [Kind::Run, Kind::Loopback, Kind::Now] {
        let sink = CountingSink::default();
        let builder = fan().clock(ManualClock::new()).signal_sink(sink.clone());
        let server = builder.start().await.unwrap();
        let counts = vec![3; 500];
        let mut call = pin!(server.call(Spread { kind, counts }));
        let polled = std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending()));
        assert!(polled.await);
        let report = server.stop().await.unwrap();
        call.await.unwrap();
        assert_eq!(report, StopReport::default(), "{kind:?}");
        let stats = server.stats();
        // `spread`, the runs of `queue`, and the marks
        let expected = 1 + 500 + 1_500;
        assert!(stats.handled >= expected, "{kind:?}: {stats:?}");
        assert_eq!(stats.failed, 0, "{kind:?}");
        let looped = if kind == Kind::Loopback { 1_500 } else { 0 };
        assert_eq!(sink.0.load(Ordering::Relaxed), looped, "{kind:?}");
    }
}

#[timed_test::test]
async fn calls_in_the_mailbox_are_answered_before_a_chain_goes_on() {
    let clock = ManualClock::new();
    advance_each_turn(&clock);
    let server = fan().clock(clock.clone()).grace(Duration::ZERO);
    let server = server.start().await.unwrap();
    let mut repeat = pin!(server.call(Chain::Runs.repeat()));
    let mut marks: Vec<_> = (0..700).map(|_| Box::pin(server.call(Mark {}))).collect();
    std::future::poll_fn(|cx| {
        assert!(repeat.as_mut().poll(cx).is_pending());
        for mark in &mut marks {
            assert!(mark.as_mut().poll(cx).is_pending());
        }
        Poll::Ready(())
    })
    .await;
    let report = server.stop().await.unwrap();
    repeat.await.unwrap();
    for mark in marks {
        mark.await.unwrap();
    }
    assert_eq!((turns(), report.dropped), (1, 10));
}

/// Its sleeps panic.
#[derive(Debug)]
struct SleeplessClock(ManualClock);

impl Clock for SleeplessClock {
    fn now(&self) -> SystemTime {
        self.0.now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        panic!("the clock panics")
    }
}

#[timed_test::test]
async fn a_clock_that_panics_ends_the_grace_time() {
    let clock = SleeplessClock(ManualClock::new());
    let server = fan().clock(clock).start().await.unwrap();
    server.call(Chain::Runs.repeat()).await.unwrap();
    let report = server.stop().await.unwrap();
    assert!(turns() < MAX_FOLLOW_UPS / 10, "{} turns", turns());
    assert_eq!(report.dropped, left(Chain::Runs));
}

#[timed_test::test]
async fn schedules_and_async_runs_that_a_stop_drops_are_counted() {
    let builder = fan().clock(ManualClock::new()).grace(Duration::ZERO);
    let server = builder.concurrent_actions(2).start().await.unwrap();
    hold(true);
    let plan = Plan {
        count: 3,
        seconds: 1,
    };
    server.call(plan).await.unwrap();
    for kind in [Kind::Run, Kind::Loopback, Kind::Now, Kind::Run] {
        server.call(Begin { kind }).await.unwrap();
    }
    while server.stats().running < 2 {
        tokio::task::yield_now().await;
    }
    let report = server.stop().await.unwrap();
    // two that run, two that wait to run, and the schedules
    assert_eq!((report.pending, report.dropped), (0, 4 + 3));
}
