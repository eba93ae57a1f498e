//! Approval of tools that are not actions: verdicts, deferred requests, limits.

use crate::script::{Behavior, Script, destructive};
use crate::support::*;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, OPEN_APPROVALS, Verdict};
use skill_agent::toolbox::{SourceError, ToolError, ToolSession, Toolbox, ToolboxBuilder};
use std::future::{Future, pending};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

const SECRET: &str = "a secret of 16 b";
const TEXT: &str = r#"{"text":"a"}"#;

fn builder(disk: &Script) -> ToolboxBuilder {
    Toolbox::builder().source("disk", disk.clone())
}

fn later(disk: &Script) -> ToolboxBuilder {
    builder(disk).approver(|_: ApprovalRequest| async { Verdict::Later })
}

async fn session(builder: ToolboxBuilder) -> ToolSession {
    builder.build().await.unwrap().session(ForeignCaller::Model)
}

/// The deferred request of a call, after it was stored.
async fn pending_request(session: &ToolSession) -> ApprovalRequest {
    let error = session.call("delete", TEXT).await.unwrap_err();
    let stored = serde_json::to_string(&error).unwrap();
    match serde_json::from_str(&stored).unwrap() {
        ToolError::Pending(request) => *request,
        other => panic!("{other:?}"),
    }
}

fn disk() -> Script {
    Script::with(vec![destructive("delete")])
}

fn invalid(result: Result<impl Sized, ToolError>) -> String {
    match result.map(|_| ()) {
        Err(ToolError::InvalidRequest { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn each_verdict_has_its_result() {
    let verdict = Arc::new(Mutex::new(Verdict::Approve));
    let next = verdict.clone();
    let disk = disk();
    let session = builder(&disk).approver(move |_: ApprovalRequest| {
        let verdict = next.lock().unwrap().clone();
        async { verdict }
    });
    let session = self::session(session).await;
    for (given, expected) in [
        (Verdict::Approve, Ok("a")),
        (Verdict::ApproveWith(json!({ "text": "b" })), Ok("b")),
        (Verdict::Deny("no".into()), Err("`delete` was denied: no")),
        (
            Verdict::Abort("stop".into()),
            Err("`delete` was denied, and its caller should stop: stop"),
        ),
        (
            Verdict::ApproveWith(json!({ "text": 1 })),
            Err(
                "`delete` was denied: the arguments of the approver are wrong: `text`: invalid type: integer `1`, expected a string",
            ),
        ),
        (
            Verdict::ApproveWith(json!({ "text": "a", "more": 1 })),
            Err(
                "`delete` was denied: the arguments of the approver are wrong: `more`: unknown field `more`, expected `text`",
            ),
        ),
    ] {
        *verdict.lock().unwrap() = given;
        let before = disk.calls().len();
        let result = session.call("delete", TEXT).await;
        match expected {
            Ok(text) => {
                result.unwrap();
                assert_eq!(disk.calls()[before].arguments, json!({ "text": text }));
            }
            Err(message) => {
                assert_eq!(result.unwrap_err().to_string(), message);
                assert_eq!(disk.calls().len(), before);
            }
        }
    }
}

#[timed_test::test]
async fn the_guard_is_asked_about_the_arguments_of_the_approver() {
    let guard = |attempt: &Attempt<'_>| match attempt.arguments()["text"].as_str() {
        Some("b") => Decision::Deny("not b".into()),
        _ => Decision::Ask,
    };
    let disk = disk();
    let approver = |_: ApprovalRequest| async { Verdict::ApproveWith(json!({ "text": "b" })) };
    let session = session(builder(&disk).guard(guard).approver(approver)).await;
    let error = session.call("delete", TEXT).await.unwrap_err();
    assert_eq!(error.to_string(), "`delete` was denied: not b");

    let session = self::session(later(&disk).guard(guard)).await;
    let request = pending_request(&session).await;
    let with_b = Verdict::ApproveWith(json!({ "text": "b" }));
    let error = session.decide(request.clone(), with_b).await.unwrap_err();
    assert_eq!(error.to_string(), "`delete` was denied: not b");
    assert!(disk.calls().is_empty());
    // nothing was applied, so that it can be decided on again
    session.decide(request, true).await.unwrap();
    assert_eq!(disk.calls().len(), 1);
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
    let changed = "it was changed, or sealed by another toolbox or with another secret";
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
    // of another caller, whoever asks
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
async fn an_approver_that_is_late_or_panics_denies() {
    let disk = disk();
    let hangs = |_: ApprovalRequest| pending::<bool>();
    let session = builder(&disk)
        .approver(hangs)
        .approver_time_limit(Duration::ZERO);
    let error = self::session(session)
        .await
        .call("delete", TEXT)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`delete` was denied: the approver did not decide within 0ns"
    );
    let panics = |_: ApprovalRequest| async { if true { panic!("no") } else { true } };
    let error = session_with(&disk, panics)
        .await
        .call("delete", TEXT)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`delete` was denied: approval is required, but the approver panicked"
    );
    assert!(disk.calls().is_empty());
}

async fn session_with(disk: &Script, approver: impl skill_agent::server::Approver) -> ToolSession {
    session(builder(disk).approver(approver)).await
}

/// Polls a future once.
fn poll<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[timed_test::test]
async fn open_requests_are_bounded_and_a_dropped_call_is_none() {
    let disk = disk();
    let session = session_with(&disk, |_: ApprovalRequest| pending::<bool>()).await;
    for _ in 0..2 {
        let mut calls: Vec<_> = (0..OPEN_APPROVALS)
            .map(|_| Box::pin(session.call("delete", TEXT)))
            .collect();
        for call in &mut calls {
            assert!(poll(call.as_mut()).is_pending());
        }
        let error = session.call("delete", TEXT).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "`delete` was denied: approval is required, but too many requests are already waiting"
        );
        // dropped: there is room again
    }
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
async fn a_call_that_hangs_or_panics_ends_and_the_others_work() {
    let disk = disk();
    let session = builder(&disk).guard(|_: &Attempt<'_>| Decision::Allow);
    let session = self::session(session.call_time_limit(Duration::ZERO)).await;
    for (behavior, reason) in [
        (
            Behavior::Hang,
            "the source did not answer within 0ns; the call may have been applied",
        ),
        (Behavior::Panic, "the source panicked"),
        (Behavior::PanicLater, "the source panicked"),
    ] {
        disk.behave(behavior);
        let error = session
            .call_with_key("k", "delete", TEXT)
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`delete` cannot be called now: {reason}")
        );
        assert_eq!(error.applied(), Applied::Unknown);
    }
    disk.behave(Behavior::Fail(SourceError::failed("x".repeat(1 << 20))));
    let error = session.call("delete", TEXT).await.unwrap_err();
    assert!(error.to_string().len() < 9_000);
    assert_eq!(disk.calls()[0].key.as_deref(), Some("k"));
}
