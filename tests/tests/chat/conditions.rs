//! Conditions of actions: what the model reads.

use crate::cart_agent::{Put, Shop};
use serde_json::json;
use skill_agent::chat::{Chat, Scripted};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::{ToolError, Toolbox};

const EMPTY: &str = "`checkout` cannot be called now: the cart is empty";

#[timed_test::test]
async fn a_model_reads_why_its_call_is_refused_and_calls_again() {
    let builder = AgentServer::builder(Shop::new());
    let builder = builder.approver(async |_: ApprovalRequest| true);
    let server = builder.start().await.unwrap();
    let model = Scripted::new()
        .calls([("checkout", json!({}))])
        .calls([("put", json!({ "item": "tea" }))])
        .calls([("checkout", json!({}))])
        .text("Bought.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server));
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Buy tea.").await.unwrap();
    let results: Vec<_> = turn.calls.iter().map(|call| &call.result).collect();
    assert!(matches!(results[0], Err(ToolError::NotNow { .. })));
    assert_eq!(results[0].as_ref().unwrap_err().to_string(), EMPTY);
    let requests = model.requests();
    let read = requests[1].messages.last().unwrap();
    let read = read.results().next().unwrap();
    assert_eq!(read.result.as_ref().unwrap_err().to_string(), EMPTY);
    assert_eq!(requests[0].tools, requests[3].tools, "the list stays");
}

#[timed_test::test]
async fn a_refusal_after_an_approval_ends_the_call() {
    let builder = AgentServer::builder(Shop::new());
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap();
    let item = "tea".to_owned();
    server.call(Put { item }).await.unwrap();
    let model = Scripted::new()
        .calls([("checkout", json!({}))])
        .text("It is empty.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server));
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Buy it.").await.unwrap();
    let id = turn.pending[0].id.clone();
    server
        .set(json!({ "cart": { "items": [] } }))
        .await
        .unwrap();
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!((turn.text(), turn.pending.len()), ("It is empty.", 0));
    let requests = model.requests();
    let read = requests[1].messages.last().unwrap();
    let read = read.results().next().unwrap();
    assert_eq!(read.result.as_ref().unwrap_err().to_string(), EMPTY);
}
