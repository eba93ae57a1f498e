//! The end: in reverse order, in time, and completely.

use super::*;
use crate::Shutdown;
use crate::children::{Backoff, StopReport};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Stops in a task of its own, so that the test can let the time pass.
fn stopping(mut supervisor: Supervisor) -> JoinHandle<(Supervisor, StopReport)> {
    tokio::spawn(async move {
        let report = supervisor.stop_all().await;
        (supervisor, report)
    })
}

/// Starts everything, and lets it run as far as it can.
async fn running(children: Vec<ChildSpec>, clock: &ManualClock) -> Supervisor {
    let mut supervisor = supervise(children, clock).0;
    supervisor.start_all().unwrap();
    while let Some(event) = event_now(&mut supervisor).await {
        assert!(matches!(event, ChildEvent::Started { .. }), "{event:?}");
    }
    supervisor
}

fn nothing_is_left(supervisor: &Supervisor, clock: &ManualClock) {
    assert_eq!(supervisor.stats().running, 0);
    assert!(supervisor.tasks.is_none());
    assert_eq!(clock.sleepers(), 0);
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test]
async fn children_stop_in_the_reverse_order_of_their_starts() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        obedient("demanded", &log).on_demand(),
        obedient("a", &log),
        obedient("b", &log),
    ];
    let mut supervisor = running(children, &clock).await;
    supervisor.spawn("demanded", Value::Null).unwrap();
    started(&mut supervisor, "demanded").await;
    assert_eq!(event_now(&mut supervisor).await, None);
    log.take();
    assert_eq!(supervisor.stop_all().await, StopReport::default());
    assert_eq!(log.take(), ["demanded stops", "b stops", "a stops"]);
    nothing_is_left(&supervisor, &clock);
    assert!(supervisor.start_all().is_err());
    assert_eq!(supervisor.stop_all().await, StopReport::default());
}

#[tokio::test]
async fn a_restarted_child_keeps_its_place() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let (fall, falls) = oneshot::channel::<()>();
    let falls = Mutex::new(Some(falls));
    let again = log.clone();
    let first = ChildSpec::new("first", move |cx: ChildContext| {
        let (falls, log) = (falls.lock().unwrap().take(), again.clone());
        async move {
            if let Some(falls) = falls {
                falls.await?;
                return Ok(());
            }
            cx.stopped().await;
            log.write("first stops".to_owned());
            Ok(())
        }
    });
    let mut supervisor = running(vec![first, obedient("second", &log)], &clock).await;
    fall.send(()).unwrap();
    for _ in 0..2 {
        supervisor.next_event().await;
    }
    started(&mut supervisor, "first").await;
    log.take();
    supervisor.stop_all().await;
    assert_eq!(log.take(), ["second stops", "first stops"]);
}

#[tokio::test]
async fn a_child_that_does_not_hear_is_aborted_when_its_time_is_over() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        obedient("before", &log),
        deaf("deaf", &log).shutdown(Shutdown::After(seconds(7))),
        obedient("after", &log),
    ];
    let supervisor = running(children, &clock).await;
    log.take();
    let stop = stopping(supervisor);
    let_run().await;
    assert_eq!(log.take(), ["after stops"]);
    clock.advance(seconds(7) - Duration::from_nanos(1));
    let_run().await;
    assert!(log.take().is_empty() && !stop.is_finished());
    clock.advance(Duration::from_nanos(1));
    let (supervisor, report) = stop.await.unwrap();
    assert_eq!(log.take(), ["deaf dropped", "before stops"]);
    assert_eq!(report.aborted, ["deaf"]);
    assert!(report.stuck.is_empty());
    nothing_is_left(&supervisor, &clock);
}

#[tokio::test]
async fn a_brutal_shutdown_asks_nobody() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = vec![
        obedient("asked", &log).shutdown(Shutdown::Brutal),
        deaf("deaf", &log).shutdown(Shutdown::Brutal),
    ];
    let mut supervisor = running(children, &clock).await;
    log.take();
    assert_eq!(supervisor.stop_all().await, StopReport::default());
    assert_eq!(log.take(), ["deaf dropped"]);
    nothing_is_left(&supervisor, &clock);
}

#[tokio::test]
async fn a_child_that_waits_to_be_started_again_is_not() {
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
    nothing_is_left(&supervisor, &clock);
    assert_eq!(supervisor.stats().waiting, 0);
}

#[tokio::test]
async fn a_dropped_stop_goes_on_where_it_was() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let mut supervisor = running(vec![obedient("a", &log), deaf("b", &log)], &clock).await;
    log.take();
    tokio::select! {
        biased;
        _ = supervisor.stop_all() => panic!("`b` does not hear"),
        () = std::future::ready(()) => {}
    }
    let stop = stopping(supervisor);
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    let (supervisor, report) = stop.await.unwrap();
    assert_eq!(report.aborted, ["b"]);
    assert_eq!(log.take(), ["b dropped", "a stops"]);
    nothing_is_left(&supervisor, &clock);
}

#[tokio::test]
async fn dropping_a_supervisor_aborts_its_children() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let supervisor = running(vec![deaf("a", &log)], &clock).await;
    drop(supervisor);
    let_run().await;
    assert_eq!(log.take(), ["a dropped"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_child_that_blocks_its_thread_is_left_behind() {
    let clock = ManualClock::new();
    let (blocks, blocked) = oneshot::channel::<()>();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let once = Mutex::new(Some((blocks, released)));
    let child = ChildSpec::new("stone", move |_| {
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
        (vec!["stone".into()], vec!["stone".into()])
    );
    assert_eq!(supervisor.stats().running, 0);
    release.send(()).unwrap();
}
