//! Restarts: which children, how often, how soon, and the limit.

use super::*;
use crate::children::{Backoff, RestartLimits};
use crate::clock::Clock;
use skill_core::child::Restart;
use std::time::SystemTime;

/// Returns whether a child is restarted after it ended once.
async fn restarts_after(restart: Restart, end: End) -> bool {
    let (clock, log) = (ManualClock::new(), Log::default());
    let children = [
        ending("child", end).restart(restart),
        stops_when_asked("other", &log),
    ];
    let (mut supervisor, _sent) = supervise(children, &clock);
    supervisor.start_all().unwrap();
    started(&mut supervisor, "child").await;
    started(&mut supervisor, "other").await;
    let exited = event_exited("child", end.reason());
    assert_eq!(supervisor.next_event().await, exited);
    let Some(event) = event_now(&mut supervisor).await else {
        return false;
    };
    assert_eq!(event, event_restarting("child", 1, Duration::ZERO));
    started(&mut supervisor, "child").await;
    true
}

#[timed_test::test]
async fn each_restart_policy_restarts_after_the_right_exits() {
    for (restart, ok, err, panic) in [
        (Restart::Permanent, true, true, true),
        (Restart::Transient, false, true, true),
        (Restart::Temporary, false, false, false),
    ] {
        for (end, expected) in [(End::Ok, ok), (End::Err, err), (End::Panic, panic)] {
            let restarted = restarts_after(restart, end).await;
            assert_eq!(restarted, expected, "{restart:?} after {end:?}");
        }
    }
}

/// A child that ends when the test sends a command.
fn ends_on_command(id: &'static str) -> (ChildSpec, mpsc::UnboundedSender<()>) {
    let (command, commands) = mpsc::unbounded_channel::<()>();
    let commands = Arc::new(tokio::sync::Mutex::new(commands));
    let spec = ChildSpec::new(id, move |_| {
        let commands = commands.clone();
        async move {
            commands.lock().await.recv().await;
            Err(failed())
        }
    });
    (spec, command)
}

/// Ends the child and expects its restart.
async fn end_and_expect_restart(
    supervisor: &mut Supervisor,
    clock: &ManualClock,
    end: &mpsc::UnboundedSender<()>,
    (attempt, after): (u32, Duration),
) {
    end.send(()).unwrap();
    let exited = event_exited("child", End::Err.reason());
    assert_eq!(supervisor.next_event().await, exited);
    let restarting = event_restarting("child", attempt, after);
    assert_eq!(supervisor.next_event().await, restarting);
    if !after.is_zero() {
        clock.advance(after - Duration::from_nanos(1));
        assert_eq!(event_now(supervisor).await, None);
        assert_eq!(supervisor.stats().waiting, 1);
        clock.advance(Duration::from_nanos(1));
    }
    started(supervisor, "child").await;
}

#[timed_test::test]
async fn restart_delays_grow_and_reset_after_a_long_run() {
    let clock = ManualClock::new();
    let (child, end) = ends_on_command("child");
    let (supervisor, _sent) = supervise([child], &clock);
    let mut supervisor = supervisor
        .with_limits(RestartLimits::new(100, seconds(60)))
        .with_backoff(Backoff::new(seconds(2), 3, seconds(10)));
    supervisor.start_all().unwrap();
    started(&mut supervisor, "child").await;
    for expected in [(1, 0), (2, 2), (3, 6), (4, 10), (5, 10)] {
        let expected = (expected.0, seconds(expected.1));
        end_and_expect_restart(&mut supervisor, &clock, &end, expected).await;
    }
    clock.advance(seconds(59));
    end_and_expect_restart(&mut supervisor, &clock, &end, (6, seconds(10))).await;
    clock.advance(seconds(60));
    end_and_expect_restart(&mut supervisor, &clock, &end, (1, Duration::ZERO)).await;
    assert_eq!(supervisor.stats().restarts, 7);
}

#[timed_test::test]
async fn exceeding_the_restart_limit_reports_the_child_and_its_last_exit() {
    let (clock, log) = (ManualClock::new(), Log::default());
    let (child, end) = ends_on_command("child");
    let (supervisor, _sent) = supervise([child, stops_when_asked("other", &log)], &clock);
    let mut supervisor = supervisor
        .with_limits(RestartLimits::new(2, seconds(10)))
        .with_backoff(Backoff::new(Duration::ZERO, 1, Duration::ZERO));
    supervisor.start_all().unwrap();
    started(&mut supervisor, "child").await;
    started(&mut supervisor, "other").await;
    end_and_expect_restart(&mut supervisor, &clock, &end, (1, Duration::ZERO)).await;
    clock.advance(seconds(6));
    end_and_expect_restart(&mut supervisor, &clock, &end, (2, Duration::ZERO)).await;
    // The first restart is just outside the window.
    clock.advance(seconds(4) + Duration::from_nanos(1));
    end_and_expect_restart(&mut supervisor, &clock, &end, (3, Duration::ZERO)).await;
    // The second restart is just inside the window.
    clock.advance(seconds(6) - Duration::from_nanos(1));
    end.send(()).unwrap();
    let exited = event_exited("child", End::Err.reason());
    assert_eq!(supervisor.next_event().await, exited);
    let ChildEvent::GaveUp { id, reason } = supervisor.next_event().await else {
        panic!("expected `GaveUp`");
    };
    assert_eq!((&*id, reason.restarts, reason.own), ("child", 2, 2));
    assert_eq!(
        reason.to_string(),
        "the child `child` of `tests` ended after 2 restarts of children within 10s, 2 of them its own, and is not started \
         again: it failed: the file is empty: no bytes"
    );
    // Nothing is restarted any more; the server has to stop the running children.
    assert_eq!(event_now(&mut supervisor).await, None);
    assert_eq!(supervisor.stats().running, 1);
    let error = supervisor.spawn("child", Value::Null).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the child `child` is not started: the children of this agent are stopped"
    );
    log.take();
    assert!(supervisor.stop_all().await.aborted.is_empty());
    assert_eq!(log.take(), ["other stops"]);
}

/// A clock set by the test, on which every sleep completes immediately.
#[derive(Debug)]
struct WallClock(Mutex<SystemTime>);

impl Clock for WallClock {
    fn now(&self) -> SystemTime {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::ready(()))
    }
}

#[timed_test::test]
async fn restarts_before_the_clock_was_set_back_leave_the_window_in_time() {
    let noon = ManualClock::new().now();
    let wall = Arc::new(WallClock(Mutex::new(noon)));
    let (child, end) = ends_on_command("child");
    let (supervisor, _sent) = supervise([child], &ManualClock::new());
    let mut supervisor = supervisor.with_limits(RestartLimits::new(2, seconds(5)));
    supervisor.clock = wall.clone();
    supervisor.start_all().unwrap();
    let eleven = noon - seconds(3600);
    let later = eleven + seconds(6);
    started(&mut supervisor, "child").await;
    for now in [noon, eleven, later, later] {
        *wall.0.lock().unwrap() = now;
        end.send(()).unwrap();
        let exited = event_exited("child", End::Err.reason());
        assert_eq!(supervisor.next_event().await, exited);
        let event = supervisor.next_event().await;
        assert!(matches!(event, ChildEvent::Restarting { .. }), "{event:?}");
        started(&mut supervisor, "child").await;
    }
}

#[timed_test::test]
async fn the_children_of_a_server_share_one_restart_limit() {
    let clock = ManualClock::new();
    let children = [ending("a", End::Panic), ending("b", End::Ok)];
    let (mut supervisor, _sent) = supervise(children, &clock);
    supervisor.start_all().unwrap();
    let reason = loop {
        if let ChildEvent::GaveUp { reason, .. } = supervisor.next_event().await {
            break reason;
        }
        clock.advance(Duration::from_millis(100));
    };
    assert_eq!(reason.restarts, 3);
    assert!((1..=2).contains(&reason.own), "{reason}");
    let stats = supervisor.stats();
    assert_eq!((stats.restarts, stats.waiting), (3, 0));
    // The other child may still be running, but is not restarted.
    while let Some(event) = event_now(&mut supervisor).await {
        assert!(matches!(event, ChildEvent::Exited { .. }), "{event:?}");
    }
    assert_eq!(supervisor.stats().running, 0);
}

#[timed_test::test]
async fn with_no_restarts_allowed_the_first_exit_gives_up() {
    let clock = ManualClock::new();
    let (supervisor, _sent) = supervise([ending("a", End::Ok)], &clock);
    let mut supervisor = supervisor.with_limits(RestartLimits::new(0, seconds(5)));
    supervisor.start_all().unwrap();
    started(&mut supervisor, "a").await;
    let exited = event_exited("a", ExitReason::Finished);
    assert_eq!(supervisor.next_event().await, exited);
    let gave_up = supervisor.next_event().await;
    assert!(matches!(gave_up, ChildEvent::GaveUp { .. }), "{gave_up:?}");
}

#[timed_test::test]
async fn dropping_next_event_loses_no_event() {
    let clock = ManualClock::new();
    let (child, end) = ends_on_command("child");
    let (supervisor, _sent) = supervise([child], &clock);
    let mut supervisor = supervisor.with_backoff(Backoff::new(seconds(3), 1, seconds(3)));
    supervisor.start_all().unwrap();
    started(&mut supervisor, "child").await;
    assert_eq!(event_now(&mut supervisor).await, None);
    end_and_expect_restart(&mut supervisor, &clock, &end, (1, Duration::ZERO)).await;
    assert_eq!(event_now(&mut supervisor).await, None);
    // The second call polls the timer again, after the future that held it was dropped.
    end_and_expect_restart(&mut supervisor, &clock, &end, (2, seconds(3))).await;
}
