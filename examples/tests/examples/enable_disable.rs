//! Enabling and disabling skills by signals, in a server.

use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::worked::enable_disable::Operator;
use std::error::Error;

/// The text of an error and its causes.
fn text(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let texts: Vec<_> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}

#[timed_test::test]
async fn signals_enable_and_disable_a_skill_and_an_error_reaches_the_caller() {
    let server = AgentServer::builder(Operator::new()).start().await.unwrap();
    let count = || Signal::new("get_count", json!({}));
    let enable = |skill: &str| Signal::new("enable_skill", json!({ "skill": skill }));
    let disable = |skill: &str| Signal::new("disable_skill", json!({ "skill": skill }));
    assert!(server.request(count()).await.is_err());

    server.request(enable("counter")).await.unwrap();
    server
        .request(Signal::new("increment", json!({})))
        .await
        .unwrap();
    assert_eq!(
        server.request(count()).await.unwrap(),
        json!({ "count": 1 })
    );
    server.request(disable("counter")).await.unwrap();
    assert!(server.request(count()).await.is_err());

    for (signal, reason) in [
        (
            enable("countr"),
            "no skill or document `countr` is in the registry; did you mean `counter`?",
        ),
        (
            Signal::new("enable_skill", json!({})),
            "the arguments of `enable_skill` are wrong: at the top level: missing field `skill`",
        ),
    ] {
        let error = server.request(signal).await.unwrap_err();
        assert!(text(&error).contains(reason), "{}", text(&error));
    }
    assert!(server.agent().await.unwrap().mounted().is_empty());
}
