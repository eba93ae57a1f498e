//! Stopping children: in reverse order, in time, and completely.

use super::*;
use crate::children::{Backoff, StopReport};
use skill_core::child::Shutdown;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Calls `stop_all` in its own task, so the test can advance the clock.
fn stopping(mut supervisor: Supervisor) -> JoinHandle<(Supervisor, StopReport)> {
    tokio::spawn(async move {
        let report = supervisor.stop_all().await;
        (supervisor, report)
    })
}

/// Starts all children and lets them run as far as they can.
async fn running(children: Vec<ChildSpec>, clock: &ManualClock) -> Supervisor {
    let mut supervisor = supervise(children, clock).0;
    supervisor.start_all().unwrap();
    while let Some(event) = event_now(&mut supervisor).await {
        assert!(matches!(event, ChildEvent::Started { .. }), "{event:?}");
    }
    supervisor
}

fn assert_nothing_is_left(supervisor: &Supervisor, clock: &ManualClock) {
    assert_eq!(supervisor.stats().running, 0);
    assert!(supervisor.tasks.is_none());
    assert_eq!(clock.sleepers(), 0);
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

#[timed_test::test]
async fn children_stop_in_reverse_start_order() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        stops_when_asked("demanded", &log).on_demand(),
        stops_when_asked("a", &log),
        stops_when_asked("b", &log),
    ];
    let mut supervisor = running(children, &clock).await;
    supervisor.spawn("demanded", Value::Null).unwrap();
    started(&mut supervisor, "demanded").await;
    assert_eq!(event_now(&mut supervisor).await, None);
    log.take();
    assert_eq!(supervisor.stop_all().await, StopReport::default());
    assert_eq!(log.take(), ["demanded stops", "b stops", "a stops"]);
    assert_nothing_is_left(&supervisor, &clock);
    assert!(supervisor.start_all().is_err());
    assert_eq!(supervisor.stop_all().await, StopReport::default());
}

#[timed_test::test]
async fn a_restarted_child_keeps_its_position_in_the_stop_order() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let (end, ended) = oneshot::channel::<()>();
    let ended = Mutex::new(Some(ended));
    let again = log.clone();
    let first = ChildSpec::new("first", move |cx: ChildContext| {
        let (ended, log) = (ended.lock().unwrap().take(), again.clone());
        async move {
            if let Some(ended) = ended {
                ended.await?;
                return Ok(());
            }
            cx.stopped().await;
            log.write("first stops".to_owned());
            Ok(())
        }
    });
    let mut supervisor = running(vec![first, stops_when_asked("second", &log)], &clock).await;
    end.send(()).unwrap();
    for _ in 0..2 {
        supervisor.next_event().await;
    }
    started(&mut supervisor, "first").await;
    log.take();
    supervisor.stop_all().await;
    assert_eq!(log.take(), ["second stops", "first stops"]);
}

#[timed_test::test]
async fn a_child_that_ignores_the_request_is_aborted_after_its_shutdown_time() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        stops_when_asked("before", &log),
        ignores_stop("ignores", &log).shutdown(Shutdown::After(seconds(7))),
        stops_when_asked("after", &log),
    ];
    let supervisor = running(children, &clock).await;
    log.take();
    let stop = stopping(supervisor);
    run_until_idle().await;
    assert_eq!(log.take(), ["after stops"]);
    clock.advance(seconds(7) - Duration::from_nanos(1));
    run_until_idle().await;
    assert!(log.take().is_empty() && !stop.is_finished());
    clock.advance(Duration::from_nanos(1));
    let (supervisor, report) = stop.await.unwrap();
    assert_eq!(log.take(), ["ignores dropped", "before stops"]);
    assert_eq!(report.aborted, ["ignores"]);
    assert!(report.stuck.is_empty());
    assert_nothing_is_left(&supervisor, &clock);
}

#[timed_test::test]
async fn a_brutal_shutdown_aborts_without_a_request() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        stops_when_asked("asked", &log).shutdown(Shutdown::Brutal),
        ignores_stop("ignores", &log).shutdown(Shutdown::Brutal),
    ];
    let mut supervisor = running(children, &clock).await;
    log.take();
    assert_eq!(supervisor.stop_all().await, StopReport::default());
    assert_eq!(log.take(), ["ignores dropped"]);
    assert_nothing_is_left(&supervisor, &clock);
}

#[timed_test::test]
async fn a_child_waiting_for_its_restart_is_not_restarted_after_a_stop() {
    let clock = ManualClock::new();
    let (supervisor, _sent) = supervise([ending("child", End::Err)], &clock);
    let mut supervisor = supervisor.with_backoff(Backoff::new(seconds(9), 1, seconds(9)));
    supervisor.start_all().unwrap();
    while supervisor.stats().restarts < 2 {
        supervisor.next_event().await;
    }
    assert_eq!((supervisor.stats().waiting, clock.sleepers()), (1, 1));
    supervisor.stop_all().await;
    clock.advance(seconds(9));
    assert_nothing_is_left(&supervisor, &clock);
    assert_eq!(supervisor.stats().waiting, 0);
}

#[timed_test::test]
async fn a_second_stop_continues_where_a_dropped_one_stopped() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let mut supervisor = running(
        vec![stops_when_asked("a", &log), ignores_stop("b", &log)],
        &clock,
    )
    .await;
    log.take();
    tokio::select! {
        biased;
        _ = supervisor.stop_all() => panic!("`b` ignores the request"),
        () = std::future::ready(()) => {}
    }
    let stop = stopping(supervisor);
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    let (supervisor, report) = stop.await.unwrap();
    assert_eq!(report.aborted, ["b"]);
    assert_eq!(log.take(), ["b dropped", "a stops"]);
    assert_nothing_is_left(&supervisor, &clock);
}

#[timed_test::test]
async fn dropping_a_supervisor_aborts_its_children() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let supervisor = running(vec![ignores_stop("a", &log)], &clock).await;
    drop(supervisor);
    run_until_idle().await;
    assert_eq!(log.take(), ["a dropped"]);
}

#[timed_test::test(threads = 2)]
async fn a_child_that_blocks_its_thread_is_left_running() {
    let clock = ManualClock::new();
    let (blocks, blocked) = oneshot::channel::<()>();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let once = Mutex::new(Some((blocks, released)));
    let child = ChildSpec::new("blocks", move |_| {
        let (blocks, released) = once.lock().unwrap().take().unwrap();
        async move {
            blocks
                .send(())
                .map_err(|()| HookError::new("the test is over"))?;
            released.recv()?;
            Ok(())
        }
    });
    let (mut supervisor, _sent) = supervise([child], &clock);
    supervisor.start_all().unwrap();
    blocked.await.unwrap();
    let stop = stopping(supervisor);
    for time in [seconds(5), seconds(1)] {
        clock.wait_for_sleepers(1).await;
        clock.advance(time);
    }
    let (supervisor, report) = stop.await.unwrap();
    assert_eq!(
        (report.aborted, report.stuck),
        (vec!["blocks".into()], vec!["blocks".into()])
    );
    assert_eq!(supervisor.stats().running, 0);
    release.send(()).unwrap();
}
