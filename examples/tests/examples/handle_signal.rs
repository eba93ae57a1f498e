//! A skill that adds a field to the data of its signals, in a server.

use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::worked::handle_signal::MathAgent;

#[timed_test::test]
async fn a_field_that_a_hook_adds_does_not_reach_the_routed_action() {
    let server = AgentServer::builder(MathAgent::new())
        .start()
        .await
        .unwrap();
    let mut results = server.subscribe("calculator.result").unwrap();
    let signal = |ty: &'static str| Signal::new(ty, json!({ "a": 1.5, "b": 2.504 }));
    let sum = server.request(signal("calculator.add")).await.unwrap();
    assert_eq!(sum, json!(4.0));
    let rest = server.request(signal("calculator.subtract")).await.unwrap();
    assert_eq!(rest, json!(-1.0));
    for result in [sum, rest] {
        let emitted = results.next().await.unwrap();
        assert_eq!(emitted.data(), &result);
        assert!(emitted.id().is_some() && emitted.source().is_some());
    }
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(
        state["calculator"],
        json!({ "precision": 2, "last_result": -1.0 })
    );
}

#[test]
fn a_call_with_the_field_is_still_refused() {
    let arguments = r#"{"a":1,"b":2,"operation":"add"}"#;
    let error = MathAgent::new().call_json("add", arguments).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the arguments of `add` are wrong: `operation`: unknown field `operation`, expected `a` or `b`"
    );
}
