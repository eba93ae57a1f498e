//! Traces: the arguments of commands only if they are asked for.

use crate::recorded_traces::Traces;
use crate::support::counter::*;

use serde_json::json;
use skill_agent::prelude::*;

/// The traces of a call of each kind with the argument 20261123.
async fn traces_of_calls(payloads: Option<bool>) -> String {
    let traces = Traces::record();
    let mut builder = AgentServer::builder(Clerk::new());
    if let Some(payloads) = payloads {
        builder = builder.trace_payloads(payloads);
    }
    let server = builder.start().await.unwrap();
    server.call(Add { by: 20261123 }).await.unwrap();
    server.call_json("add", r#"{"by":20261123}"#).await.unwrap();
    let signal = Signal::new("counter.add", json!({ "by": 20261123 }));
    server.request(signal).await.unwrap();
    server.stop().await.unwrap();
    let text = traces.text();
    assert!(text.contains("command finished"), "{text}");
    text
}

#[timed_test::test]
async fn arguments_are_traced_only_if_the_builder_says_so() {
    for payloads in [None, Some(false)] {
        let text = traces_of_calls(payloads).await;
        assert!(!text.contains("20261123"), "{text}");
    }
    let text = traces_of_calls(Some(true)).await;
    assert_eq!(text.matches("20261123").count(), 3, "{text}");
}
