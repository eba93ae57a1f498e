//! Cancellation of async actions: by the time limit, by dropping the call, and by stopping the server.

use crate::support::pages::*;
use crate::support::seconds;
use serde_json::json;
use skill_agent::Applied;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::ManualClock;

#[timed_test::test]
async fn an_action_that_exceeds_the_time_limit_is_cancelled_and_undone() {
    let clock = ManualClock::new();
    let (builder, mut control) = reader();
    let server = builder
        .clock(clock.clone())
        .time_limit(seconds(30))
        .start()
        .await
        .unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(WaitForCancellation {}).await }
    });
    control.next_event().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(29));
    server.agent().await.unwrap();
    assert!(control.events.try_recv().is_err());
    clock.advance(seconds(1));
    assert_eq!(control.next_event().await, "cancelled");
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
        "{error:?}"
    );
    assert_eq!(stored(&server).await, [""; 0]);
}

#[timed_test::test]
async fn an_action_that_ignores_cancellation_is_dropped_after_the_grace_time() {
    let clock = ManualClock::new();
    let (builder, mut control) = reader();
    let builder = builder
        .clock(clock.clone())
        .time_limit(seconds(30))
        .grace(seconds(5));
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move {
            server
                .call(IgnoreCancellation {
                    page: String::new(),
                })
                .await
        }
    });
    control.next_event().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(30));
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "`ignore_cancellation` took longer than the `time_limit` of 30s; nothing was applied"
    );
    assert_eq!(server.stats().running, 1, "it has its grace period");
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    while server.stats().running > 0 {
        server.agent().await.unwrap();
    }
}

#[timed_test::test]
async fn an_action_whose_caller_is_gone_is_cancelled_and_undone() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(WaitForCancellation {}).await }
    });
    control.next_event().await;
    call.abort();
    assert_eq!(control.next_event().await, "cancelled");
    while server.stats().running > 0 {
        server.agent().await.unwrap();
    }
    assert_eq!(stored(&server).await, [""; 0]);
}

#[timed_test::test]
async fn an_action_whose_deadline_has_passed_is_cancelled_and_undone() {
    let clock = ManualClock::new();
    let (builder, mut control) = reader();
    let server = builder.clock(clock.clone()).start().await.unwrap();
    let call = tokio::spawn({
        let server = server.within(seconds(3));
        async move { server.call_json("wait_for_cancellation", "{}").await }
    });
    control.next_event().await;
    clock.wait_for_sleepers(2).await;
    clock.advance(seconds(3));
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
        "{error:?}"
    );
    assert_eq!(control.next_event().await, "cancelled");
    assert_eq!(stored(&server).await, [""; 0]);
}

#[timed_test::test]
async fn a_stop_cancels_running_actions_and_their_calls_return_stopped() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(WaitForCancellation {}).await }
    });
    control.next_event().await;
    server.stop().await.unwrap();
    assert_eq!(control.next_event().await, "cancelled");
    assert!(matches!(
        call.await.unwrap(),
        Err(ServeError::Stopped { .. })
    ));
}

#[timed_test::test]
async fn a_scheduled_signal_whose_action_a_stop_cancels_is_delivered_again() {
    let (store, clock) = (Memory::default(), ManualClock::new());
    let (builder, mut control) = reader();
    let builder = builder.clock(clock.clone()).store(store.clone());
    let server = builder.start().await.unwrap();
    server
        .call(FetchLater {
            page: "a".to_owned(),
        })
        .await
        .unwrap();
    server.agent().await.unwrap();
    clock.advance(seconds(1));
    control.next_event().await;
    let stop = tokio::spawn(async move { server.stop().await });
    // The action ignores the cancellation, and gets the grace period to end.
    while !stop.is_finished() {
        clock.advance(seconds(5));
        tokio::task::yield_now().await;
    }
    stop.await.unwrap().unwrap();

    let (builder, mut control) = reader();
    let server = builder.clock(clock).store(store).start().await.unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    control.next_event().await;
    control.allow(1);
    assert_eq!(fetched.next().await.unwrap().data(), "a");
    assert_eq!(stored(&server).await, ["a"]);
}

#[timed_test::test]
async fn waiting_actions_do_not_start_after_a_stop() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    server
        .try_send(Signal::new("pages.fetch", json!({ "page": "a" })))
        .unwrap();
    server.stop().await.unwrap();
    assert!(control.events.try_recv().is_err(), "the action started");
}

#[timed_test::test]
async fn a_waiting_signal_whose_caller_is_gone_starts_nothing() {
    let (builder, mut control) = reader();
    let server = builder.concurrent_actions(1).start().await.unwrap();
    let first = fetching(&server, "a");
    control.next_event().await;
    let request = tokio::spawn({
        let server = server.clone();
        let signal = Signal::new("pages.fetch", json!({ "page": "b" }));
        async move { server.request(signal).await }
    });
    server.agent().await.unwrap();
    server.agent().await.unwrap();
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    control.allow(2);
    first.await.unwrap().unwrap();
    fetching(&server, "c").await.unwrap().unwrap();
    assert_eq!(stored(&server).await, ["a", "c"]);
}

#[timed_test::test]
async fn scheduled_signals_wait_for_a_free_action_slot_without_a_limit() {
    let clock = ManualClock::new();
    let (builder, mut control) = reader();
    let builder = builder.clock(clock.clone()).store(Memory::default());
    let builder = builder.concurrent_actions(1).mailbox_capacity(1);
    let server = builder.start().await.unwrap();
    for page in ["a", "b", "c", "d"] {
        let page = page.to_owned();
        server.call(FetchLater { page }).await.unwrap();
    }
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(1));
    control.allow(4);
    for _ in 0..4 {
        control.next_event().await;
    }
    while stored(&server).await.len() < 4 {}
    assert_eq!(stored(&server).await, ["a", "b", "c", "d"]);
    assert_eq!(server.stats().failed, 0);
}

/// Panics when it is dropped.
struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("dropped");
        }
    }
}

mod dropping {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    /// Has an action whose future panics when it is dropped.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "dropping", actions(NeverFinish))]
    pub struct Dropping {}

    /// Never finish, and panic when dropped.
    #[action]
    pub async fn never_finish(_: &Dropping) -> u32 {
        let _guard = super::PanicsOnDrop;
        std::future::pending().await
    }

    agent! {
        /// Has the skill `dropping`.
        pub struct DroppingAgent {
            name: "dropping_agent",
            skills: [Dropping],
        }
    }
}

#[timed_test::test]
async fn an_action_that_panics_when_dropped_releases_its_slot_and_its_key() {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(dropping::DroppingAgent::new()).clock(clock.clone());
    let builder = builder.time_limit(seconds(30)).grace(seconds(5));
    let server = builder.concurrent_actions(1).start().await.unwrap();
    for _ in 0..2 {
        let call = tokio::spawn({
            let server = server.clone();
            async move { server.call_with_key("key", dropping::NeverFinish {}).await }
        });
        for time in [30, 5] {
            clock.wait_for_sleepers(1).await;
            clock.advance(seconds(time));
        }
        let error = call.await.unwrap().unwrap_err();
        assert!(
            matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
            "{error:?}"
        );
        // the caller gets its answer at the time limit, before the action is dropped
        while server.stats().running > 0 {
            server.agent().await.unwrap();
        }
    }
}
