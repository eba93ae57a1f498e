//! A catalog in a toolbox: loading documents, and the tools that active documents allow.

use crate::folder::{catalog, document};
use crate::script::{Script, tool};
use crate::support::names;
use serde_json::json;
use skill_agent::manifest::selection::{ActivationPeriod, Activations, SelectionPolicy};
use skill_agent::prelude::*;
use skill_agent::toolbox::{ToolError, ToolSession, Toolbox, ToolboxBuilder};
use std::sync::Arc;

async fn session(builder: ToolboxBuilder) -> ToolSession {
    builder.build().await.unwrap().session(ForeignCaller::Model)
}

fn load(id: &str) -> String {
    json!({ "skill_name": id }).to_string()
}

fn active(session: &ToolSession) -> Vec<String> {
    session.activations().active().map(str::to_owned).collect()
}

#[timed_test::test]
async fn the_tools_of_a_catalog_load_documents_and_activate_them_in_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::builder().catalog(catalog(folder.path()).load());
    let toolbox = toolbox.build().await.unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let list = session.list().await;
    assert_eq!(names(&list), ["skill", "read_skill_file"]);
    for listed in &list.tools {
        assert_eq!((&*listed.lane, &*listed.source), ("catalog", "catalog"));
        assert!(listed.tool.hints.read_only);
    }
    let body = session.call("skill", &load("review")).await.unwrap();
    assert!(body.text().starts_with("Read it twice."));
    let file = r#"{"skill":"review","path":"checklist.md"}"#;
    let text = session.call("read_skill_file", file).await.unwrap();
    assert_eq!(text.text(), "- Is it tested?\n");
    assert_eq!(active(&session), ["review"]);
    // nothing of it is in the toolbox
    assert!(active(&toolbox.session(ForeignCaller::Model)).is_empty());
    let kept = serde_json::to_string(&session.activations()).unwrap();
    let restored = toolbox.session(ForeignCaller::Model);
    restored.set_activations(serde_json::from_str::<Activations>(&kept).unwrap());
    assert_eq!(active(&restored), ["review"]);
}

#[timed_test::test]
async fn errors_of_a_catalog_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(Toolbox::builder().catalog(catalog(folder.path()).load())).await;
    for (tool, arguments, expected) in [
        (
            "skill",
            r#"{"skil_name":"review"}"#,
            "the arguments of `skill` are wrong: `skil_name`: unknown field `skil_name`, expected `skill_name`; did you mean `skill_name`?",
        ),
        (
            "skill",
            "[1]",
            "the arguments of `skill` are wrong: at the top level: invalid type: a list, expected an object; its field is `skill_name`",
        ),
        (
            "skill",
            "",
            "the arguments of `skill` are wrong: at the top level: missing field `skill_name`",
        ),
        (
            "skill",
            r#"{"skill_name":"other"}"#,
            "Skill 'other' not found. It may have been removed or is unavailable.",
        ),
        (
            "read_skill_file",
            r#"{"skill":"review","path":"checklst.md"}"#,
            "Error reading 'checklst.md' of skill 'review': there is no such file; did you mean 'checklist.md'?",
        ),
    ] {
        let error = session.call(tool, arguments).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(active(&session).is_empty());
}

#[timed_test::test]
async fn active_documents_restrict_calls_and_not_the_list() {
    let folder = tempfile::tempdir().unwrap();
    document(folder.path(), "reading", "allowed-tools: read\n", "Read.\n");
    document(
        folder.path(),
        "writing",
        "allowed-tools: write\n",
        "Write.\n",
    );
    let catalog = catalog(folder.path()).restrict_tools(true).load();
    let disk = Script::of(&["read", "write"]);
    let session = session(
        Toolbox::builder()
            .source("disk", disk.clone())
            .catalog(catalog),
    )
    .await;
    let first = session.list().await;
    assert_eq!(names(&first), ["read", "write", "skill", "read_skill_file"]);
    session.call("skill", &load("reading")).await.unwrap();
    assert!(Arc::ptr_eq(&first, &session.list().await));
    let text = r#"{"text":"a"}"#;
    session.call("read", text).await.unwrap();
    let error = session.call("write", text).await.unwrap_err();
    assert!(matches!(error, ToolError::Restricted { .. }));
    assert_eq!(
        error.to_string(),
        "the tool `write` cannot be called: the active skill `reading` allows only other tools"
    );
    session.call("skill", &load("writing")).await.unwrap();
    session.call("read", text).await.unwrap_err();
    // a long result can be read on, whatever is active
    disk.answer_with("x".repeat(70_000).into());
    session.set_activations(Activations::default());
    session.call("read", text).await.unwrap();
    session.call("skill", &load("writing")).await.unwrap();
    assert_eq!(
        names(&*session.list().await),
        ["read", "write", "skill", "read_skill_file", "read_result"]
    );
}

#[timed_test::test]
async fn the_policy_limits_activations() {
    let folder = tempfile::tempdir().unwrap();
    document(folder.path(), "plan", "", "Plan.\n");
    let toolbox = Toolbox::builder()
        .catalog(catalog(folder.path()).load())
        .selection_policy(SelectionPolicy::INDEX);
    let session = session(toolbox).await;
    session.call("skill", &load("plan")).await.unwrap();
    let error = session.call("skill", &load("review")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`review` is not activated: `plan` is active, and one is allowed for each request"
    );
    session.start_turn();
    session.call("skill", &load("review")).await.unwrap();
    assert_eq!(active(&session), ["review"]);
}

#[timed_test::test]
async fn an_activation_of_no_turns_lasts_for_the_present_one() {
    let folder = tempfile::tempdir().unwrap();
    for turns in [0, 1] {
        let policy = SelectionPolicy::LAZY_TOOL.period(ActivationPeriod::Turns(turns));
        let toolbox = Toolbox::builder()
            .catalog(catalog(folder.path()).load())
            .selection_policy(policy);
        let session = session(toolbox).await;
        session.start_turn();
        session.call("skill", &load("review")).await.unwrap();
        assert_eq!(active(&session), ["review"]);
        session.start_turn();
        assert!(active(&session).is_empty());
    }
}

#[timed_test::test]
async fn a_catalog_that_is_replaced_changes_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut loaded = catalog(folder.path()).load();
    let toolbox = Toolbox::builder()
        .catalog(loaded.clone())
        .source("disk", Script::with(vec![tool("read")]))
        .build()
        .await
        .unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let first = session.list().await;
    loaded.reload();
    toolbox.set_catalog(loaded.clone());
    assert!(
        Arc::ptr_eq(&first, &session.list().await),
        "the same documents"
    );
    document(folder.path(), "plan", "", "Plan.\n");
    loaded.reload();
    toolbox.set_catalog(loaded);
    let second = session.list().await;
    assert_eq!(second.generation, first.generation + 1);
    assert!(second.tools[0].tool.description.contains("plan"));
    session.call("skill", &load("plan")).await.unwrap();
}

#[test]
fn a_call_that_is_dropped_activates_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let session = session(Toolbox::builder().catalog(catalog(folder.path()).load())).await;
        let arguments = load("review");
        for polls in 0..3 {
            let mut call = Box::pin(session.call("skill", &arguments));
            for _ in 0..polls {
                let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
                if call.as_mut().poll(&mut cx).is_ready() {
                    // the thread was quick: that is a call that ended
                    session.set_activations(Activations::default());
                    break;
                }
            }
            drop(call);
            // the only thread has read the document when it comes to this
            tokio::task::spawn_blocking(|| ()).await.unwrap();
            assert!(active(&session).is_empty());
        }
    });
}
