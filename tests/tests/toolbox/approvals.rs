//! Approval of tools that are not actions: verdicts, deferred requests, limits.

use crate::script::{Behavior, Script, destructive};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, OPEN_APPROVALS, Verdict};
use skill_agent::toolbox::{SourceError, ToolError, ToolSession, Toolbox, ToolboxBuilder};
use std::future::{Future, pending};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub const TEXT: &str = r#"{"text":"a"}"#;

pub fn builder(disk: &Script) -> ToolboxBuilder {
    Toolbox::builder().source("disk", disk.clone())
}

pub fn later(disk: &Script) -> ToolboxBuilder {
    builder(disk).approver(|_: ApprovalRequest| async { Verdict::Later })
}

pub async fn session(builder: ToolboxBuilder) -> ToolSession {
    builder.build().await.unwrap().session(ForeignCaller::Model)
}

/// The deferred request of a call, after it was stored.
pub async fn pending_request(session: &ToolSession) -> ApprovalRequest {
    let error = session.call("delete", TEXT).await.unwrap_err();
    let stored = serde_json::to_string(&error).unwrap();
    match serde_json::from_str(&stored).unwrap() {
        ToolError::Pending(request) => *request,
        other => panic!("{other:?}"),
    }
}

pub fn destructive_disk() -> Script {
    Script::with(vec![destructive("delete")])
}

#[timed_test::test]
async fn each_verdict_has_its_result() {
    let verdict = Arc::new(Mutex::new(Verdict::Approve));
    let next = verdict.clone();
    let disk = destructive_disk();
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
    let disk = destructive_disk();
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
async fn an_approver_that_is_late_or_panics_denies() {
    let disk = destructive_disk();
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
pub fn poll<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[timed_test::test]
async fn open_requests_are_bounded_and_a_dropped_call_is_none() {
    let disk = destructive_disk();
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
async fn a_call_that_hangs_or_panics_ends_and_the_others_work() {
    let disk = destructive_disk();
    let session = builder(&disk).guard(|_: &Attempt<'_>| Decision::Allow);
    let session = self::session(session.call_time_limit(Duration::ZERO)).await;
    for (behavior, reason) in [
        (
            Behavior::Hang,
            "the source did not answer within 0ns; the call may have been applied",
        ),
        (
            Behavior::Panic,
            "the source panicked; the call may have been applied",
        ),
        (
            Behavior::PanicLater,
            "the source panicked; the call may have been applied",
        ),
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
