//! Who decides on which tool, and what they see.

use crate::folder::catalog;
use crate::recorded_traces::Traces;
use crate::script::{Script, destructive, tool};
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{ToolError, Toolbox};
use std::sync::{Arc, Mutex};

/// Who was asked, for what, by whom, and with which arguments.
type Asked = Arc<Mutex<Vec<(&'static str, String, String, Value)>>>;

fn guard(
    asked: &Asked,
    who: &'static str,
) -> impl Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static {
    let asked = asked.clone();
    move |attempt| {
        let caller = attempt.caller.principal().unwrap_or("nobody").to_owned();
        let entry = (
            who,
            attempt.tool.name.to_owned(),
            caller,
            attempt.arguments(),
        );
        asked.lock().unwrap().push(entry);
        if attempt.tool.hints.destructive {
            Decision::Ask
        } else {
            Decision::Allow
        }
    }
}

#[timed_test::test]
async fn a_server_decides_on_its_own_tools_and_the_toolbox_on_all_others() {
    let asked = Asked::default();
    let approver = |who: &'static str| {
        let asked = asked.clone();
        move |request: ApprovalRequest| {
            let caller = request.caller.principal().unwrap_or("nobody").to_owned();
            asked
                .lock()
                .unwrap()
                .push((who, request.tool.name, caller, request.arguments));
            async { Verdict::Approve }
        }
    };
    let assistant = AgentServer::builder(Assistant::new())
        .guard(guard(&asked, "guard of assistant"))
        .approver(approver("approver of assistant"))
        .start()
        .await
        .unwrap();
    let porter = AgentServer::builder(Porter::new())
        .guard(guard(&asked, "guard of porter"))
        .start()
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let disk = Script::with(vec![tool("read"), destructive("delete")]);
    let toolbox = Toolbox::builder()
        .server(&assistant)
        .server(&porter)
        .catalog(catalog(folder.path()).load())
        .source("disk", disk.clone())
        .guard(guard(&asked, "guard of toolbox"))
        .approver(approver("approver of toolbox"))
        .build()
        .await
        .unwrap();
    let text = json!({ "text": "a" });
    // the callers, the tools, and who is asked
    let table = [
        ("add_note", text.clone(), "guard of assistant", None),
        (
            "clear_notes",
            json!({}),
            "guard of assistant",
            Some("approver of assistant"),
        ),
        ("ring", json!({}), "guard of porter", None),
        (
            "skill",
            json!({ "skill_name": "review" }),
            "guard of toolbox",
            None,
        ),
        ("read", text.clone(), "guard of toolbox", None),
        (
            "delete",
            text.clone(),
            "guard of toolbox",
            Some("approver of toolbox"),
        ),
    ];
    for caller in ["alice", "bob"] {
        let session = toolbox.session(ForeignCaller::Model.with_principal(caller));
        for (tool, arguments, guard, approver) in &table {
            session.call(tool, &arguments.to_string()).await.unwrap();
            let entry = |who| {
                (
                    who,
                    (*tool).to_owned(),
                    caller.to_owned(),
                    arguments.clone(),
                )
            };
            let expected: Vec<_> = [Some(*guard), *approver]
                .into_iter()
                .flatten()
                .map(entry)
                .collect();
            let found = std::mem::take(&mut *asked.lock().unwrap());
            assert_eq!(found, expected, "{tool} for {caller}");
        }
    }
    let callers = disk
        .calls()
        .into_iter()
        .map(|call| call.caller.principal().unwrap().to_owned());
    assert_eq!(
        callers.collect::<Vec<_>>(),
        ["alice", "alice", "bob", "bob"]
    );
}

#[timed_test::test]
async fn by_default_a_destructive_tool_needs_an_approver() {
    let disk = Script::with(vec![tool("read"), destructive("delete")]);
    let toolbox = Toolbox::builder()
        .source("disk", disk.clone())
        .build()
        .await
        .unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    session.call("read", r#"{"text":"a"}"#).await.unwrap();
    let error = session.call("delete", r#"{"text":"a"}"#).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`delete` was denied: approval is required, but the toolbox has no approver"
    );
    assert_eq!(disk.calls().len(), 1);
}

#[timed_test::test]
async fn wrong_arguments_reach_neither_the_guard_nor_the_source() {
    let asked = Asked::default();
    let disk = Script::of(&["read"]);
    let toolbox = Toolbox::builder().source("disk", disk.clone());
    let toolbox = toolbox.guard(guard(&asked, "guard")).build().await.unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let deep = "[".repeat(100_000);
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(2 << 20));
    for (arguments, problem) in [
        ("", "at the top level: missing field `text`"),
        ("{", "not JSON: "),
        (
            "[1]",
            "at the top level: invalid type: a list, expected an object",
        ),
        (
            r#"{"txet":"a"}"#,
            "`txet`: unknown field `txet`, expected `text`; did you mean `text`?",
        ),
        (
            r#"{"text":1}"#,
            "`text`: invalid type: integer `1`, expected a string",
        ),
        (r#"{"text":"a","text":"b"}"#, "`text`: "),
        (
            r#"{"text":"123456789012345678901"}"#,
            "`text`: the length 21 is out of range, expected ..=20",
        ),
        (&deep, "the JSON is nested"),
        (&long, "the JSON has 2097163 bytes"),
    ] {
        let error = session.call("read", arguments).await.unwrap_err();
        assert!(matches!(error, ToolError::Arguments { .. }), "{error}");
        let expected = format!("the arguments of `read` are wrong: {problem}");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
    assert!(asked.lock().unwrap().is_empty() && disk.calls().is_empty());
}

#[timed_test::test]
async fn a_guard_that_panics_denies() {
    let disk = Script::of(&["read"]);
    let guard = |_: &Attempt<'_>| -> Decision { panic!("no") };
    let toolbox = Toolbox::builder().source("disk", disk.clone()).guard(guard);
    let session = toolbox.build().await.unwrap().session(ForeignCaller::Model);
    let error = session.call("read", r#"{"text":"a"}"#).await.unwrap_err();
    assert_eq!(error.to_string(), "`read` was denied: the guard panicked");
    assert!(disk.calls().is_empty());
}

#[timed_test::test]
async fn of_several_guards_the_strictest_counts() {
    let disk = Script::of(&["read"]);
    let allow = |_: &Attempt<'_>| Decision::Allow;
    let deny = |_: &Attempt<'_>| Decision::Deny("not today".into());
    let toolbox = || Toolbox::builder().source("disk", disk.clone());
    for builder in [
        toolbox().guard(allow).guard(deny),
        toolbox().guard(deny).guard(allow),
    ] {
        let session = builder.build().await.unwrap().session(ForeignCaller::Model);
        let error = session.call("read", r#"{"text":"a"}"#).await.unwrap_err();
        assert_eq!(error.to_string(), "`read` was denied: not today");
    }
    assert!(disk.calls().is_empty());
}

#[timed_test::test]
async fn a_guard_of_a_toolbox_of_servers_alone_is_a_warning() {
    let traces = Traces::record();
    let (assistant, porter) = (assistant().await, porter().await);
    let servers = || Toolbox::builder().server(&assistant).server(&porter);
    let guard = |_: &Attempt<'_>| Decision::Deny("read only today".into());
    let approver = |_: ApprovalRequest| async { false };
    let warning = |methods: &str| {
        format!(
            "the toolbox has only actions of `assistant`, `porter`, and `{methods}` of a toolbox does not decide on actions of a \
             server; write `AgentServer::builder(...){methods}`"
        )
    };
    for (builder, methods) in [
        (servers().guard(guard), ".guard(...)"),
        (servers().approver(approver), ".approver(...)"),
        (
            servers().guard(guard).approver(approver),
            ".guard(...).approver(...)",
        ),
    ] {
        let toolbox = builder.build().await.unwrap();
        assert_eq!(
            traces.take_warnings("message"),
            [format!("message={} ", warning(methods))]
        );
        // it is true
        let session = toolbox.session(ForeignCaller::Model);
        session.call("add_note", r#"{"text":"a"}"#).await.unwrap();
    }
    // something else to decide on, nothing that decides, and no tools at all
    let disk = Script::with(vec![tool("read")]);
    for builder in [
        servers().source("disk", disk).guard(guard),
        servers(),
        Toolbox::builder().guard(guard),
    ] {
        builder.build().await.unwrap();
        assert_eq!(traces.take_warnings("message"), [""; 0]);
    }
}

#[timed_test::test]
async fn a_caller_with_an_empty_principal_gets_no_tool_of_a_source() {
    let source = Script::with(vec![tool("read")]);
    let toolbox = Toolbox::builder().source("files", source).build().await;
    let toolbox = toolbox.unwrap();
    let arguments = json!({ "text": "a" }).to_string();
    let session = toolbox.session(ForeignCaller::Model.with_principal(""));
    let error = session.call("read", &arguments).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the principal of its caller is empty"),
        "{error}"
    );
    let session = toolbox.session(ForeignCaller::Model);
    session.call("read", &arguments).await.unwrap();
}
