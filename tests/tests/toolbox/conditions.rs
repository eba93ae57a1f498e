//! Conditions of actions: the error of a refused call, and the state of each tool.

use crate::cart_agent::{Busy, Put, Shop, blocked, shop};
use crate::folder::{catalog, document};
use crate::script::Script;
use crate::support::names;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Verdict};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSession, ToolSource,
    Toolbox, ToolsNow,
};
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const EMPTY: &str = "the cart is empty";

/// The tools, each with the reason for a refusal.
fn states(now: &ToolsNow) -> Vec<(&str, Option<&str>)> {
    let tools = now.tools.iter();
    tools
        .map(|now| (&*now.tool.tool.name, now.refusal.as_deref()))
        .collect()
}

/// The sources that are left out, with the reasons.
fn left_out(now: &ToolsNow) -> Vec<(&str, &str)> {
    let withheld = now.withheld.iter();
    withheld
        .map(|withheld| (&*withheld.source, &*withheld.reason))
        .collect()
}

fn put() -> Put {
    Put {
        item: "tea".to_owned(),
    }
}

async fn deferring(server: &AgentServer<Shop>) -> ToolSession {
    Toolbox::of(server).session(ForeignCaller::Model)
}

#[timed_test::test]
async fn a_refused_call_has_its_own_error_and_the_list_stays() {
    let server = shop().await;
    let session = deferring(&server).await;
    let list = session.list().await;
    let error = session.call("checkout", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`checkout` cannot be called now: the cart is empty"
    );
    assert!(matches!(&error, ToolError::NotNow { reason, .. } if reason == EMPTY));
    assert_eq!(error.applied(), Applied::No);
    let stored = serde_json::to_value(&error).unwrap();
    let expected = json!({ "not_now": { "tool": "checkout", "reason": EMPTY } });
    assert_eq!(stored, expected);
    assert_eq!(serde_json::from_value::<ToolError>(stored).unwrap(), error);
    server.call(put()).await.unwrap();
    assert!(Arc::ptr_eq(&list, &session.list().await));
}

#[timed_test::test]
async fn an_approved_call_that_is_refused_is_not_unavailable() {
    let builder = AgentServer::builder(Shop::new());
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap();
    let session = deferring(&server).await;
    server.call(put()).await.unwrap();
    let Err(ToolError::Pending(request)) = session.call("checkout", "{}").await else {
        panic!("the call does not wait");
    };
    server
        .set(json!({ "cart": { "items": [] } }))
        .await
        .unwrap();
    let error = session.decide(*request, true).await.unwrap_err();
    assert!(matches!(error, ToolError::NotNow { .. }), "{error}");
}

#[timed_test::test]
async fn the_state_of_each_tool_follows_the_state_of_its_skill() {
    let server = shop().await;
    let session = Toolbox::of(&server).session(ForeignCaller::Mcp);
    let list = session.list().await;
    let now = session.tools_now().await;
    assert_eq!(states(&now), [("put", None), ("checkout", Some(EMPTY))]);
    assert!(Arc::ptr_eq(&now.tools[1].tool, &list.tools[1]));
    assert!(now.withheld.is_empty());

    server.call(put()).await.unwrap();
    let now = session.tools_now().await;
    assert_eq!(states(&now), [("put", None), ("checkout", None)]);
    // a skill that is mounted meanwhile
    server.mount("coupons", json!({})).await.unwrap();
    let now = session.tools_now().await;
    let redeem = ("redeem", Some("no coupon is left"));
    assert_eq!(states(&now), [("put", None), ("checkout", None), redeem]);
    let patch = json!({ "skills": { "coupons": { "left": 1 } } });
    server.set(patch).await.unwrap();
    assert_eq!(states(&session.tools_now().await)[2], ("redeem", None));
    assert_eq!(names(&*session.list().await), ["put", "checkout", "redeem"]);
}

#[timed_test::test]
async fn tools_that_the_active_documents_do_not_allow_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    document(folder.path(), "reading", "allowed-tools: read\n", "Read.\n");
    let catalog = catalog(folder.path()).restrict_tools(true).load();
    let server = shop().await;
    let builder = Toolbox::builder().server(&server).catalog(catalog);
    let builder = builder.source("disk", Script::of(&["read"]));
    let toolbox = builder.build().await.unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let reading = r#"{"skill_name":"reading"}"#;
    session.call("skill", reading).await.unwrap();
    let now = session.tools_now().await;
    let refusals: Vec<_> = states(&now)
        .into_iter()
        .filter_map(|(tool, refusal)| Some((tool, refusal?)))
        .collect();
    for tool in ["put", "checkout"] {
        let error = session.call(tool, "{}").await.unwrap_err();
        assert!(
            refusals.contains(&(tool, &*error.to_string())),
            "{refusals:?}"
        );
    }
    assert_eq!(refusals.len(), 2, "{refusals:?}");
}

#[timed_test::test(threads = 3)]
async fn a_server_that_is_late_or_has_stopped_is_left_out_and_named() {
    let (shop, busy) = (shop().await, AgentServer::builder(Busy::new()));
    let busy = busy.start().await.unwrap();
    let builder = Toolbox::builder().server(&busy).server(&shop);
    let session = builder.build().await.unwrap().session(ForeignCaller::Model);
    let checkout = ("checkout", Some(EMPTY));
    let all = [("block", None), ("put", None), checkout];
    assert_eq!(states(&session.tools_now().await), all);

    let (end, call) = blocked(&busy).await;
    let now = session.tools_now().await;
    assert_eq!(states(&now), [("put", None), checkout]);
    assert_eq!(left_out(&now), [("busy", "it did not answer within 1s")]);
    end.send(()).unwrap();
    call.await.unwrap();
    assert_eq!(states(&session.tools_now().await), all);

    busy.stop().await.unwrap();
    let now = session.tools_now().await;
    assert_eq!(states(&now), [("put", None), checkout]);
    let [(source, reason)] = left_out(&now)[..] else {
        panic!("{:?}", now.withheld);
    };
    assert_eq!(source, "busy");
    assert!(reason.starts_with("the server has stopped"), "{reason}");
}

/// A source that lists its tools once, and then never again.
#[derive(Default)]
struct Slow {
    has_listed: AtomicBool,
}

impl ToolSource for Slow {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let is_first = !self.has_listed.swap(true, Ordering::Relaxed);
        let tool = ToolBuf::new("crawl", "Crawls.", json!({ "type": "object" }));
        Box::pin(async move {
            if !is_first {
                pending::<()>().await;
            }
            Ok(vec![tool.into()])
        })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async { Ok("crawled".into()) })
    }
}

#[timed_test::test]
async fn a_slow_source_keeps_its_tools_and_holds_up_no_other() {
    let shop = shop().await;
    let builder = Toolbox::builder()
        .server(&shop)
        .source("slow", Slow::default());
    let session = builder.build().await.unwrap().session(ForeignCaller::Model);
    shop.mount("coupons", json!({})).await.unwrap();
    let expected = [
        ("put", None),
        ("checkout", Some(EMPTY)),
        ("redeem", Some("no coupon is left")),
        ("crawl", None),
    ];
    assert_eq!(states(&session.tools_now().await), expected);
}
