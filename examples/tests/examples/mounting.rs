//! Mounting skills by signals, in a server.

use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_examples::mountable::{Arithmetic, AuthenticatedSearch};
use skill_examples::worked::mounting::{CalculatorAgent, Researcher};
use std::error::Error;

fn signal(ty: &'static str, data: Value) -> Signal {
    Signal::new(ty, data)
}

/// The text of an error and its causes.
fn text(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let texts: Vec<_> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}

async fn tools<G: Agent>(server: &AgentServer<G>) -> Vec<String> {
    let tools = server.tools().await.unwrap();
    tools.iter().map(|tool| tool.name.clone()).collect()
}

#[timed_test::test]
async fn a_signal_mounts_a_skill_whose_tools_and_signals_the_server_then_has() {
    let server = AgentServer::builder(CalculatorAgent::new()).start();
    let server = server.await.unwrap();
    let calculate = |op: &str| signal("calculate", json!({ "op": op, "a": 6, "b": 3 }));
    assert!(server.request(calculate("add")).await.is_err());
    assert!(tools(&server).await.is_empty());

    server.request(signal("init", json!({}))).await.unwrap();
    assert_eq!(
        tools(&server).await,
        ["add", "subtract", "multiply", "divide"]
    );
    assert_eq!(server.request(calculate("divide")).await.unwrap(), 2.0);
    let product = server.call_json("multiply", r#"{"a":6,"b":3}"#).await;
    assert_eq!(product.unwrap(), "18.0");
    let error = server.request(calculate("modulo")).await.unwrap_err();
    assert!(text(&error).contains("no handler"), "{}", text(&error));
}

#[timed_test::test]
async fn mounting_what_is_mounted_changes_nothing_and_a_restart_keeps_it() {
    let store = Memory::default();
    let start = || {
        let agent = CalculatorAgent::with_id("calculator-1");
        AgentServer::builder(agent).store(store.clone()).start()
    };
    let server = start().await.unwrap();
    server.request(signal("init", json!({}))).await.unwrap();
    let mounted = server.agent().await.unwrap();
    server.request(signal("init", json!({}))).await.unwrap();
    assert_eq!(server.agent().await.unwrap(), mounted);
    server.stop().await.unwrap();

    let server = start().await.unwrap();
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.mounted().state::<Arithmetic>(), Some(&Arithmetic {}));
    assert_eq!(tools(&server).await.len(), 4);
}

#[timed_test::test]
async fn a_skill_is_mounted_with_those_that_it_requires_or_not_at_all() {
    let server = AgentServer::builder(Researcher::new()).start();
    let server = server.await.unwrap();
    let alone = server.request(signal("init_search", json!({}))).await;
    let error = text(&alone.unwrap_err());
    assert!(error.ends_with("mount `auth` first"), "{error}");
    assert!(server.agent().await.unwrap().mounted().is_empty());

    server.request(signal("init", json!({}))).await.unwrap();
    let agent = server.agent().await.unwrap();
    let names: Vec<&str> = agent.mounted().names().collect();
    assert_eq!(names.last(), Some(&"authenticated_search"));
    assert_eq!(names.len(), 3);
    assert!(agent.mounted().state::<AuthenticatedSearch>().is_some());
    let again = server.request(signal("init_search", json!({}))).await;
    again.unwrap();
}

/// "If existing state under `state.skills[id]`, validate against `schema/0`."
#[test]
fn a_restored_state_of_a_mounted_skill_is_checked() {
    let refused = CalculatorAgent::from_state_json(r#"{"skills":{"arithmetic":{"last":1}}}"#);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`skills.arithmetic.last`: unknown field `last`, there are no fields"
    );
}
