//! Subscriptions: they never slow down the agent, and they count lost signals.

use crate::errors::chain;
use crate::recorded_traces::Traces;
use crate::support::bell::*;
use crate::support::{heard, scripted_hooks, subscribed};
use skill_agent::prelude::*;
use skill_agent::{Pattern, StartError};

async fn ring(server: &AgentServer<Tower>, names: std::ops::Range<u32>) {
    for name in names {
        server
            .call(Ring {
                name: name.to_string(),
            })
            .await
            .unwrap();
    }
}

#[timed_test::test]
async fn a_slow_subscriber_loses_and_counts_the_oldest_signals_and_others_lose_none() {
    let builder = AgentServer::builder(Tower::new()).subscription_capacity(3);
    let server = builder.start().await.unwrap();
    let mut slow = server.subscribe("bell.*").unwrap();
    let mut quick = server.subscribe("bell.*").unwrap();
    let mut all = Vec::new();
    for name in 0..5 {
        ring(&server, name..name + 1).await;
        all.push(quick.next().await.unwrap().data().clone());
    }
    assert_eq!(all, ["0", "1", "2", "3", "4"]);
    assert_eq!((slow.lost(), quick.lost()), (2, 0));
    assert_eq!(heard(&mut slow), ["2", "3", "4"]);
    // It then gets the next signal.
    ring(&server, 5..6).await;
    assert_eq!(slow.next().await.unwrap().data(), "5");
    assert_eq!(slow.lost(), 2);
}

#[timed_test::test]
async fn a_subscription_gets_matching_signals_emitted_after_its_creation() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    ring(&server, 0..1).await;
    let mut bell = server.subscribe("bell.rung").unwrap();
    let mut chime = server.subscribe("chime.**").unwrap();
    ring(&server, 1..2).await;
    server
        .instance(Tower::chime)
        .call(Ring {
            name: "c".to_owned(),
        })
        .await
        .unwrap();
    server.agent().await.unwrap();
    assert_eq!(heard(&mut bell), ["1"]);
    assert_eq!(heard(&mut chime), ["c"]);
    assert!(server.subscribe("bell..rung").is_err());
}

#[timed_test::test]
async fn a_subscription_ends_with_the_server_after_the_signals_it_holds() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    let mut rung = server.subscribe("**").unwrap();
    ring(&server, 0..2).await;
    let mut waiting = server.subscribe("never.*").unwrap();
    let waits = tokio::spawn(async move { waiting.next().await });
    server.stop().await.unwrap();
    assert!(waits.await.unwrap().is_none());
    assert_eq!(rung.next().await.unwrap().data(), "0");
    assert_eq!(rung.next().await.unwrap().data(), "1");
    assert!(rung.next().await.is_none());
    assert!(rung.next().await.is_none());
    // A subscription made after the stop ends immediately.
    assert!(server.subscribe("**").unwrap().next().await.is_none());
}

#[timed_test::test]
async fn a_subscription_before_the_start_gets_the_signals_of_on_mount() {
    let builder = AgentServer::builder(scripted_hooks::Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.start().await.unwrap();
    let mut late = server.subscribe("step").unwrap();
    assert_eq!(steps.next().await.unwrap().data(), "trail.on_mount");
    assert!(late.try_next().is_none());
}

#[timed_test::test]
async fn dropping_the_future_of_next_loses_no_signal() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    let mut rung = server.subscribe("bell.rung").unwrap();
    tokio::select! {
        biased;
        _ = rung.next() => panic!("nothing was emitted"),
        () = std::future::ready(()) => {}
    }
    ring(&server, 0..1).await;
    assert_eq!(rung.next().await.unwrap().data(), "0");
}

#[timed_test::test]
async fn dropping_a_subscription_does_not_affect_the_server() {
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    drop(server.subscribe("**").unwrap());
    ring(&server, 0..2).await;
    assert_eq!(rung(&server).await, ["0", "1"]);
}

#[timed_test::test]
async fn an_invalid_pattern_in_the_builder_is_a_start_error() {
    let error = AgentServer::builder(scripted_hooks::Trail::new())
        .subscribe("step..one", |_| panic!("the pattern is invalid"))
        .loopback("also..wrong")
        .start()
        .await
        .unwrap_err();
    let StartError::Pattern {
        method, pattern, ..
    } = &error
    else {
        panic!("{error:?}")
    };
    assert_eq!((*method, &**pattern), ("subscribe", "step..one"));
    assert_eq!(
        chain(&error),
        "`subscribe` of the builder got an invalid pattern, `step..one`: `step..one` is not a signal pattern: at byte 5, \
         a segment is empty; write a name, `*` or `**` there"
    );
}

#[timed_test::test]
async fn the_builder_accepts_strings_and_patterns() {
    const STEP: Pattern = Pattern::new("step");
    let mut subscriptions = Vec::new();
    let server = AgentServer::builder(scripted_hooks::Trail::new())
        .subscribe(STEP, |signals| subscriptions.push(signals))
        .subscribe("step", |signals| subscriptions.push(signals))
        .subscribe("step".to_owned(), |signals| subscriptions.push(signals))
        .loopback(Pattern::new("never.*"))
        .start()
        .await
        .unwrap();
    for mut signals in subscriptions {
        assert_eq!(signals.next().await.unwrap().data(), "trail.on_mount");
    }
    assert!(server.subscribe(STEP).is_ok());
}

#[timed_test::test]
async fn the_capacity_also_applies_to_subscriptions_made_before_it_was_set() {
    let builder = AgentServer::builder(scripted_hooks::Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.subscription_capacity(1).start().await.unwrap();
    assert!(steps.lost() > 0);
    assert!(steps.try_next().is_some());
    assert!(steps.try_next().is_none());
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_single_star_as_the_whole_pattern_is_a_warning() {
    let traces = Traces::record();
    let server = AgentServer::builder(Tower::new()).start().await.unwrap();
    // one for each client is one warning
    for _ in 0..3 {
        server.subscribe("*").unwrap();
    }
    let warnings = traces.take_warnings("pattern");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let expected = "`*` stands for one segment, so this pattern matches `tick` but not `notes.added`; write `**` for all types";
    assert!(warnings[0].contains(expected), "{warnings:?}");
    assert!(warnings[0].contains(r#"pattern="*""#), "{warnings:?}");
    let builder = AgentServer::builder(Tower::new()).loopback("*");
    builder.subscribe("*", |_| {}).start().await.unwrap();
    assert_eq!(traces.take_warnings("pattern").len(), 2);

    for pattern in ["**", "*.*", "bell.*", "*.rung"] {
        server.subscribe(pattern).unwrap();
        let other = AgentServer::builder(Tower::new()).start().await.unwrap();
        other.subscribe(pattern).unwrap();
    }
    assert_eq!(traces.take_warnings("pattern"), [""; 0]);
}
