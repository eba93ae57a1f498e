//! The cancellation of async actions: by the time limit, a dropped call, and the stop of the server.

use crate::support::pages::*;
use crate::support::seconds;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::ManualClock;

#[tokio::test]
async fn an_action_that_takes_too_long_is_cancelled_and_nothing_of_it_is_kept() {
    let clock = ManualClock::new();
    let (builder, mut far) = reader();
    let server = builder
        .clock(clock.clone())
        .time_limit(seconds(30))
        .start()
        .await
        .unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Linger {}).await }
    });
    far.told().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(29));
    server.agent().await.unwrap();
    assert!(far.told.try_recv().is_err());
    clock.advance(seconds(1));
    assert_eq!(far.told().await, "cancelled");
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { applied: false, .. }),
        "{error:?}"
    );
    assert_eq!(stored(&server).await, [""; 0]);
}

#[tokio::test]
async fn an_action_that_does_not_hear_is_dropped_after_the_grace_time() {
    let clock = ManualClock::new();
    let (builder, mut far) = reader();
    let builder = builder
        .clock(clock.clone())
        .time_limit(seconds(30))
        .grace(seconds(5));
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move {
            server
                .call(Hold {
                    page: String::new(),
                })
                .await
        }
    });
    far.told().await;
    for time in [30, 5] {
        clock.wait_for_sleepers(1).await;
        clock.advance(seconds(time));
    }
    assert!(matches!(
        call.await.unwrap(),
        Err(ServeError::Deadline { applied: false, .. })
    ));
}

#[tokio::test]
async fn an_action_whose_caller_is_gone_hears_of_it_and_nothing_of_it_is_kept() {
    let (builder, mut far) = reader();
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Linger {}).await }
    });
    far.told().await;
    call.abort();
    assert_eq!(far.told().await, "cancelled");
    while server.stats().running > 0 {
        server.agent().await.unwrap();
    }
    assert_eq!(stored(&server).await, [""; 0]);
}

#[tokio::test]
async fn an_action_whose_deadline_has_passed_hears_of_it_and_nothing_of_it_is_kept() {
    let clock = ManualClock::new();
    let (builder, mut far) = reader();
    let server = builder.clock(clock.clone()).start().await.unwrap();
    let call = tokio::spawn({
        let server = server.within(seconds(3));
        async move { server.call_json("linger", "{}").await }
    });
    far.told().await;
    clock.wait_for_sleepers(2).await;
    clock.advance(seconds(3));
    assert!(matches!(
        call.await.unwrap(),
        Err(ServeError::Deadline { applied: false, .. })
    ));
    assert_eq!(far.told().await, "cancelled");
    assert_eq!(stored(&server).await, [""; 0]);
}

#[tokio::test]
async fn a_stop_cancels_running_actions_with_stopped() {
    let (builder, mut far) = reader();
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Linger {}).await }
    });
    far.told().await;
    server.stop().await.unwrap();
    assert_eq!(far.told().await, "cancelled");
    assert!(matches!(call.await.unwrap(), Err(ServeError::Stopped)));
}

#[tokio::test]
async fn a_scheduled_signal_whose_action_is_cancelled_by_a_stop_comes_again() {
    let (store, clock) = (Memory::default(), ManualClock::new());
    let (builder, mut far) = reader();
    let builder = builder.clock(clock.clone()).store(store.clone());
    let server = builder.start().await.unwrap();
    server
        .call(Later {
            page: "a".to_owned(),
        })
        .await
        .unwrap();
    server.agent().await.unwrap();
    clock.advance(seconds(1));
    far.told().await;
    let stop = tokio::spawn(async move { server.stop().await });
    // it does not hear that it is cancelled, and has the grace time to end
    while !stop.is_finished() {
        clock.advance(seconds(5));
        tokio::task::yield_now().await;
    }
    stop.await.unwrap().unwrap();

    let (builder, mut far) = reader();
    let server = builder.clock(clock).store(store).start().await.unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    far.told().await;
    far.go(1);
    assert_eq!(fetched.next().await.unwrap().data(), "a");
    assert_eq!(stored(&server).await, ["a"]);
}

#[tokio::test]
async fn waiting_actions_do_not_start_after_a_stop() {
    let (builder, mut far) = reader();
    let server = builder.start().await.unwrap();
    server
        .try_send(Signal::new("pages.fetch", json!({ "page": "a" })))
        .unwrap();
    server.stop().await.unwrap();
    assert!(far.told.try_recv().is_err(), "it began");
}

#[tokio::test]
async fn a_waiting_signal_whose_caller_is_gone_starts_nothing() {
    let (builder, mut far) = reader();
    let server = builder.concurrent_actions(1).start().await.unwrap();
    let first = fetching(&server, "a");
    far.told().await;
    let request = tokio::spawn({
        let server = server.clone();
        let signal = Signal::new("pages.fetch", json!({ "page": "b" }));
        async move { server.request(signal).await }
    });
    server.agent().await.unwrap();
    server.agent().await.unwrap();
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    far.go(2);
    first.await.unwrap().unwrap();
    fetching(&server, "c").await.unwrap().unwrap();
    assert_eq!(stored(&server).await, ["a", "c"]);
}

#[tokio::test]
async fn sent_signals_wait_for_their_turn_without_a_limit() {
    let clock = ManualClock::new();
    let (builder, mut far) = reader();
    let builder = builder.clock(clock.clone()).store(Memory::default());
    let builder = builder.concurrent_actions(1).mailbox_capacity(1);
    let server = builder.start().await.unwrap();
    for page in ["a", "b", "c", "d"] {
        let page = page.to_owned();
        server.call(Later { page }).await.unwrap();
    }
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(1));
    far.go(4);
    for _ in 0..4 {
        far.told().await;
    }
    while stored(&server).await.len() < 4 {}
    assert_eq!(stored(&server).await, ["a", "b", "c", "d"]);
    assert_eq!(server.stats().failed, 0);
}

/// Panics when it is dropped.
struct Thorn;

impl Drop for Thorn {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("a thorn");
        }
    }
}

mod thorny {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    /// Has thorns.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "rose", actions(Hold))]
    pub struct Rose {}

    /// Hold it and do not let go.
    #[action]
    pub async fn hold(_: &Rose) -> u32 {
        let _thorn = super::Thorn;
        std::future::pending().await
    }

    agent! {
        /// Grows a rose.
        pub struct Garden {
            name: "garden",
            skills: [Rose],
        }
    }
}

#[tokio::test]
async fn an_action_that_panics_when_it_is_dropped_gives_its_place_and_its_key_back() {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(thorny::Garden::new()).clock(clock.clone());
    let builder = builder.time_limit(seconds(30)).grace(seconds(5));
    let server = builder.concurrent_actions(1).start().await.unwrap();
    for _ in 0..2 {
        let call = tokio::spawn({
            let server = server.clone();
            async move { server.call_with_key("key", thorny::Hold {}).await }
        });
        for time in [30, 5] {
            clock.wait_for_sleepers(1).await;
            clock.advance(seconds(time));
        }
        let error = call.await.unwrap().unwrap_err();
        assert!(
            matches!(error, ServeError::Deadline { applied: false, .. }),
            "{error:?}"
        );
        assert_eq!(server.stats().running, 0);
    }
}
