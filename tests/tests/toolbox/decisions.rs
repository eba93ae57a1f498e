//! Decisions on deferred requests for tools that are not actions.

use crate::approvals::{
    TEXT, builder, destructive_disk as disk, later, pending_request, poll, session,
};
use crate::script::{Behavior, destructive};
use crate::support::*;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{SourceError, ToolError, Toolbox};
use std::sync::Arc;
use tokio::sync::Notify;

const SECRET: &str = "a secret of 16 b";

fn invalid(result: Result<impl Sized, ToolError>) -> String {
    match result.map(|_| ()) {
        Err(ToolError::InvalidRequest { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn a_deferred_request_is_decided_once() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    assert_eq!((&*request.skill, &*request.action), ("disk", "delete"));
    let again = session.decide(request.clone(), Verdict::Later).await;
    assert!(matches!(again, Err(ToolError::Pending(again)) if *again == request));
    session.decide(request.clone(), true).await.unwrap();
    let call = disk.calls().pop().unwrap();
    assert_eq!(call.arguments, json!({ "text": "a" }));
    assert_eq!(
        call.key.as_ref(),
        Some(&request.id),
        "so that the source can apply it once"
    );
    for verdict in [Verdict::Approve, Verdict::Deny("no".into())] {
        let again = session.decide(request.clone(), verdict).await;
        assert_eq!(invalid(again), "it was decided on before");
    }
    let request = pending_request(&session).await;
    let denied = session.decide(request.clone(), false).await.unwrap_err();
    assert_eq!(
        denied.to_string(),
        "`delete` was denied: the approver denied it"
    );
    assert_eq!(
        invalid(session.decide(request, true).await),
        "it was decided on before"
    );
    assert_eq!(disk.calls().len(), 1);
}

#[timed_test::test]
async fn a_request_that_is_not_the_one_that_was_made_is_refused() {
    let disk = disk();
    let toolbox = later(&disk).build().await.unwrap();
    let session = toolbox.session(ForeignCaller::Model);
    let request = pending_request(&session).await;
    let changed = "it was changed, or sealed by a server, by another toolbox or with another secret; \
                   a toolbox knows requests from before its start only by `Toolbox::builder().approval_secret(...)`";
    let mut other = request.clone();
    other.arguments = json!({ "text": "b" });
    assert_eq!(invalid(session.decide(other, true).await), changed);
    let mut other = request.clone();
    other.id.push('0');
    assert_eq!(invalid(session.decide(other, true).await), changed);
    let mut other = request.clone();
    other.tool.name = "format".to_owned();
    let gone = "the toolbox no longer has its tool";
    assert_eq!(invalid(session.decide(other, true).await), gone);
    // of another caller
    let eve = toolbox.session(ForeignCaller::Model.with_principal("eve"));
    assert_eq!(
        invalid(eve.decide(request.clone(), true).await),
        "it is of another caller"
    );
    let mut other = request.clone();
    other.caller = eve.caller().clone();
    assert_eq!(invalid(eve.decide(other, true).await), changed);
    let chained = toolbox.session(ForeignCaller::Model.via("planner"));
    assert_eq!(
        invalid(chained.decide(request.clone(), true).await),
        "it is of another caller"
    );
    // of another toolbox
    let other = later(&disk).build().await.unwrap();
    let other = other.session(ForeignCaller::Model);
    assert_eq!(invalid(other.decide(request.clone(), true).await), changed);
    assert!(disk.calls().is_empty());
    toolbox
        .session(ForeignCaller::Model)
        .decide(request, true)
        .await
        .unwrap();
}

#[timed_test::test]
async fn a_toolbox_with_the_same_secret_decides_in_another_process() {
    let disk = disk();
    let first = session(later(&disk).approval_secret(SECRET)).await;
    let request = pending_request(&first).await;
    let second = session(later(&disk).approval_secret(SECRET)).await;
    second.decide(request.clone(), true).await.unwrap();
    assert_eq!(
        invalid(second.decide(request, true).await),
        "it was decided on before"
    );
}

#[timed_test::test]
async fn a_request_is_not_carried_out_by_the_tool_of_another_source() {
    let (disk, cloud) = (disk(), disk());
    let first = session(later(&disk).approval_secret(SECRET)).await;
    let request = pending_request(&first).await;
    let approver = |_: ApprovalRequest| async { Verdict::Later };
    let other = Toolbox::builder().source("cloud", cloud.clone());
    let other = session(other.approver(approver).approval_secret(SECRET)).await;
    for verdict in [
        Verdict::Approve,
        Verdict::ApproveWith(json!({ "text": "b" })),
        Verdict::Deny("no".into()),
        Verdict::Later,
    ] {
        let refused = invalid(other.decide(request.clone(), verdict).await);
        assert_eq!(refused, "the toolbox no longer has its tool");
    }
    assert!(disk.calls().is_empty() && cloud.calls().is_empty());
    first.decide(request, true).await.unwrap();
}

#[timed_test::test]
async fn a_request_without_its_whole_seal_is_refused() {
    let server = AgentServer::builder(Assistant::new())
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    let disk = disk();
    let session = session(later(&disk).server(&server)).await;
    let error = session.call("clear_notes", "{}").await.unwrap_err();
    let ToolError::Pending(of_server) = error else {
        panic!("{error:?}")
    };
    for request in [pending_request(&session).await, *of_server] {
        let mut stored = serde_json::to_value(&request).unwrap();
        let seal = stored["seal"].as_str().unwrap().to_owned();
        for short in ["", &seal[..1], &seal[..63], &format!("{seal}0")] {
            stored["seal"] = json!(short);
            let unsealed: ApprovalRequest = serde_json::from_value(stored.clone()).unwrap();
            let refused = invalid(session.decide(unsealed, true).await);
            assert!(refused.starts_with("it was changed"), "{refused}");
        }
    }
    assert!(disk.calls().is_empty());
}

#[timed_test::test]
async fn a_server_and_a_toolbox_with_one_secret_do_not_take_each_others_requests() {
    let server = AgentServer::builder(Assistant::new())
        .approval_secret(SECRET)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    let disk = disk();
    let session = session(later(&disk).server(&server).approval_secret(SECRET)).await;
    let of_disk = pending_request(&session).await;
    assert!(server.decide(of_disk.clone(), true).await.is_err());
    let error = session.call("clear_notes", "{}").await.unwrap_err();
    let ToolError::Pending(of_server) = error else {
        panic!("{error:?}")
    };
    // the request of the server as one for the tool of the disk
    let mut forged = (*of_server).clone();
    forged.tool.name = "delete".to_owned();
    assert!(invalid(session.decide(forged, true).await).starts_with("it was changed"));
    session.decide(*of_server, true).await.unwrap();
    session.decide(of_disk, true).await.unwrap();
}

#[timed_test::test]
async fn a_request_whose_tool_has_changed_is_judged_by_the_tool_as_it_is() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    let mut tool = destructive("delete");
    tool.tool.input_schema["properties"]["text"]["maxLength"] = json!(0);
    disk.list_now(vec![tool]);
    session.list().await;
    let error = session.decide(request.clone(), true).await.unwrap_err();
    assert!(
        error.to_string().contains("the length 1 is out of range"),
        "{error}"
    );
    disk.list_now(Vec::new());
    session.list().await;
    let gone = "the toolbox no longer has its tool";
    assert_eq!(invalid(session.decide(request, true).await), gone);
}

#[timed_test::test]
async fn a_call_without_effect_leaves_the_request_undecided() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    for (error, applied) in [
        (SourceError::unavailable("busy"), Applied::No),
        (SourceError::failed("it broke"), Applied::Unknown),
    ] {
        disk.behave(Behavior::Fail(error));
        let error = session.decide(request.clone(), true).await.unwrap_err();
        assert_eq!(error.applied(), applied);
    }
    disk.behave(Behavior::Answer);
    assert_eq!(
        invalid(session.decide(request, true).await),
        "it was decided on before"
    );
}

#[timed_test::test]
async fn wrong_arguments_that_may_have_had_an_effect_are_a_failure_and_count() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    let error = SourceError::arguments("the second line is wrong").with_applied(Applied::Unknown);
    disk.behave(Behavior::Fail(error));
    let error = session.decide(request.clone(), true).await.unwrap_err();
    assert_eq!(error.to_string(), "the second line is wrong");
    assert_eq!(error.applied(), Applied::Unknown);
    disk.behave(Behavior::Answer);
    assert_eq!(
        invalid(session.decide(request, true).await),
        "it was decided on before"
    );
}

#[timed_test::test]
async fn a_request_is_not_invalid_while_its_source_fails() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    disk.behave(Behavior::Fail(SourceError::unavailable("no network")));
    session.list().await;
    let error = session.decide(request.clone(), true).await.unwrap_err();
    assert!(matches!(error, ToolError::Unavailable { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "`delete` cannot be called now: no network"
    );
    disk.behave(Behavior::Answer);
    session.list().await;
    session.decide(request, true).await.unwrap();
}

#[timed_test::test]
async fn approved_arguments_are_checked_as_those_of_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = crate::folder::catalog(folder.path()).load();
    let asks = |_: &Attempt<'_>| Decision::Ask;
    let session = session(later(&disk()).catalog(catalog).guard(asks)).await;
    // the schema of `skill` lists the documents, and the catalog itself says that there is none
    let other = r#"{"skill_name":"other"}"#;
    let ToolError::Pending(request) = session.call("skill", other).await.unwrap_err() else {
        panic!("it was not deferred");
    };
    let gone = "Skill 'other' not found. It may have been removed or is unavailable.";
    let error = session.decide(*request.clone(), true).await.unwrap_err();
    assert_eq!(error.to_string(), gone);
    let with = Verdict::ApproveWith(json!({ "skill_name": "other" }));
    let error = session.decide(*request.clone(), with).await.unwrap_err();
    assert_eq!(error.to_string(), gone);
    let with = Verdict::ApproveWith(json!({ "skill_name": "review" }));
    session.decide(*request, with).await.unwrap();
}

#[timed_test::test]
async fn a_tool_is_looked_for_again_after_the_approver_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    crate::folder::document(folder.path(), "reading", "allowed-tools: read\n", "Read.\n");
    let catalog = crate::folder::catalog(folder.path())
        .restrict_tools(true)
        .load();
    let disk = disk();
    let gate = Arc::new(Notify::new());
    let opened = gate.clone();
    let waits = move |_: ApprovalRequest| {
        let gate = opened.clone();
        async move {
            gate.notified().await;
            true
        }
    };
    let session = session(builder(&disk).approver(waits).catalog(catalog)).await;
    // a document becomes active meanwhile
    let mut call = Box::pin(session.call("delete", TEXT));
    assert!(poll(call.as_mut()).is_pending());
    let policy = &skill_agent::manifest::selection::SelectionPolicy::LAZY_TOOL;
    let mut active = session.activations();
    active.activate("reading", policy).unwrap();
    session.set_activations(active);
    gate.notify_one();
    let error = call.await.unwrap_err();
    assert!(matches!(error, ToolError::Restricted { .. }), "{error}");
    session.set_activations(Default::default());
    // the tool has another schema meanwhile
    let mut call = Box::pin(session.call("delete", TEXT));
    assert!(poll(call.as_mut()).is_pending());
    let mut other = destructive("delete");
    other.tool.input_schema["properties"]["text"]["maxLength"] = json!(0);
    disk.list_now(vec![other]);
    session.list().await;
    gate.notify_one();
    let error = call.await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`delete` cannot be called now: it has changed while its call waited for approval"
    );
    // and is gone
    let mut call = Box::pin(session.call("delete", r#"{"text":""}"#));
    assert!(poll(call.as_mut()).is_pending());
    disk.list_now(Vec::new());
    session.list().await;
    gate.notify_one();
    let error = call.await.unwrap_err();
    assert!(matches!(error, ToolError::Unknown { .. }), "{error}");
    assert!(disk.calls().is_empty());
}

#[timed_test::test]
async fn a_decision_that_is_dropped_after_its_call_began_counts() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    disk.behave(Behavior::Hang);
    let mut decision = Box::pin(session.decide(request.clone(), true));
    assert!(poll(decision.as_mut()).is_pending());
    assert_eq!(disk.calls().len(), 1);
    drop(decision);
    disk.behave(Behavior::Answer);
    assert_eq!(
        invalid(session.decide(request, true).await),
        "it was decided on before"
    );
}

#[timed_test::test]
async fn two_decisions_at_once_run_the_call_once() {
    let disk = disk();
    let session = session(later(&disk)).await;
    let request = pending_request(&session).await;
    disk.behave(Behavior::Hang);
    let mut first = Box::pin(session.decide(request.clone(), true));
    assert!(poll(first.as_mut()).is_pending());
    assert_eq!(
        invalid(session.decide(request, true).await),
        "it was decided on before"
    );
    assert_eq!(disk.calls().len(), 1);
}

#[timed_test::test]
async fn active_documents_restrict_decisions_too() {
    let folder = tempfile::tempdir().unwrap();
    crate::folder::document(folder.path(), "reading", "allowed-tools: read\n", "Read.\n");
    let catalog = crate::folder::catalog(folder.path())
        .restrict_tools(true)
        .load();
    let disk = disk();
    let session = session(later(&disk).catalog(catalog)).await;
    let request = pending_request(&session).await;
    let mut active = session.activations();
    active
        .activate(
            "reading",
            &skill_agent::manifest::selection::SelectionPolicy::LAZY_TOOL,
        )
        .unwrap();
    session.set_activations(active);
    let error = session.decide(request.clone(), true).await.unwrap_err();
    assert!(matches!(error, ToolError::Restricted { .. }), "{error}");
    let error = session.decide(request, false).await.unwrap_err();
    assert!(matches!(error, ToolError::Denied { .. }), "{error}");
    assert!(disk.calls().is_empty());
}
