//! Children of a server: order, signals, restarts, and the end.

use crate::support::bell::{Call, Tower, name, rung};
use crate::support::{chain, seconds, subscribed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::children::{Backoff, RestartLimits};
use skill_agent::clock::Clock;
use skill_agent::prelude::*;
use skill_agent::server::ErrorPolicy;
use skill_agent::testing::ManualClock;
use skill_agent::{NoConfig, Restart, Shutdown, StartError, StopReason};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

type Notes = mpsc::UnboundedSender<String>;

/// A child that tells when it begins and when it is asked to end.
fn noting(id: &'static str, notes: &Notes) -> ChildSpec {
    let notes = notes.clone();
    ChildSpec::new(id, move |cx: ChildContext| {
        let notes = notes.clone();
        async move {
            let _ = notes.send(format!("{id} begins"));
            cx.stopped().await;
            let _ = notes.send(format!("{id} ends"));
            Ok(())
        }
    })
}

async fn next(notes: &mut mpsc::UnboundedReceiver<String>) -> String {
    notes.recv().await.unwrap()
}

#[tokio::test]
async fn children_start_in_order_and_stop_in_the_reverse() {
    let (tx, mut notes) = mpsc::unbounded_channel();
    let ids = ["first", "second", "third"];
    let mut builder = AgentServer::builder(Tower::new());
    for id in ids {
        builder = builder.child(noting(id, &tx));
    }
    let server = builder.start().await.unwrap();
    for id in ids {
        assert_eq!(next(&mut notes).await, format!("{id} begins"));
    }
    while server.stats().children < 3 {
        server.agent().await.unwrap();
    }
    server.stop().await.unwrap();
    for id in ids.iter().rev() {
        assert_eq!(next(&mut notes).await, format!("{id} ends"));
    }
}

#[tokio::test]
async fn a_child_that_ticks_sends_signals_by_the_clock() {
    let clock = ManualClock::new();
    let ticking = clock.clone();
    let child = ChildSpec::new("ticker", move |cx: ChildContext| {
        let clock = ticking.clone();
        async move {
            for beat in 1.. {
                clock.sleep(seconds(1)).await;
                cx.deliver(Signal::new("bell.ring", name(&beat.to_string())))
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

/// A child that runs once for each permit, and then ends badly.
fn failing(id: &'static str, runs: &Arc<Semaphore>, notes: &Notes) -> ChildSpec {
    let (runs, notes) = (runs.clone(), notes.clone());
    ChildSpec::new(id, move |_| {
        let (runs, notes) = (runs.clone(), notes.clone());
        async move {
            let _ = notes.send("begins".to_owned());
            runs.acquire().await?.forget();
            Err(HookError::new("the line is dead"))
        }
    })
    .shutdown(Shutdown::Brutal)
}

#[tokio::test]
async fn a_child_that_fails_is_started_again_and_counted() {
    let (tx, mut notes) = mpsc::unbounded_channel();
    let runs = Arc::new(Semaphore::new(0));
    let backoff = Backoff::new(seconds(1), 2, seconds(8));
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Tower::new()).clock(clock.clone());
    let builder = builder.child(failing("line", &runs, &tx)).backoff(backoff);
    let server = builder.start().await.unwrap();
    assert_eq!(next(&mut notes).await, "begins");
    // the first restart is immediate, the second waits for a second
    runs.add_permits(1);
    assert_eq!(next(&mut notes).await, "begins");
    runs.add_permits(1);
    clock.wait_for_sleepers(1).await;
    assert!(notes.try_recv().is_err());
    clock.advance(seconds(1));
    assert_eq!(next(&mut notes).await, "begins");
    while server.stats().restarts < 2 {
        server.agent().await.unwrap();
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_child_that_fails_too_often_ends_the_server_which_says_why() {
    let (tx, _notes) = mpsc::unbounded_channel();
    let runs = Arc::new(Semaphore::new(9));
    let limits = RestartLimits::new(2, Duration::from_secs(60));
    let builder =
        AgentServer::builder(Tower::new()).backoff(Backoff::new(Duration::ZERO, 1, Duration::ZERO));
    let builder = builder
        .child(failing("line", &runs, &tx))
        .restart_limits(limits);
    let server = builder.start().await.unwrap();
    let reason = server.closed().await;
    let StopReason::Child(storm) = &reason else {
        panic!("{reason:?}")
    };
    assert_eq!((&*storm.id, storm.restarts, storm.own), ("line", 2, 2));
    assert!(reason.to_string().contains("the line is dead"), "{reason}");
    assert!(!reason.is_wanted());
    assert!(matches!(server.stop().await, Err(StopReason::Child(_))));
}

#[tokio::test]
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
            server.call(Call { child, name }).await.unwrap();
            tokio::select! {
                signal = heard.next() => break signal.unwrap(),
                // the one before has not been seen to end yet
                error = errors.next() => {
                    let error = error.unwrap();
                    assert!(error.data()["message"].as_str().unwrap().contains("running already"));
                }
            }
        };
        assert_eq!(signal.data(), name);
    }
}

/// How the world is reached.
#[derive(Clone)]
struct Line(&'static str);

#[derive(Resources)]
struct World {
    line: Line,
}

#[tokio::test]
async fn children_find_a_shared_resource_by_its_type() {
    let child = ChildSpec::new("reader", async |cx: ChildContext| {
        let line = cx.resource::<Line>().map_or("nothing", |line| line.0);
        let other = cx.resource::<String>().is_none();
        let said = format!("{} {line} {other}", cx.agent_id().unwrap_or("nobody"));
        cx.deliver(Signal::new("bell.ring", name(&said))).await?;
        cx.stopped().await;
        Ok(())
    });
    let builder = AgentServer::builder(Tower::with_id("north"))
        .resources(World {
            line: Line("hello"),
        })
        .share::<Line>()
        .child(child);
    let (builder, mut heard) = subscribed(builder, "bell.rung");
    let server = builder.start().await.unwrap();
    assert_eq!(heard.next().await.unwrap().data(), "north hello true");
    server.stop().await.unwrap();
}

/// Has a child of its own.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "feed", actions(Hear, Open), hooks)]
pub struct Feed {
    heard: Vec<String>,
}

/// Hear from a child.
#[action(on("feed.heard"))]
pub fn hear(feed: &mut Feed, cx: &mut Context<Feed>, child: String) {
    cx.emit(Signal::new("feed.told", json!(child)));
    feed.heard.push(child);
}

/// Open the side door.
#[action]
pub fn open(_: &Feed, cx: &mut Context<Feed>) {
    cx.spawn("side", json!({}));
}

impl Hooks for Feed {
    fn child_specs(_: &NoConfig) -> Vec<ChildSpec> {
        let child = |id| {
            ChildSpec::new(id, async |cx: ChildContext| {
                let data = json!({ "child": cx.id() });
                // a child speaks of itself by the name of its instance
                let instance = cx
                    .id()
                    .split_once('.')
                    .map_or("feed", |(instance, _)| instance);
                let ty = format!("{instance}.heard");
                cx.deliver(Signal::new(ty, data)).await?;
                cx.stopped().await;
                Ok(())
            })
        };
        vec![child("main"), child("side").on_demand()]
    }
}

agent! {
    /// Has two feeds.
    pub struct Reader {
        name: "reader",
        skills: [Feed, Feed as news],
    }
}

#[tokio::test]
async fn the_child_of_an_aliased_instance_has_an_id_of_its_own() {
    let builder = AgentServer::builder(Reader::new());
    let (builder, mut told) = subscribed(builder, "*.told");
    let server = builder.start().await.unwrap();
    assert_eq!(told.next().await.unwrap().data(), "main");
    assert_eq!(told.next().await.unwrap().data(), "news.main");
    server.instance(Reader::news).call(Open {}).await.unwrap();
    assert_eq!(told.next().await.unwrap().data(), "news.side");
    server.call(Open {}).await.unwrap();
    assert_eq!(told.next().await.unwrap().data(), "side");
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().news.heard, ["news.main", "news.side"]);
}

#[tokio::test]
async fn two_children_of_one_id_are_an_error_of_the_start() {
    let child = || ChildSpec::new("main", async |_| Ok(()));
    let builder = AgentServer::builder(Reader::new()).child(child());
    let error = builder.start().await.unwrap_err();
    assert!(matches!(error, StartError::Child(_)), "{error:?}");
    assert!(chain(&error).contains("`main`"), "{error}");
}

#[tokio::test]
async fn a_child_that_panics_ends_like_one_that_fails() {
    let limits = RestartLimits::new(0, Duration::from_secs(60));
    let child = ChildSpec::new("clumsy", async |_| panic!("it fell"));
    let builder = AgentServer::builder(Tower::new())
        .child(child)
        .restart_limits(limits);
    let reason = builder.start().await.unwrap().closed().await;
    assert!(
        reason.to_string().contains("it panicked: it fell"),
        "{reason}"
    );
}
