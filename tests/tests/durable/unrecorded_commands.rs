//! Commands that change nothing are not recorded.

use super::{kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::process;
use skill_agent::prelude::*;
use skill_agent::store::Memory;

/// Counts the signals that it sees.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "watcher", actions(Look), hooks)]
pub struct Watcher {
    seen: u32,
}

/// Say how much was seen.
#[action(on("watcher.look"))]
pub fn look(watcher: &Watcher) -> u32 {
    watcher.seen
}

impl Hooks for Watcher {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        self.seen += 1;
        match signal.ty() {
            // calls the default of another hook: the change made by this one is still recorded
            "watcher.see" => self
                .prepare_signal(signal.clone(), cx)
                .map(|_| Handled::Done),
            _ => Ok(Handled::Ignored),
        }
    }
}

/// A skill for mounting.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shelf", actions(Peek, Put, Install), hooks)]
pub struct Shelf {
    things: u32,
}

/// Look into it.
#[action]
pub fn peek(shelf: &Shelf) -> u32 {
    shelf.things
}

/// Put something there.
#[action]
pub fn put(shelf: &mut Shelf) -> u32 {
    shelf.things += 1;
    shelf.things
}

/// Mount a skill without changing state.
#[action]
pub fn install(_: &Shelf, cx: &mut Context<Shelf>, skill: String) {
    cx.mount(skill, &json!({}));
}

impl Hooks for Shelf {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        match signal.ty() {
            "shelf.heard" => Ok(Handled::Done),
            _ => Ok(Handled::Ignored),
        }
    }
}

/// A skill without actions, so that mounting it queues no directive.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lamp")]
pub struct Lamp {}

agent! {
    /// Watches.
    pub struct Monitor {
        name: "monitor",
        skills: [Watcher],
        mounted: [Shelf, Lamp],
    }
}

async fn monitor(memory: &Memory) -> AgentServer<Monitor> {
    start(AgentServer::builder(Monitor::with_id("lib-1")).store(memory.clone())).await
}

#[timed_test::test]
async fn a_signal_that_changes_nothing_leaves_no_record() {
    let memory = Memory::default();
    let server = monitor(&memory).await;
    let before = server.stats().records;
    let see = Signal::new("watcher.see", json!({}));
    server.request(see).await.unwrap();
    assert_eq!(server.stats().records, before + 1);
    let look = || Signal::new("watcher.look", json!({}));
    for _ in 0..3 {
        // a signal without source and id cannot be a repeated one
        assert_eq!(server.request(look()).await.unwrap(), 1);
    }
    assert_eq!(server.stats().records, before + 1);
    kill(server).await;
    let server = monitor(&memory).await;
    assert_eq!(server.request(look()).await.unwrap(), 1);
}

#[timed_test::test]
async fn a_start_without_the_hook_on_mount_leaves_no_record() {
    let memory = Memory::default();
    let server = monitor(&memory).await;
    kill(server).await;
    assert_eq!(super::records(&memory).await, []);
}

#[timed_test::test]
async fn a_mounted_action_is_recorded_when_it_changes_or_mounts() {
    let memory = Memory::default();
    let server = monitor(&memory).await;
    server.mount("shelf", json!({})).await.unwrap();
    let mut records = server.stats().records;
    let calls = [
        ("peek", "{}", false),
        ("put", "{}", true),
        ("peek", "{}", false),
        ("install", r#"{"skill":"lamp"}"#, true),
        ("peek", "{}", false),
    ];
    for (action, arguments, is_recorded) in calls {
        server.call_json(action, arguments).await.unwrap();
        records += u64::from(is_recorded);
        assert_eq!(server.stats().records, records, "{action}");
    }
    kill(server).await;
    let server = monitor(&memory).await;
    let agent = server.agent().await.unwrap();
    assert!(agent.mounted().is_mounted("lamp"));
}

#[test]
fn a_signal_that_mounted_skills_ignore_saves_nothing() {
    let mut monitor = Monitor::new();
    monitor.mounted_mut().mount::<Shelf>(&json!({})).unwrap();
    for (ty, handled, saved) in [
        ("shelf.heard", Handled::Done, 1),
        ("shelf.unheard", Handled::Ignored, 0),
    ] {
        let mut transaction = process::Transaction::begin(&mut monitor);
        let signal = Signal::new(ty, json!({}));
        assert_eq!(transaction.handle_mounted(&signal, None).unwrap(), handled);
        assert_eq!(transaction.commit().0.len(), saved, "{ty}");
    }
}
