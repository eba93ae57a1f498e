//! The children of a server: order, signals, restarts, and the end of the server.

use crate::errors::chain;
use crate::support::bell::{SpawnChild, Tower, ring_data, rung};
use crate::support::{seconds, subscribed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::child::{Restart, Shutdown};
use skill_agent::children::{Backoff, RestartLimits};
use skill_agent::clock::Clock;
use skill_agent::prelude::*;
use skill_agent::server::ErrorPolicy;
use skill_agent::testing::ManualClock;
use skill_agent::{NoConfig, StartError, StopReason};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

type LogSender = mpsc::UnboundedSender<String>;

/// A child that logs its start and its stop.
fn logging_child(id: &'static str, notes: &LogSender) -> ChildSpec {
    let notes = notes.clone();
    ChildSpec::new(id, move |cx: ChildContext| {
        let notes = notes.clone();
        async move {
            let _ = notes.send(format!("{id} starts"));
            cx.stopped().await;
            let _ = notes.send(format!("{id} stops"));
            Ok(())
        }
    })
}

async fn next(notes: &mut mpsc::UnboundedReceiver<String>) -> String {
    notes.recv().await.unwrap()
}

#[timed_test::test]
async fn children_start_in_order_and_stop_in_reverse_order() {
    let (tx, mut notes) = mpsc::unbounded_channel();
    let ids = ["first", "second", "third"];
    let mut builder = AgentServer::builder(Tower::new());
    for id in ids {
        builder = builder.child(logging_child(id, &tx));
    }
    let server = builder.start().await.unwrap();
    for id in ids {
        assert_eq!(next(&mut notes).await, format!("{id} starts"));
    }
    while server.stats().children < 3 {
        server.agent().await.unwrap();
    }
    server.stop().await.unwrap();
    for id in ids.iter().rev() {
        assert_eq!(next(&mut notes).await, format!("{id} stops"));
    }
}

#[timed_test::test]
async fn a_child_can_send_signals_at_intervals_of_the_clock() {
    let clock = ManualClock::new();
    let ticking = clock.clone();
    let child = ChildSpec::new("ticker", move |cx: ChildContext| {
        let clock = ticking.clone();
        async move {
            for beat in 1.. {
                clock.sleep(seconds(1)).await;
                cx.deliver(Signal::new("bell.ring", ring_data(&beat.to_string())))
                    .await?;
            }
            Ok(())
        }
    });
    let builder = AgentServer::builder(Tower::new())
        .clock(clock.clone())
        .child(child);
    let server = builder.start().await.unwrap();
    let mut heard = server.subscribe("bell.rung").unwrap();
    for beat in ["1", "2", "3"] {
        clock.wait_for_sleepers(1).await;
        clock.advance(seconds(1));
        assert_eq!(heard.next().await.unwrap().data(), beat);
    }
    assert_eq!(rung(&server).await, ["1", "2", "3"]);
}

/// A child that fails once per permit.
fn failing_child(id: &'static str, runs: &Arc<Semaphore>, notes: &LogSender) -> ChildSpec {
    let (runs, notes) = (runs.clone(), notes.clone());
    ChildSpec::new(id, move |_| {
        let (runs, notes) = (runs.clone(), notes.clone());
        async move {
            let _ = notes.send("starts".to_owned());
            runs.acquire().await?.forget();
            Err(HookError::new("the test child failed"))
        }
    })
    .shutdown(Shutdown::Brutal)
}

#[timed_test::test]
async fn a_failed_child_is_restarted_and_its_restarts_are_counted() {
    let (tx, mut notes) = mpsc::unbounded_channel();
    let runs = Arc::new(Semaphore::new(0));
    let backoff = Backoff::new(seconds(1), 2, seconds(8));
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Tower::new()).clock(clock.clone());
    let builder = builder
        .child(failing_child("line", &runs, &tx))
        .backoff(backoff);
    let server = builder.start().await.unwrap();
    assert_eq!(next(&mut notes).await, "starts");
    // The first restart is immediate, the second is delayed by a second.
    runs.add_permits(1);
    assert_eq!(next(&mut notes).await, "starts");
    runs.add_permits(1);
    clock.wait_for_sleepers(1).await;
    assert!(notes.try_recv().is_err());
    clock.advance(seconds(1));
    assert_eq!(next(&mut notes).await, "starts");
    while server.stats().restarts < 2 {
        server.agent().await.unwrap();
    }
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_child_that_exceeds_the_restart_limit_stops_the_server_with_that_reason() {
    let (tx, _notes) = mpsc::unbounded_channel();
    let runs = Arc::new(Semaphore::new(9));
    let limits = RestartLimits::new(2, Duration::from_secs(60));
    let builder =
        AgentServer::builder(Tower::new()).backoff(Backoff::new(Duration::ZERO, 1, Duration::ZERO));
    let builder = builder
        .child(failing_child("line", &runs, &tx))
        .restart_limits(limits);
    let server = builder.start().await.unwrap();
    let reason = server.closed().await;
    let StopReason::Child(storm) = &reason else {
        panic!("{reason:?}")
    };
    assert_eq!((&*storm.id, storm.restarts, storm.own), ("line", 2, 2));
    assert!(
        reason.to_string().contains("the test child failed"),
        "{reason}"
    );
    assert!(!reason.is_wanted());
    assert!(matches!(server.stop().await, Err(StopReason::Child(_))));
    let stopped = format!("the server has stopped: {reason}");
    let called = server.call_json("ring", "{}").await.unwrap_err();
    assert_eq!(
        called.to_string(),
        format!("{stopped}; nothing was applied")
    );
    let sent = server.send(Signal::new("bell.ring", json!({}))).await;
    assert_eq!(sent.unwrap_err().to_string(), stopped);
}

#[timed_test::test]
async fn a_child_that_may_finish_is_told_so() {
    let builder =
        AgentServer::builder(Tower::new()).backoff(Backoff::new(Duration::ZERO, 1, Duration::ZERO));
    let child = ChildSpec::new("feed", async |_| Ok(()));
    let server = builder.child(child).start().await.unwrap();
    let reason = server.closed().await.to_string();
    let end = "and is not started again: it finished; a child that may finish has `.restart(Restart::Transient)` or \
               `.restart(Restart::Temporary)`";
    assert!(reason.ends_with(end), "{reason}");
}

#[timed_test::test]
async fn a_spawn_directive_starts_a_child_on_demand_with_its_parameters() {
    let child = ChildSpec::new("guest", async |cx: ChildContext| {
        cx.deliver(Signal::new("bell.ring", cx.params().clone()))
            .await?;
        Ok(())
    });
    let child = child.on_demand().restart(Restart::Temporary);
    let builder = AgentServer::builder(Tower::new()).child(child);
    let builder = builder.error_policy(ErrorPolicy::Emit);
    let server = builder.start().await.unwrap();
    let mut heard = server.subscribe("bell.rung").unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    for name in ["ann", "ben"] {
        let signal = loop {
            let (child, name) = ("guest".to_owned(), name.to_owned());
            server.call(SpawnChild { child, name }).await.unwrap();
            tokio::select! {
                signal = heard.next() => break signal.unwrap(),
                // The server has not observed the end of the previous run yet.
                error = errors.next() => {
                    let error = error.unwrap();
                    assert!(error.data()["message"].as_str().unwrap().contains("already running"));
                }
            }
        };
        assert_eq!(signal.data(), name);
    }
}

/// A shared resource.
#[derive(Clone)]
struct Greeting(&'static str);

#[derive(Resources)]
struct World {
    greeting: Greeting,
}

#[timed_test::test]
async fn children_look_up_a_shared_resource_by_its_type() {
    let child = ChildSpec::new("reader", async |cx: ChildContext| {
        let greeting = cx
            .resource::<Greeting>()
            .map_or("nothing", |greeting| greeting.0);
        let other = cx.resource::<String>().is_none();
        let text = format!(
            "{} {greeting} {other}",
            cx.agent_id().unwrap_or("anonymous")
        );
        cx.deliver(Signal::new("bell.ring", ring_data(&text)))
            .await?;
        cx.stopped().await;
        Ok(())
    });
    let builder = AgentServer::builder(Tower::with_id("north"))
        .resources(World {
            greeting: Greeting("hello"),
        })
        .share::<Greeting>()
        .child(child);
    let (builder, mut heard) = subscribed(builder, "bell.rung");
    let server = builder.start().await.unwrap();
    assert_eq!(heard.next().await.unwrap().data(), "north hello true");
    server.stop().await.unwrap();
}

/// Declares two children.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "feed", actions(Hear, Open), hooks)]
pub struct Feed {
    heard: Vec<String>,
}

/// Receive a signal from a child.
#[action(on("feed.hear"))]
pub fn hear(feed: &mut Feed, cx: &mut Context<Feed>, child: String) {
    cx.emit(Signal::new("feed.received", json!(child)));
    feed.heard.push(child);
}

/// Start the child on demand.
#[action]
pub fn open(_: &Feed, cx: &mut Context<Feed>) {
    cx.spawn("side", json!({}));
}

impl Hooks for Feed {
    fn child_specs(_: &NoConfig) -> Vec<ChildSpec> {
        let child = |id| {
            ChildSpec::new(id, async |cx: ChildContext| {
                let data = json!({ "child": cx.id() });
                // The type of the signal starts with the name of the instance.
                let instance = cx
                    .id()
                    .split_once('.')
                    .map_or("feed", |(instance, _)| instance);
                let ty = format!("{instance}.hear");
                cx.deliver(Signal::new(ty, data)).await?;
                cx.stopped().await;
                Ok(())
            })
        };
        vec![child("main"), child("side").on_demand()]
    }
}

agent! {
    /// Has two instances of `feed`.
    pub struct Reader {
        name: "reader",
        skills: [Feed, Feed as news],
    }
}

#[timed_test::test]
async fn the_child_of_an_aliased_instance_has_its_own_id() {
    let builder = AgentServer::builder(Reader::new());
    let (builder, mut received) = subscribed(builder, "*.received");
    let server = builder.start().await.unwrap();
    assert_eq!(received.next().await.unwrap().data(), "main");
    assert_eq!(received.next().await.unwrap().data(), "news.main");
    server.instance(Reader::news).call(Open {}).await.unwrap();
    assert_eq!(received.next().await.unwrap().data(), "news.side");
    server.call(Open {}).await.unwrap();
    assert_eq!(received.next().await.unwrap().data(), "side");
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().news.heard, ["news.main", "news.side"]);
}

#[timed_test::test]
async fn two_children_with_one_id_are_a_start_error() {
    let child = || ChildSpec::new("main", async |_| Ok(()));
    let builder = AgentServer::builder(Reader::new()).child(child());
    let error = builder.start().await.unwrap_err();
    assert!(matches!(error, StartError::Child(_)), "{error:?}");
    assert!(chain(&error).contains("`main`"), "{error}");
}

#[timed_test::test]
async fn a_panic_of_a_child_counts_as_a_failure() {
    let limits = RestartLimits::new(0, Duration::from_secs(60));
    let child = ChildSpec::new("panicking", async |_| panic!("test panic"));
    let builder = AgentServer::builder(Tower::new())
        .child(child)
        .restart_limits(limits);
    let reason = builder.start().await.unwrap().closed().await;
    assert!(
        reason.to_string().contains("it panicked: test panic"),
        "{reason}"
    );
}

#[timed_test::test]
async fn a_spawn_of_a_child_that_starts_with_the_server_names_on_demand() {
    let (tx, mut notes) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Tower::new()).child(logging_child("feed", &tx));
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let builder = builder.error_policy(ErrorPolicy::Emit);
    let server = builder.start().await.unwrap();
    assert_eq!(next(&mut notes).await, "feed starts");
    let (child, name) = ("feed".to_owned(), String::new());
    server.call(SpawnChild { child, name }).await.unwrap();
    assert_eq!(
        errors.next().await.unwrap().data()["message"],
        "a child was not started: the child `feed` is already running: it starts with the server; to start it by `cx.spawn` alone, \
         write `.on_demand()` on its `ChildSpec`"
    );
}
