//! Commands that change nothing are not recorded.

use super::{kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::process;
use skill_agent::prelude::*;
use skill_agent::store::Memory;

/// Sees every signal, and changes something for a few.
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
            // calls a default of another hook, which is no reason to forget what this one did
            "watcher.see" => self
                .prepare_signal(signal.clone(), cx)
                .map(|_| Handled::Done),
            _ => Ok(Handled::Ignored),
        }
    }
}

/// Is mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shelf", actions(Peek, Put, Bring), hooks)]
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

/// Change no state, and mount a skill.
#[action]
pub fn bring(_: &Shelf, cx: &mut Context<Shelf>, skill: String) {
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

/// Is mounted by another, and has no actions: mounting it queues nothing.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lamp")]
pub struct Lamp {}

agent! {
    /// Watches.
    pub struct Guard {
        name: "guard",
        skills: [Watcher],
        mounted: [Shelf, Lamp],
    }
}

async fn guard(memory: &Memory) -> AgentServer<Guard> {
    start(AgentServer::builder(Guard::with_id("lib-1")).store(memory.clone())).await
}

#[timed_test::test]
async fn a_question_by_signal_leaves_no_record_where_the_hooks_are_the_defaults() {
    let memory = Memory::default();
    let server = guard(&memory).await;
    let before = server.stats().records;
    let see = Signal::new("watcher.see", json!({}));
    server.request(see).await.unwrap();
    assert_eq!(server.stats().records, before + 1);
    let look = || Signal::new("watcher.look", json!({}));
    for _ in 0..3 {
        // without a source and id it is nothing that could come twice
        assert_eq!(server.request(look()).await.unwrap(), 1);
    }
    assert_eq!(server.stats().records, before + 1);
    kill(server).await;
    let server = guard(&memory).await;
    assert_eq!(server.request(look()).await.unwrap(), 1);
}

#[timed_test::test]
async fn a_start_without_hooks_of_its_own_leaves_no_record() {
    let memory = Memory::default();
    let server = guard(&memory).await;
    kill(server).await;
    assert_eq!(super::records(&memory).await, []);
}

#[timed_test::test]
async fn a_mounted_action_is_recorded_when_it_changes_or_mounts() {
    let memory = Memory::default();
    let server = guard(&memory).await;
    server.mount("shelf", json!({})).await.unwrap();
    let mut records = server.stats().records;
    let calls = [
        ("peek", "{}", false),
        ("put", "{}", true),
        ("peek", "{}", false),
        ("bring", r#"{"skill":"lamp"}"#, true),
        ("peek", "{}", false),
    ];
    for (action, arguments, is_recorded) in calls {
        server.call_json(action, arguments).await.unwrap();
        records += u64::from(is_recorded);
        assert_eq!(server.stats().records, records, "{action}");
    }
    kill(server).await;
    let server = guard(&memory).await;
    let agent = server.agent().await.unwrap();
    assert!(agent.mounted().is_mounted("lamp"));
}

#[test]
fn a_signal_that_mounted_skills_ignore_saves_nothing() {
    let mut guard = Guard::new();
    guard.mounted_mut().mount::<Shelf>(&json!({})).unwrap();
    for (ty, handled, saved) in [
        ("shelf.heard", Handled::Done, 1),
        ("shelf.unheard", Handled::Ignored, 0),
    ] {
        let mut transaction = process::Transaction::begin(&mut guard);
        let signal = Signal::new(ty, json!({}));
        assert_eq!(transaction.handle_mounted(&signal, None).unwrap(), handled);
        assert_eq!(transaction.commit().0.len(), saved, "{ty}");
    }
}
