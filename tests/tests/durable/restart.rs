//! A restart restores the acknowledged state without running an action.

use super::library_agent::*;
use super::recorded_traces::Traces;
use super::{book_on, kill, read, recovered, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use skill_agent::store::{Memory, RecordKind, Redb};
use skill_agent::{Start, StartError};
use std::collections::HashMap;

fn samples() -> Samples {
    Samples {
        numbers: vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e-310],
        small: 0.1,
        by_number: HashMap::from([(7, "seven".to_owned())]),
        by_sign: HashMap::from([(i64::MIN, vec![true])]),
        shapes: vec![
            Shape::None,
            Shape::Circle(f64::NAN),
            Shape::Box(1, 255),
            Shape::Text {
                font: "Gill".to_owned(),
                size: None,
            },
        ],
        internal: Internal::Weight {
            grams: f64::INFINITY,
        },
        adjacent: Adjacent::Pair(-4, f64::NEG_INFINITY),
        untagged: vec![
            Untagged::Number(f64::INFINITY),
            Untagged::Words(vec!["a".to_owned()]),
        ],
        nothing: None,
        pair: (u64::MAX, '\u{1f40c}'),
    }
}

/// NaN is not equal to itself; what is printed is.
fn same(left: &impl std::fmt::Debug, right: &impl std::fmt::Debug) {
    assert_eq!(format!("{left:?}"), format!("{right:?}"));
}

async fn every_change_survives<S: skill_agent::store::Store>(store: impl Fn() -> S) {
    let server = start(book_on(store())).await;
    server.call(Write { n: 1 }).await.unwrap();
    server.call_json("write", r#"{"n":2}"#).await.unwrap();
    let signal = Signal::new("book.write", json!({ "n": 3 }));
    assert_eq!(server.request(signal).await.unwrap(), json!(3));
    server
        .request(Signal::new("book.heard", json!({})))
        .await
        .unwrap();
    server
        .set(json!({ "visits": 4, "book": { "text": "set" } }))
        .await
        .unwrap();
    server.call(Consult { n: 4 }).await.unwrap();
    server.call(Refuse { n: 5 }).await.unwrap_err();
    server.call(Fill { samples: samples() }).await.unwrap();
    let before = server.agent().await.unwrap();
    assert_eq!(before.state().book.entries, [1, 2, 3, 4]);
    assert_eq!((before.state().visits, before.state().book.heard), (4, 1));
    kill(server).await;

    let runs = runs();
    let server = start(book_on(store())).await;
    let mut expected = before.state().clone();
    expected.book.starts.push("Restored".to_owned());
    same(server.agent().await.unwrap().state(), &expected);
    assert!(server.recovery().is_restored && server.recovery().damage.is_none());
    assert_eq!(self::runs(), runs, "recovery ran code of the skill");
    server.stop().await.unwrap();

    let server = start(book_on(store())).await;
    expected.book.starts.push("Restored".to_owned());
    same(server.agent().await.unwrap().state(), &expected);
    assert_eq!(server.recovery().records, 0, "a stop leaves a snapshot");
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn every_way_to_change_the_state_survives_a_kill_and_a_stop_in_memory() {
    let memory = Memory::default();
    every_change_survives(|| memory.clone()).await;
}

#[timed_test::test]
async fn every_way_to_change_the_state_survives_a_kill_and_a_stop_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    every_change_survives(|| Redb::open(folder.path().join("agents.redb")).unwrap()).await;
}

#[timed_test::test]
async fn the_kinds_of_the_changes_are_in_the_log() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    server
        .request(Signal::new("book.heard", json!({})))
        .await
        .unwrap();
    server.set(json!({ "visits": 1 })).await.unwrap();
    kill(server).await;
    let kinds: Vec<RecordKind> = recovered(&memory)
        .await
        .records
        .iter()
        .map(|record| record.kind)
        .collect();
    let expected = [
        RecordKind::OnMount,
        // `agent.init`, which changed nothing, is not in it
        RecordKind::Command,
        RecordKind::Handled,
        RecordKind::Set,
    ];
    assert_eq!(kinds, expected);
}

#[timed_test::test]
async fn an_agent_without_an_id_is_not_stored() {
    let refused = AgentServer::builder(Library::new())
        .store(Memory::default())
        .start();
    let refused = refused.await.unwrap_err();
    assert!(
        matches!(
            refused,
            StartError::NoId {
                agent: "library",
                ..
            }
        ),
        "{refused}"
    );
    // as of a variable that is not set
    let builder = AgentServer::builder(Library::with_id("")).store(Memory::default());
    let refused = builder.start().await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the id of `library` is empty; a store keeps each agent under an id of its own: `with_id(\"...\")`"
    );
}

#[timed_test::test]
async fn an_id_with_blanks_or_line_ends_at_its_edges_is_refused() {
    let memory = Memory::default();
    for id in ["lib-1\n", "lib-1\r\n", " lib-1", "lib-1\t"] {
        let builder = AgentServer::builder(Library::with_id(id)).store(memory.clone());
        let refused = builder.start().await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "the id of `library`, {id:?}, begins or ends with a blank or a line end; a store would keep another agent under it than \
                 under \"lib-1\"; write `with_id(id.trim())`"
            )
        );
    }
    let builder = AgentServer::builder(Library::with_id("lib 1")).store(memory);
    builder.start().await.unwrap();
}

#[timed_test::test]
async fn the_state_of_the_given_agent_counts_at_the_first_start_alone() {
    let memory = Memory::default();
    for text in ["first", "second"] {
        let mut given = Library::with_id("lib-1");
        given.set(&json!({ "book": { "text": text } })).unwrap();
        let server = start(AgentServer::builder(given).store(memory.clone())).await;
        assert_eq!(read(&server).await.text, "first");
        server.stop().await.unwrap();
    }
}

#[timed_test::test]
async fn one_store_keeps_many_agents_apart() {
    let memory = Memory::default();
    let one = start(book_on(memory.clone())).await;
    let other = start(AgentServer::builder(Library::with_id("lib-2")).store(memory.clone())).await;
    one.call(Write { n: 1 }).await.unwrap();
    other.call(Write { n: 2 }).await.unwrap();
    kill(one).await;
    kill(other).await;
    let one = start(book_on(memory.clone())).await;
    assert_eq!(read(&one).await.entries, [1]);
}

#[timed_test::test]
async fn a_damaged_tail_is_cut_off_and_named() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    server.call(Write { n: 7 }).await.unwrap();
    kill(server).await;
    memory.tear("lib-1", 3);
    let server = start(book_on(memory.clone())).await;
    let damage = server.recovery().damage.clone().unwrap();
    assert!(
        damage.contains("lib-1") && damage.contains("before record 3"),
        "{damage}"
    );
    assert_eq!(read(&server).await.entries, [1]);
    server.call(Write { n: 2 }).await.unwrap();
    kill(server).await;
    let server = start(book_on(memory)).await;
    assert_eq!(server.recovery().damage, None);
    assert_eq!(read(&server).await.entries, [1, 2]);
}

#[timed_test::test]
async fn a_damaged_tail_is_reported_by_a_start_that_fails_too() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    server.call(Write { n: 7 }).await.unwrap();
    kill(server).await;
    memory.tear("lib-1", 3);
    let traces = Traces::record();
    let unknown = AgentServer::builder(ShyAgent::with_id("lib-1")).store(memory.clone());
    unknown.start().await.unwrap_err();
    let text = traces.text();
    assert!(
        text.contains("message=the log was damaged, and was cut"),
        "{text}"
    );
    assert!(text.contains("before record 3"), "{text}");
    let server = start(book_on(memory)).await;
    assert_eq!(server.recovery().damage, None, "it was cut off before");
    assert_eq!(read(&server).await.entries, [1]);
}

/// Fails the first time it is mounted.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shy", config = ShyConfig, hooks)]
pub struct Shy {
    #[skill(from_config)]
    pub is_ready: bool,
    #[skill(default)]
    pub starts: Vec<String>,
}

/// Whether it dares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShyConfig {
    /// Whether it does.
    pub is_ready: bool,
}

impl Hooks for Shy {
    fn on_mount(&mut self, start: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
        if !cx.config().is_ready {
            return Err(HookError::new("not yet"));
        }
        self.starts.push(format!("{start:?}"));
        Ok(())
    }
}

agent! {
    /// Shy.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ShyAgent {
        name: "shy_agent",
        skills: [Shy],
    }
}

#[timed_test::test]
async fn a_failed_start_changes_nothing_for_the_next_one() {
    let memory = Memory::default();
    let start = |is_ready| {
        let agent = ShyAgent::builder()
            .id("shy-1")
            .config::<Shy>(ShyConfig { is_ready });
        AgentServer::builder(agent.build().unwrap())
            .store(memory.clone())
            .start()
    };
    assert!(matches!(start(false).await, Err(StartError::Hook { .. })));
    let server = start(true).await.unwrap();
    assert!(!server.recovery().is_restored);
    let state = server.agent().await.unwrap().state().shy.clone();
    assert_eq!(state.starts, ["Fresh"]);
    assert!(
        state.is_ready,
        "the state is that of the configuration which failed"
    );
    kill(server).await;
    let server = start(true).await.unwrap();
    assert_eq!(
        server.agent().await.unwrap().state().shy.starts,
        ["Fresh", "Restored"]
    );
    kill(server).await;
    assert!(matches!(start(false).await, Err(StartError::Hook { .. })));
    let server = start(true).await.unwrap();
    let state = server.agent().await.unwrap().state().shy.clone();
    assert_eq!(state.starts, ["Fresh", "Restored", "Restored"]);
    server.stop().await.unwrap();
}
