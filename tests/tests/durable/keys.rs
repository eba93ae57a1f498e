//! Idempotency keys: what they belong to, and what the guard has to do with them.

use super::library_agent::*;
use super::{book_on, kill, read, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::Agent;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, ApprovalRequest, Attempt, Decision};
use skill_agent::store::Memory;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increase, Choose, Show, Review))]
pub struct Counter {
    count: u32,
}

/// Add to the count.
#[action(on("counter.increase"))]
pub fn increase(counter: &mut Counter, by: u32, note: Option<String>) -> u32 {
    let _ = note;
    counter.count += by;
    counter.count
}

/// Return the number of different names.
#[action]
pub fn choose(_: &Counter, names: HashSet<String>, order: Vec<u32>) -> usize {
    names.len() + order.len()
}

/// Return the idempotency key.
#[action]
pub fn show(_: &Counter, cx: &mut Context<Counter>) -> Option<String> {
    cx.idempotency_key().map(str::to_owned)
}

/// Return the idempotency key from an async action.
#[action]
pub async fn review(_: &Counter, cx: &mut Context<Counter>) -> Option<String> {
    cx.idempotency_key().map(str::to_owned)
}

/// Another action of the same name as one of `Counter`.
mod other {
    use super::*;

    /// Counts too.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "other", actions(Show))]
    pub struct Other {
        count: u32,
    }

    /// Return the count.
    #[action(name = "show_other")]
    pub fn show(other: &Other) -> u32 {
        other.count
    }
}
use other::Other;

agent! {
    /// Has two counters and an action of its own.
    pub struct Door {
        name: "door",
        state: { total: u32 },
        skills: [Counter as entries, Counter as exits, Other],
        actions: [IncreaseTotal],
    }
}

/// Add to the total.
#[action]
pub fn increase_total(door: &mut DoorBase, by: u32) -> u32 {
    door.total += by;
    door.total
}

fn by(by: u32) -> Increase {
    Increase { by, note: None }
}

fn door_on(store: Memory) -> AgentServerBuilder<Door> {
    AgentServer::builder(Door::with_id("lib-1")).store(store)
}

#[timed_test::test]
async fn a_key_belongs_to_an_instance_and_an_action() {
    let store = Memory::default();
    for _ in 0..2 {
        let server = start(door_on(store.clone())).await;
        let entries = server.instance(Door::entries);
        let exits = server.instance(Door::exits);
        assert_eq!(entries.call_with_key("k", by(1)).await.unwrap(), 1);
        assert_eq!(exits.call_with_key("k", by(10)).await.unwrap(), 10);
        let own = server.call_with_key("k", IncreaseTotal { by: 100 }).await;
        assert_eq!(own.unwrap(), 100);
        kill(server).await;
    }
    let server = start(door_on(store.clone())).await;
    let agent = server.agent().await.unwrap();
    let state = agent.state();
    assert_eq!(
        (state.entries.count, state.exits.count, state.total),
        (1, 10, 100)
    );
}

#[timed_test::test]
async fn other_arguments_under_a_key_run_nothing() {
    let store = Memory::default();
    for attempt in 0..2 {
        let server = start(door_on(store.clone())).await;
        let entries = server.instance(Door::entries);
        assert_eq!(entries.call_with_key("k", by(1)).await.unwrap(), 1);
        let other = entries.call_with_key("k", by(2)).await.unwrap_err();
        assert!(
            matches!(other, ServeError::IdempotencyMismatch { .. }),
            "{attempt}: {other:?}"
        );
        let note = Some(String::new());
        let other = entries.call_with_key("k", Increase { by: 1, note }).await;
        assert!(matches!(other, Err(ServeError::IdempotencyMismatch { .. })));
        assert_eq!(server.agent().await.unwrap().state().entries.count, 1);
        kill(server).await;
    }
}

#[timed_test::test]
async fn the_order_of_a_set_makes_no_other_arguments() {
    let server = start(door_on(Memory::default())).await;
    let entries = server.instance(Door::entries);
    // Each set iterates in an order of its own.
    for _ in 0..20 {
        let names = (0..20).map(|n| n.to_string()).collect();
        let order = vec![1, 2];
        let chosen = entries.call_with_key("k", Choose { names, order }).await;
        assert_eq!(chosen.unwrap(), 22);
    }
    let names = (0..19).map(|n| n.to_string()).collect();
    let order = vec![1, 2];
    let chosen = entries.call_with_key("k", Choose { names, order }).await;
    assert!(matches!(
        chosen,
        Err(ServeError::IdempotencyMismatch { .. })
    ));
}

#[timed_test::test]
async fn an_action_sees_its_key() {
    let server = start(door_on(Memory::default())).await;
    let entries = server.instance(Door::entries);
    let shown = entries.call_with_key("k", Show {}).await.unwrap();
    assert_eq!(shown.as_deref(), Some("k"));
    let shown = entries.call_with_key("k", Review {}).await.unwrap();
    assert_eq!(shown.as_deref(), Some("k"));
    assert_eq!(entries.call(Show {}).await.unwrap(), None);
}

/// A guard that denies models once `limit` attempts were made, and asks a person about `length`.
fn guard(limit: u32) -> (impl Fn(&Attempt<'_>) -> Decision, Arc<AtomicU32>) {
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = attempts.clone();
    let guard = move |attempt: &Attempt<'_>| {
        let is_late = attempts.fetch_add(1, Ordering::Relaxed) >= limit;
        match attempt.tool.name {
            "length" => Decision::Ask,
            _ if is_late && attempt.caller.is_foreign() => Decision::Deny("it is late".into()),
            _ => Decision::Allow,
        }
    };
    (guard, counted)
}

fn sent(id: &str, n: u64) -> Signal {
    let text = json!({
        "specversion": "1.0", "type": "book.write", "id": id, "source": "/a", "data": { "n": n },
    });
    serde_json::from_value(text).unwrap()
}

#[timed_test::test]
async fn a_recorded_answer_does_not_bypass_the_guard() {
    let (guard, _) = guard(2);
    let server = start(book_on(Memory::default()).guard(guard)).await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    assert_eq!(model.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    assert_eq!(model.request(sent("1", 2)).await.unwrap(), json!(2));
    for _ in 0..2 {
        let denied = model.call_with_key("k", Write { n: 1 }).await.unwrap_err();
        assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
        let denied = model.request(sent("1", 2)).await.unwrap_err();
        assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
    }
    assert_eq!(read(&server).await.entries, [1, 2]);
}

#[timed_test::test]
async fn a_guard_decides_on_repeated_signals_of_the_program() {
    let attempts = AtomicU32::new(0);
    let guard = move |_: &Attempt<'_>| match attempts.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => Decision::Allow,
        _ => Decision::Deny("it is late".into()),
    };
    let server = start(book_on(Memory::default()).guard(guard)).await;
    for _ in 0..2 {
        assert_eq!(server.request(sent("1", 2)).await.unwrap(), json!(1));
    }
    let denied = server.request(sent("1", 2)).await.unwrap_err();
    assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
    assert_eq!(read(&server).await.entries, [2]);
}

#[timed_test::test]
async fn a_foreign_caller_neither_reads_nor_takes_the_keys_of_others() {
    let server = start(book_on(Memory::default())).await;
    let callers = [
        ForeignCaller::Model,
        ForeignCaller::Model.with_principal("alice"),
        ForeignCaller::Model.with_principal("bob"),
        ForeignCaller::Mcp.with_principal("alice"),
        ForeignCaller::Mcp.with_principal("alice/model"),
        ForeignCaller::Document,
    ];
    for _ in 0..2 {
        for (caller, count) in callers.iter().zip(1..) {
            let server = server.on_behalf_of(caller.clone());
            let called = server.call_with_key("k", Write { n: 1 }).await;
            assert_eq!(called.unwrap(), 2 * count - 1, "{caller:?}");
            let requested = server.request(sent("1", 1)).await;
            assert_eq!(requested.unwrap(), json!(2 * count), "{caller:?}");
        }
    }
    let own = server.call_with_key("k", Write { n: 1 }).await;
    assert_eq!(own.unwrap(), 13);
}

#[timed_test::test]
async fn a_recorded_answer_needs_no_second_approval() {
    let asked = Arc::new(AtomicU32::new(0));
    let (guard, _) = guard(100);
    let approver = {
        let asked = asked.clone();
        move |_: ApprovalRequest| {
            asked.fetch_add(1, Ordering::Relaxed);
            async { true }
        }
    };
    let server = start(book_on(Memory::default()).guard(guard).approver(approver)).await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    for _ in 0..3 {
        assert_eq!(model.call_with_key("k", Length {}).await.unwrap(), 0);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    assert_eq!(model.call_with_key("other", Length {}).await.unwrap(), 0);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[timed_test::test]
async fn a_call_is_guarded_before_it_waits_for_a_running_one() {
    let (guard, _) = guard(1);
    let server = start(book_on(Memory::default()).guard(guard)).await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    // The first call never ends.
    let running = model.call_with_key("k", Ponder {});
    tokio::pin!(running);
    tokio::select! {
        biased;
        _ = &mut running => unreachable!("it never ends"),
        () = async { while server.stats().running == 0 { tokio::task::yield_now().await } } => {}
    }
    let denied = model.call_with_key("k", Ponder {}).await.unwrap_err();
    assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
}
