//! Scheduled signals on a clock that the test advances.

use crate::support::bell::*;
use crate::support::{seconds, subscribed};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::testing::ManualClock;

async fn tower() -> (AgentServer<Tower>, Subscription, ManualClock) {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Tower::new()).clock(clock.clone());
    let (builder, rung) = subscribed(builder, "*.rung");
    (builder.start().await.unwrap(), rung, clock)
}

fn later(seconds: u64, name: &str) -> RingLater {
    RingLater {
        seconds,
        name: name.to_owned(),
        key: None,
    }
}

fn keyed(seconds: u64, name: &str) -> RingLater {
    RingLater {
        key: Some("key".to_owned()),
        ..later(seconds, name)
    }
}

/// Advances the clock, and returns the names that ring before `end`, which must be due by then.
async fn until_end(rung: &mut Subscription, clock: &ManualClock, time: u64) -> Vec<String> {
    clock.advance(seconds(time));
    let mut names = Vec::new();
    loop {
        let signal = rung.next().await.unwrap();
        match signal.data().as_str().unwrap() {
            "end" => return names,
            name => names.push(name.to_owned()),
        }
    }
}

/// Waits until this number of signals is scheduled.
async fn until_scheduled(server: &AgentServer<Tower>, count: u64) {
    while server.stats().scheduled != count {
        tokio::task::yield_now().await;
    }
}

#[timed_test::test]
async fn a_scheduled_signal_is_delivered_when_due_and_not_before() {
    let (server, mut rung, clock) = tower().await;
    server.call(later(10, "ten")).await.unwrap();
    server.call(later(9, "end")).await.unwrap();
    until_scheduled(&server, 2).await;
    assert_eq!(until_end(&mut rung, &clock, 9).await, [""; 0]);
    until_scheduled(&server, 1).await;
    assert!(rung.try_next().is_none());
    clock.advance(seconds(1));
    assert_eq!(rung.next().await.unwrap().data(), "ten");
    until_scheduled(&server, 0).await;
}

#[timed_test::test]
async fn due_signals_are_delivered_by_due_time_then_in_scheduling_order() {
    let (server, mut rung, clock) = tower().await;
    for (time, name) in [
        (5, "c"),
        (3, "a"),
        (6, "end"),
        (5, "d"),
        (4, "b"),
        (5, "e"),
        (9, "late"),
    ] {
        server.call(later(time, name)).await.unwrap();
    }
    let names = until_end(&mut rung, &clock, 6).await;
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    assert!(rung.try_next().is_none());
}

#[timed_test::test]
async fn a_signal_scheduled_later_is_delivered_first_if_it_is_due_earlier() {
    let (server, mut rung, clock) = tower().await;
    server.call(later(10, "ten")).await.unwrap();
    server.call(later(2, "two")).await.unwrap();
    clock.advance(seconds(2));
    assert_eq!(rung.next().await.unwrap().data(), "two");
    assert!(rung.try_next().is_none());
    clock.advance(seconds(8));
    assert_eq!(rung.next().await.unwrap().data(), "ten");
}

#[timed_test::test]
async fn a_second_schedule_with_the_same_key_replaces_the_first() {
    let (server, mut rung, clock) = tower().await;
    server.call(keyed(5, "first")).await.unwrap();
    server.call(keyed(7, "second")).await.unwrap();
    server.call(later(6, "end")).await.unwrap();
    until_scheduled(&server, 2).await;
    assert_eq!(until_end(&mut rung, &clock, 6).await, [""; 0]);
    clock.advance(seconds(1));
    assert_eq!(rung.next().await.unwrap().data(), "second");
}

#[timed_test::test]
async fn a_cancelled_schedule_is_not_delivered_and_an_unknown_key_is_ignored() {
    let (server, mut rung, clock) = tower().await;
    let forget = || CancelRing {
        key: "key".to_owned(),
    };
    server.call(forget()).await.unwrap();
    server.call(keyed(5, "never")).await.unwrap();
    server.call(later(5, "kept")).await.unwrap();
    server.call(later(60, "end")).await.unwrap();
    server.call(forget()).await.unwrap();
    assert_eq!(until_end(&mut rung, &clock, 60).await, ["kept"]);
    assert_eq!(server.stats().failed, 0);
}

#[timed_test::test]
async fn schedule_keys_are_separate_for_each_instance() {
    let (server, mut rung, clock) = tower().await;
    server.call(keyed(5, "bell")).await.unwrap();
    server
        .instance(Tower::chime)
        .call(keyed(6, "chime"))
        .await
        .unwrap();
    server.call(later(10, "end")).await.unwrap();
    let key = "key".to_owned();
    server
        .instance(Tower::chime)
        .call(CancelRing { key })
        .await
        .unwrap();
    assert_eq!(until_end(&mut rung, &clock, 10).await, ["bell"]);
}

#[timed_test::test]
async fn a_signal_scheduled_by_an_instance_is_delivered_to_that_instance() {
    let (server, mut rung, clock) = tower().await;
    server
        .instance(Tower::chime)
        .call(later(1, "one"))
        .await
        .unwrap();
    server.agent().await.unwrap();
    clock.advance(seconds(1));
    assert_eq!(rung.next().await.unwrap().ty(), "chime.rung");
    let agent = server.agent().await.unwrap();
    assert_eq!(
        (
            agent.state().bell.rung.len(),
            agent.state().chime.rung.len()
        ),
        (0, 1)
    );
}

#[timed_test::test]
async fn a_failed_run_schedules_nothing() {
    let (server, mut rung, clock) = tower().await;
    // The signal has two routes: one action schedules, and the other fails.
    let both = Signal::new("bell.both", json!({ "seconds": 1, "name": "never" }));
    server.request(both).await.unwrap_err();
    server.call(later(5, "end")).await.unwrap();
    until_scheduled(&server, 1).await;
    assert_eq!(until_end(&mut rung, &clock, 5).await, [""; 0]);
}
