//! Sources whose tools have other names, or fewer of them.

use crate::script::{Script, tool};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{ToolError, ToolSession, ToolSource, Toolbox};

const TEXT: &str = r#"{"text":"a"}"#;

async fn session(source: impl ToolSource) -> ToolSession {
    let toolbox = Toolbox::builder()
        .source("files", source)
        .guard(|_: &Attempt<'_>| Decision::Allow);
    let toolbox = toolbox.build().await.unwrap();
    toolbox.session(ForeignCaller::Model)
}

async fn names(session: &ToolSession) -> Vec<String> {
    let list = session.list().await;
    let tools = list.tools.iter();
    tools.map(|listed| listed.tool.name.to_string()).collect()
}

#[timed_test::test]
async fn a_call_reaches_the_tool_under_its_own_name() {
    let script = Script::of(&["read", "write", "delete"]);
    let source = script.clone().only(["read", "write"]);
    let source = source.rename([("read", "write"), ("write", "read")]);
    let session = session(source.prefix("disk_")).await;
    assert_eq!(names(&session).await, ["disk_write", "disk_read"]);
    session.call("disk_write", TEXT).await.unwrap();
    session.call("disk_read", TEXT).await.unwrap();
    let called: Vec<_> = script
        .calls()
        .into_iter()
        .map(|called| called.name)
        .collect();
    assert_eq!(called, ["read", "write"], "the names are swapped");
    for gone in ["read", "write", "disk_delete", "delete", "disk_disk_read"] {
        let error = session.call(gone, TEXT).await.unwrap_err();
        assert!(
            matches!(error, ToolError::Unknown { .. }),
            "{gone}: {error:?}"
        );
    }
    assert_eq!(script.calls().len(), 2);
}

#[timed_test::test]
async fn a_call_to_ask_for_needs_approval_although_the_guard_allows_it() {
    let script = Script::of(&["read", "write"]);
    let session = session(script.clone().ask_for(["write"]).prefix("disk_")).await;
    session.call("disk_read", TEXT).await.unwrap();
    let denied = session.call("disk_write", TEXT).await.unwrap_err();
    assert!(matches!(denied, ToolError::Denied { .. }), "{denied:?}");
    assert_eq!(script.calls().len(), 1);

    let approving = Toolbox::builder()
        .source("files", script.clone().ask_for(["write"]))
        .approver(async |_: ApprovalRequest| Verdict::Approve);
    let approving = approving.build().await.unwrap();
    let session = approving.session(ForeignCaller::Model);
    session.call("write", TEXT).await.unwrap();
    assert_eq!(script.calls().len(), 2);
}

#[timed_test::test]
async fn a_wrong_name_withholds_the_source() {
    let script = || Script::of(&["read", "write"]);
    let of = async |source| {
        let session = source;
        let list = ToolSession::list(&session).await;
        assert!(list.tools.is_empty(), "{list:?}");
        list.withheld[0].reason.clone()
    };
    let missing = "the source has no tool `wrte`; did you mean `write`?";
    for reason in [
        of(session(script().ask_for(["wrte"])).await).await,
        of(session(script().only(["wrte"])).await).await,
        of(session(script().rename([("wrte", "put")])).await).await,
    ] {
        assert!(reason.contains(missing), "{reason}");
    }
    let twice = of(session(script().rename([("read", "write")])).await).await;
    assert!(
        twice.contains("two tools of the source have the name `write`"),
        "{twice}"
    );
    for pairs in [
        [("read", "x"), ("write", "x")],
        [("read", "x"), ("read", "y")],
    ] {
        let twice = of(session(script().rename(pairs)).await).await;
        assert!(twice.contains("`rename` has `"), "{twice}");
    }
    // the prefix belongs to the outer source
    let order = of(session(script().prefix("disk_").only(["read"])).await).await;
    assert!(order.contains("the source has no tool `read`"), "{order}");
}

#[timed_test::test]
async fn a_source_whose_tool_comes_back_is_listed_again() {
    let script = Script::of(&["read"]);
    let session = session(script.clone().only(["write"])).await;
    assert!(names(&session).await.is_empty());
    script.list_now(vec![tool("read"), tool("write")]);
    assert_eq!(names(&session).await, ["write"]);
}
