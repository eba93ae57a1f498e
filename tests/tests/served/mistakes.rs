//! Mistakes of a program that uses a server, and their messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::Applied;
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Inc))]
pub struct Counter {
    pub count: u32,
}

/// Count.
#[action(on("counter.inc"))]
pub fn inc(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

/// The configuration of a memo.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MemoConfig {
    pub size: u32,
}

/// Keeps a memo.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "memo", config = MemoConfig, actions(Jot, Wipe))]
pub struct Memo {
    pub lines: u32,
}

/// Write a line.
#[action]
pub fn jot(memo: &mut Memo) -> u32 {
    memo.lines += 1;
    memo.lines
}

/// Empty the memo.
#[action(internal)]
pub fn wipe(memo: &mut Memo) {
    memo.lines = 0;
}

agent! {
    /// Counts, and may keep a memo.
    pub struct Clerk {
        name: "clerk",
        skills: [Counter],
        mounted: [Memo],
    }
}

async fn clerk() -> AgentServer<Clerk> {
    AgentServer::builder(Clerk::new()).start().await.unwrap()
}

#[timed_test::test]
async fn an_empty_key_is_refused() {
    let server = clerk().await;
    let expected = "the idempotency key is empty; each command needs its own";
    let typed = server.call_with_key("", Inc {}).await.unwrap_err();
    assert_eq!(typed.to_string(), expected);
    assert_eq!(typed.applied(), Applied::No);
    let by_name = server.call_json_with_key("", "inc", "{}").await;
    assert_eq!(by_name.unwrap_err().to_string(), expected);
    let by_model = server.on_behalf_of(ForeignCaller::Model);
    let by_model = by_model.call_json_with_key("", "inc", "{}").await;
    assert_eq!(by_model.unwrap_err().to_string(), expected);
    assert_eq!(server.call(Inc {}).await.unwrap(), 1, "nothing has run");
}

#[timed_test::test]
async fn a_misspelled_name_is_neither_mounted_nor_unmounted() {
    let server = clerk().await;
    let unknown = "no skill or document `memmo` is in the registry; did you mean `memo`?";
    let unmounted = server.unmount("memmo").await.unwrap_err();
    assert_eq!(unmounted.to_string(), unknown);
    let mounted = server.mount("memmo", json!({})).await.unwrap_err();
    assert_eq!(mounted.to_string(), unknown);
    assert!(server.unmount("memo").await.is_ok(), "it is not mounted");
    server.mount("memo", json!({})).await.unwrap();
    let unmounted = server.unmount("memmo").await.unwrap_err();
    let expected = "no skill or document `memmo` is mounted; did you mean `memo`?";
    assert_eq!(unmounted.to_string(), expected);
}

#[timed_test::test]
async fn a_listed_skill_is_always_there() {
    let server = clerk().await;
    let expected = "`counter` is in `skills: [...]` of `clerk`, so it is always there; only those in `mounted: [...]` are mounted and \
                    unmounted";
    for result in [
        server.mount("counter", json!({})).await,
        server.mount_all(["counter"], json!({})).await,
        server.replace("counter", json!({})).await,
        server.unmount("counter").await,
        server.enable("counter").await,
        server.disable("counter").await,
    ] {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
}

#[timed_test::test]
async fn a_mounted_skill_keeps_its_options() {
    let server = clerk().await;
    server.mount("memo", json!({ "size": 1 })).await.unwrap();
    let error = server.mount("memo", json!({ "size": 9 })).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "`memo` is mounted with other options; use `replace`, which gives it a new state, or mount it with `{}` to keep it as it is"
    );
    let error = server.mount_all(["memo"], json!({ "memo": { "size": 9 } }));
    assert!(error.await.is_err());
    let error = server.mount("memo", json!({ "siez": 1 })).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "the options of `memo` are wrong: `memo.siez`: unknown field `siez`, expected `size`; did you mean `size`?"
    );
    server.mount("memo", json!({ "size": 1 })).await.unwrap();
    server.mount("memo", json!({})).await.unwrap();
}

#[timed_test::test]
async fn an_action_of_a_skill_that_is_not_mounted_says_so() {
    let server = clerk().await;
    let error = server.call_json("jot", "{}").await.unwrap_err();
    let expected = "the skill `memo` is not mounted, so `jot` cannot be called; mount it first: `mount(\"memo\", ...)`";
    assert_eq!(error.to_string(), expected);
    let unknown = "the agent `clerk` has no action `wipe`";
    let error = server.call_json("wipe", "{}").await.unwrap_err();
    assert_eq!(error.to_string(), unknown, "it is internal");
    server.mount("memo", json!({})).await.unwrap();
    assert_eq!(server.call_json("jot", "{}").await.unwrap(), "1");
}

#[timed_test::test]
async fn a_signal_without_a_handler_has_a_proposal() {
    let server = clerk().await;
    let no_handler =
        "have no handler: no route of the agent `clerk` matches them, and no skill handles them";
    let segments = "write letters, digits, `_` and `-`";
    for (ty, expected) in [
        (
            "counter.incc",
            format!("signals of the type `counter.incc` {no_handler}; did you mean `counter.inc`?"),
        ),
        ("mail.came", format!("signals of the type `mail.came` {no_handler}")),
        (
            "counter inc",
            format!("`counter inc` is not a signal type: at byte 7, ' ' cannot be in a segment; {segments}"),
        ),
        (
            "counter..inc",
            "`counter..inc` is not a signal type: at byte 8, a segment is empty; write it like `order.paid`".to_owned(),
        ),
        (
            "counter.*",
            "`counter.*` is not a signal type: `*` is for patterns; write it like `order.paid`".to_owned(),
        ),
    ] {
        let error = server.request(Signal::new(ty, json!({}))).await;
        assert_eq!(error.unwrap_err().to_string(), expected);
    }
}

/// Waits.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "waiter", actions(WaitForIo))]
pub struct Waiter {}

/// Wait for I/O in a pure action.
#[action]
pub fn wait_for_io(_: &mut Waiter) -> u32 {
    tokio::runtime::Handle::current().block_on(async { 1 })
}

agent! { struct Hotel { name: "hotel", skills: [Waiter] } }

#[timed_test::test]
async fn a_pure_action_that_waits_is_named_with_the_way_to_wait() {
    let server = AgentServer::builder(Hotel::new()).start().await.unwrap();
    let typed = server.call(WaitForIo {}).await.unwrap_err().to_string();
    let by_name = server.call_json("wait_for_io", "{}").await.unwrap_err();
    assert_eq!(by_name.to_string(), typed);
    assert!(typed.starts_with("`wait_for_io` panicked: "), "{typed}");
    let cure = "; in an action, wait with `.await`: an `async fn` under `#[action]`";
    assert!(typed.ends_with(cure), "{typed}");
}
