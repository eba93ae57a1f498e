//! Schedules across a kill: on time, in order, once.

use super::library_agent::*;
use super::{book_on, kill, read, start};
use serde_json::json;
use skill_agent::Start;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::ManualClock;
use skill_agent::testing::{Fault, FaultyStore};
use std::time::Duration;

fn plan(n: u64, seconds: u64, key: Option<&str>) -> Plan {
    let key = key.map(str::to_owned);
    Plan { n, seconds, key }
}

#[timed_test::test]
async fn schedules_outlive_a_kill_and_overdue_ones_come_once_in_due_order() {
    let memory = Memory::default();
    let clock = ManualClock::new();
    let server = start(book_on(memory.clone()).clock(clock.clone())).await;
    for (n, seconds, key) in [
        (3, 30, None),
        (1, 10, None),
        (2, 20, Some("kept")),
        (9, 5, Some("cancelled")),
        (8, 6, Some("replaced")),
        (4, 1000, None),
    ] {
        server.call(plan(n, seconds, key)).await.unwrap();
    }
    server
        .call(Cancel {
            key: "cancelled".into(),
        })
        .await
        .unwrap();
    server.call(plan(5, 15, Some("replaced"))).await.unwrap();
    kill(server).await;
    clock.advance(Duration::from_secs(100));
    let server = start(book_on(memory.clone()).clock(clock.clone())).await;
    assert_eq!(read(&server).await.entries, [1, 5, 2, 3]);
    kill(server).await;
    let server = start(book_on(memory.clone()).clock(clock.clone())).await;
    assert_eq!(
        read(&server).await.entries,
        [1, 5, 2, 3],
        "a schedule came twice"
    );
    assert_eq!(server.stats().scheduled, 1);
    server.stop().await.unwrap();
    // from the snapshot, and to the second
    let server = start(book_on(memory).clock(clock.clone())).await;
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(899));
    assert_eq!(read(&server).await.entries.len(), 4);
    clock.advance(Duration::from_secs(1));
    let mut entries = Vec::new();
    while entries.len() < 5 {
        entries = read(&server).await.entries;
    }
    assert_eq!(entries, [1, 5, 2, 3, 4]);
}

#[timed_test::test]
async fn a_schedule_that_the_store_refused_when_it_was_due_comes_after_the_next_start() {
    let store = FaultyStore::new(Memory::default());
    let clock = ManualClock::new();
    let server = start(book_on(store.clone()).clock(clock.clone())).await;
    server.call(plan(1, 10, None)).await.unwrap();
    clock.wait_for_sleepers(1).await;
    store.on_commit(0, Fault::Refuse);
    clock.advance(Duration::from_secs(10));
    while server.stats().failed == 0 {
        tokio::task::yield_now().await;
    }
    server.call(Write { n: 2 }).await.unwrap();
    kill(server).await;
    let server = start(book_on(store).clock(clock)).await;
    assert_eq!(read(&server).await.entries, [2, 1]);
}

#[timed_test::test]
async fn a_schedule_whose_async_action_was_cancelled_by_the_stop_comes_again() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone()).grace(Duration::ZERO)).await;
    let runs = runs();
    server.call(plan(0, 0, None)).await.unwrap();
    while server.stats().running == 0 || self::runs() == runs {
        tokio::task::yield_now().await;
    }
    server.stop().await.unwrap();
    let server = start(book_on(memory)).await;
    assert_eq!(server.recovery().directives, 1);
}

#[timed_test::test]
async fn a_schedule_for_the_end_of_time_waits() {
    let memory = Memory::default();
    let clock = ManualClock::new();
    let server = start(book_on(memory.clone()).clock(clock.clone())).await;
    server.call(plan(1, u64::MAX, None)).await.unwrap();
    assert_eq!(server.call(Write { n: 2 }).await.unwrap(), 1);
    kill(server).await;
    let server = start(book_on(memory).clock(clock)).await;
    assert_eq!(read(&server).await.entries, [2]);
    assert_eq!(server.recovery().directives, 1);
    let bare = AgentServer::builder(Library::new()).start().await.unwrap();
    bare.call(plan(1, u64::MAX, None)).await.unwrap();
    assert_eq!(bare.call(Length {}).await.unwrap(), 0);
}

/// Beats: every start schedules the next beat again.
#[derive(
    Skill,
    Clone,
    Debug,
    Default,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(default)]
#[skill(name = "heart", actions(Beat), hooks)]
pub struct Heart {
    pub beats: Vec<u64>,
}

/// Beat.
#[action(on("heart.beat"))]
pub fn beat(heart: &mut Heart, n: u64) {
    heart.beats.push(n);
}

impl Hooks for Heart {
    fn on_mount(
        &mut self,
        start: Start,
        cx: &mut Context<Self>,
    ) -> Result<(), skill_agent::HookError> {
        let (n, seconds) = match start {
            Start::Fresh => (1, 100),
            _ => (2, 10),
        };
        let beat = Signal::new("heart.beat", json!({ "n": n }));
        cx.schedule_as("beat", Duration::from_secs(seconds), beat);
        Ok(())
    }
}

agent! {
    /// Has a heart.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Body {
        name: "body",
        skills: [Heart],
    }
}

#[timed_test::test]
async fn a_schedule_made_at_the_start_replaces_an_earlier_one() {
    let memory = Memory::default();
    let clock = ManualClock::new();
    let builder = || {
        AgentServer::builder(Body::with_id("body-1"))
            .store(memory.clone())
            .clock(clock.clone())
    };
    let server = start(builder()).await;
    kill(server).await;
    let server = start(builder()).await;
    server.agent().await.unwrap();
    assert_eq!(server.stats().scheduled, 1);
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(10));
    let mut beats = Vec::new();
    for _ in 0..100 {
        beats = server.agent().await.unwrap().state().heart.beats.clone();
    }
    assert_eq!(beats, [2]);
}
