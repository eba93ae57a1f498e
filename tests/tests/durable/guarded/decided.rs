//! Decisions that are made later, also after a restart and by another process.

use super::*;
use crate::kill;
use skill_agent::server::{Attempt, CallJsonError, Decision};

/// A server that asks about destructive actions of models, and an approver that defers every decision.
fn deferring(store: Option<Memory>) -> AgentServerBuilder<Bank> {
    bank(store).approver(async |_: ApprovalRequest| Verdict::Later)
}

/// The request of a model's call that waits for approval.
async fn pending(server: &AgentServer<Bank>) -> ApprovalRequest {
    let model = server.on_behalf_of(ForeignCaller::Model.with_principal("alice"));
    let error = model.call_json("close", "{}").await.unwrap_err();
    let text = error.to_string();
    let ServeError::Pending(request) = error else {
        panic!("{error:?}");
    };
    assert_eq!(text, "`close` waits for approval");
    *request
}

/// The request as another process reads it, with the keys of objects in another order.
fn sent(request: &ApprovalRequest) -> ApprovalRequest {
    let value = serde_json::to_value(request).unwrap();
    let reversed: Vec<_> = value.as_object().unwrap().iter().rev().collect();
    let reversed = reversed.into_iter().map(|(k, v)| (k.clone(), v.clone()));
    let text = Value::Object(reversed.collect()).to_string();
    serde_json::from_str(&text).unwrap()
}

fn is_denied<T>(result: &Result<T, CallJsonError>) -> bool {
    matches!(result, Err(ServeError::Denied { .. }))
}

fn is_invalid<T>(result: &Result<T, CallJsonError>) -> bool {
    matches!(result, Err(ServeError::InvalidRequest { .. }))
}

#[timed_test::test]
async fn a_request_is_deferred_and_approved_once() {
    for store in [None, Some(Memory::default())] {
        let server = deferring(store).start().await.unwrap();
        server.call(Pay { cents: 1 }).await.unwrap();
        let request = pending(&server).await;
        assert_eq!(
            request.of::<Close>().map(|close| close.quietly),
            Some(false)
        );
        assert!(request.of::<Pay>().is_none());
        assert_eq!(paid(&server).await, [1], "nothing has run");
        let request = sent(&request);
        assert_eq!(server.decide(request.clone(), true).await.unwrap(), "1");
        assert_eq!(paid(&server).await, [0; 0]);
        server.call(Pay { cents: 2 }).await.unwrap();
        for verdict in [Verdict::Approve, Verdict::Deny("too late".into())] {
            let again = server.decide(request.clone(), verdict).await;
            assert_eq!(again.unwrap(), "1", "decided once");
        }
        assert_eq!(paid(&server).await, [2]);
    }
}

#[timed_test::test]
async fn a_denial_is_kept_too() {
    for store in [None, Some(Memory::default())] {
        let server = deferring(store).start().await.unwrap();
        server.call(Pay { cents: 1 }).await.unwrap();
        let request = pending(&server).await;
        let later = server.decide(request.clone(), Verdict::Later).await;
        assert!(matches!(later, Err(ServeError::Pending(_))), "{later:?}");
        let denied = server
            .decide(request.clone(), Verdict::Deny("no".into()))
            .await;
        assert_eq!(denied.unwrap_err().to_string(), "`close` was denied: no");
        let again = server.decide(request, Verdict::Approve).await;
        assert_eq!(
            again.unwrap_err().to_string(),
            "`close` was denied: the request was decided before: no"
        );
        let request = pending(&server).await;
        for expected in [
            "`close` was denied",
            "`close` was denied: the request was decided before",
        ] {
            let without_reason = Verdict::Deny("".into());
            let denied = server.decide(request.clone(), without_reason).await;
            assert_eq!(denied.unwrap_err().to_string(), expected);
        }

        let request = pending(&server).await;
        let abort = Verdict::Abort("stop".into());
        let aborted = server.decide(request, abort).await;
        assert!(
            matches!(aborted, Err(ServeError::Aborted { .. })),
            "{aborted:?}"
        );
        assert_eq!(paid(&server).await, [1]);
    }
}

#[timed_test::test]
async fn a_decision_outlives_the_server() {
    let store = Memory::default();
    let server = deferring(Some(store.clone())).start().await.unwrap();
    server.call(Pay { cents: 1 }).await.unwrap();
    let (approved, denied) = (pending(&server).await, pending(&server).await);
    kill(server).await;

    let server = deferring(Some(store.clone())).start().await.unwrap();
    assert_eq!(server.decide(sent(&approved), true).await.unwrap(), "1");
    assert!(is_denied(&server.decide(sent(&denied), false).await));
    server.call(Pay { cents: 2 }).await.unwrap();
    // Once by way of a snapshot, and once by way of the records.
    server.stop().await.unwrap();
    for _ in 0..2 {
        let server = deferring(Some(store.clone())).start().await.unwrap();
        assert_eq!(server.decide(approved.clone(), true).await.unwrap(), "1");
        assert!(is_denied(&server.decide(denied.clone(), true).await));
        assert_eq!(paid(&server).await, [2]);
        kill(server).await;
    }
}

#[timed_test::test]
async fn another_process_decides_with_the_same_secret_only() {
    let secret = "a secret of the company";
    let server = deferring(None)
        .approval_secret(secret)
        .start()
        .await
        .unwrap();
    let request = sent(&pending(&server).await);
    let reason = "the approval request is not valid: it was changed, or sealed by a toolbox, by another agent or with another secret";
    let restart = "a server without a store knows requests from before its start only by `AgentServer::builder(...).approval_secret(...)`";
    for (builder, expected) in [
        (deferring(None), format!("{reason}; {restart}")),
        (
            deferring(None).approval_secret("a secret of others"),
            reason.to_owned(),
        ),
        (deferring(Some(Memory::default())), reason.to_owned()),
    ] {
        let other = builder.start().await.unwrap();
        let error = other.decide(request.clone(), true).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let other = deferring(None)
        .approval_secret(secret)
        .start()
        .await
        .unwrap();
    assert_eq!(other.decide(request, true).await.unwrap(), "0");
}

#[timed_test::test]
async fn a_changed_request_is_refused() {
    let server = deferring(None).start().await.unwrap();
    let request = pending(&server).await;
    let value = serde_json::to_value(&request).unwrap();
    let changes = [
        ("/id", json!("another")),
        ("/caller/kind", json!("code")),
        ("/caller/principal", json!("bob")),
        ("/tool/name", json!("savings_close")),
        ("/tool/description", json!("Does no harm.")),
        ("/tool/hints/destructive", json!(false)),
        ("/preview", json!({ "Err": "nothing happens" })),
        ("/skill", json!("other")),
        ("/action", json!("pay")),
        ("/arguments/quietly", json!(true)),
        ("/arguments", json!({})),
        ("/seal", json!("")),
        ("/seal", json!("0".repeat(64))),
    ];
    for (pointer, new) in changes {
        let mut changed = value.clone();
        *changed.pointer_mut(pointer).unwrap() = new;
        let changed: ApprovalRequest = serde_json::from_value(changed).unwrap();
        let decided = server.decide(changed, true).await;
        assert!(is_invalid(&decided), "{pointer}: {decided:?}");
    }
    let mut changed = value.clone();
    changed["command"]["key"] = json!(["stored", "given"]);
    let changed: ApprovalRequest = serde_json::from_value(changed).unwrap();
    assert!(is_invalid(&server.decide(changed, true).await));
    assert_eq!(server.decide(request, true).await.unwrap(), "0");
}

#[timed_test::test]
async fn an_approved_call_keeps_its_key() {
    for store in [None, Some(Memory::default())] {
        let server = deferring(store).start().await.unwrap();
        server.call(Pay { cents: 1 }).await.unwrap();
        let model = server.on_behalf_of(ForeignCaller::Model);
        let error = model.call_with_key("k", Close { quietly: false }).await;
        let Err(ServeError::Pending(request)) = error else {
            panic!("{error:?}");
        };
        assert_eq!(server.decide(*request.clone(), true).await.unwrap(), "1");
        server.call(Pay { cents: 2 }).await.unwrap();
        let again = model.call_with_key("k", Close { quietly: false }).await;
        assert_eq!(again.unwrap(), 1, "the key has its output");
        let by_name = model.call_json_with_key("k", "close", "{}").await;
        assert_eq!(by_name.unwrap(), "1");
        let other = model.call_with_key("k", Close { quietly: true }).await;
        assert!(
            matches!(other, Err(ServeError::IdempotencyMismatch { .. })),
            "{other:?}"
        );
        assert_eq!(server.decide(*request, true).await.unwrap(), "1");
        assert_eq!(paid(&server).await, [2]);
    }
}

#[timed_test::test]
async fn the_guard_is_asked_again_about_a_decided_request() {
    let is_closed = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let closed = is_closed.clone();
    let guard = move |attempt: &Attempt<'_>| match attempt.of::<Close>() {
        Some(_) if closed.load(Ordering::Relaxed) => Decision::Deny("it is night".into()),
        Some(close) if close.quietly => Decision::Deny("never quietly".into()),
        Some(_) => Decision::Ask,
        None => Decision::Allow,
    };
    let server = deferring(None).guard(guard).start().await.unwrap();
    let (first, second) = (pending(&server).await, pending(&server).await);
    let quietly = Verdict::ApproveWith(json!({ "quietly": true }));
    let denied = server.decide(first, quietly).await.unwrap_err();
    assert_eq!(denied.to_string(), "`close` was denied: never quietly");
    is_closed.store(true, Ordering::Relaxed);
    let denied = server.decide(second.clone(), true).await.unwrap_err();
    assert_eq!(denied.to_string(), "`close` was denied: it is night");
    is_closed.store(false, Ordering::Relaxed);
    let decided = server.decide(second, true).await;
    assert_eq!(decided.unwrap(), "0", "the guard's denial is no decision");
}

#[timed_test::test]
async fn two_decisions_at_the_same_time_run_the_action_once() {
    for store in [None, Some(Memory::default())] {
        let server = deferring(store).start().await.unwrap();
        server.call(Pay { cents: 1 }).await.unwrap();
        let request = pending(&server).await;
        let (yes, also, no) = tokio::join!(
            server.decide(request.clone(), true),
            server.decide(request.clone(), true),
            server.decide(request, false),
        );
        assert_eq!([yes.unwrap(), also.unwrap(), no.unwrap()], ["1", "1", "1"]);
    }
}

#[timed_test::test]
async fn a_signal_is_approved_later() {
    for store in [None, Some(Memory::default())] {
        let server = deferring(store).start().await.unwrap();
        server.call(Pay { cents: 1 }).await.unwrap();
        let model = server.on_behalf_of(ForeignCaller::Model);
        for signal in [
            Signal::new("accounts.close", json!({})),
            stamped("accounts.close", "1", json!({})),
        ] {
            let error = model.request(signal).await.unwrap_err();
            let ServeError::Pending(request) = error else {
                panic!("{error:?}");
            };
            let request = sent(&request);
            let before = paid(&server).await.len().to_string();
            assert_eq!(server.decide(request.clone(), true).await.unwrap(), before);
            server.call(Pay { cents: 2 }).await.unwrap();
            assert_eq!(server.decide(request, true).await.unwrap(), before);
            assert_eq!(paid(&server).await, [2]);
        }
    }
}

#[timed_test::test]
async fn a_denied_signal_is_not_run_by_another_decision_and_an_approved_one_not_denied() {
    let store = Memory::default();
    let server = deferring(Some(store.clone())).start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let mut requests = Vec::new();
    for id in ["1", "2"] {
        let signal = stamped("accounts.close", id, json!({}));
        let Err(ServeError::Pending(request)) = model.request(signal).await else {
            panic!("the approver decides later");
        };
        requests.push(*request);
    }
    let (approved, aborted) = (requests[0].clone(), requests[1].clone());
    assert_eq!(server.decide(approved.clone(), true).await.unwrap(), "0");
    let abort = || Verdict::Abort("stop".into());
    let error = server.decide(aborted.clone(), abort()).await.unwrap_err();
    assert!(matches!(error, ServeError::Aborted { .. }), "{error:?}");
    kill(server).await;

    let server = deferring(Some(store)).start().await.unwrap();
    for verdict in [Verdict::Approve, Verdict::Deny("no".into()), Verdict::Later] {
        let again = server.decide(approved.clone(), verdict.clone()).await;
        assert_eq!(again.unwrap(), "0");
        let again = server.decide(aborted.clone(), verdict).await;
        assert!(
            matches!(again, Err(ServeError::Aborted { .. })),
            "{again:?}"
        );
    }
}

#[timed_test::test]
async fn two_signals_of_one_id_without_a_source_are_two_requests() {
    let server = deferring(None).start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let mut requests = Vec::new();
    for quietly in [false, true] {
        let text = json!({
            "specversion": "1.0", "type": "accounts.close", "id": "1", "data": { "quietly": quietly },
        });
        let signal: Signal = serde_json::from_value(text).unwrap();
        let Err(ServeError::Pending(request)) = model.request(signal).await else {
            panic!("the approver decides later");
        };
        requests.push(*request);
    }
    for paid_before in ["1", "2"] {
        server.call(Pay { cents: 1 }).await.unwrap();
        if paid_before == "2" {
            server.call(Pay { cents: 1 }).await.unwrap();
        }
        let decided = server.decide(requests.remove(0), true).await;
        assert_eq!(decided.unwrap(), paid_before, "each closes what is there");
    }
}

#[timed_test::test]
async fn a_foreign_caller_gets_no_preview_with_its_request() {
    let server = deferring(None)
        .ask_when::<Close>(|_| true)
        .start()
        .await
        .unwrap();
    let request = pending(&server).await;
    assert_eq!(
        request.preview.unwrap_err(),
        "foreign callers get no preview"
    );
    let error = server.call(Close { quietly: false }).await.unwrap_err();
    let ServeError::Pending(request) = error else {
        panic!("{error:?}");
    };
    assert_eq!(request.preview.unwrap().output, json!(0));
}

#[timed_test::test]
async fn decisions_are_not_forgotten_for_outputs() {
    let server = deferring(None).start().await.unwrap();
    let (approved, denied) = (pending(&server).await, pending(&server).await);
    server.decide(approved.clone(), true).await.unwrap();
    assert!(is_denied(&server.decide(denied.clone(), false).await));
    for n in 0..10_000 {
        let key = format!("key {n}");
        server.call_with_key(key, Pay { cents: 1 }).await.unwrap();
    }
    assert_eq!(server.decide(approved, true).await.unwrap(), "0");
    assert!(is_denied(&server.decide(denied, true).await));
}

#[timed_test::test]
async fn a_secret_that_can_be_guessed_does_not_start() {
    for secret in ["", "fifteen letters"] {
        let error = deferring(None).approval_secret(secret).start().await;
        let bytes = secret.len();
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("the approval secret has {bytes} bytes; at least 16 are needed")
        );
    }
    let shortest = deferring(None)
        .approval_secret("a secret of 16 b")
        .start()
        .await;
    assert!(shortest.is_ok());
}

#[timed_test::test]
async fn servers_that_make_their_own_secret_do_not_share_it() {
    let servers = [
        deferring(None).start().await.unwrap(),
        deferring(Some(Memory::default())).start().await.unwrap(),
    ];
    let requests = [pending(&servers[0]).await, pending(&servers[1]).await];
    for (server, request) in servers.iter().zip(requests.iter().rev()) {
        let decided = server.decide(request.clone(), true).await;
        assert!(is_invalid(&decided), "{decided:?}");
    }
    for (server, request) in servers.iter().zip(requests) {
        assert_eq!(server.decide(request, true).await.unwrap(), "0");
    }
}

#[timed_test::test]
async fn an_internal_action_is_approved_later() {
    let builder = deferring(None).ask_when::<Audit>(|_| true);
    let server = builder.start().await.unwrap();
    let error = server.call(Audit {}).await.unwrap_err();
    let ServeError::Pending(request) = error else {
        panic!("{error:?}");
    };
    assert_eq!(server.decide(*request, true).await.unwrap(), "0");
}

#[timed_test::test]
async fn two_decisions_wait_for_an_async_action() {
    for store in [None, Some(Memory::default())] {
        let builder = deferring(store).ask_when::<Wire>(|_| true);
        let server = builder.start().await.unwrap();
        let error = server.call(Wire { cents: 3 }).await.unwrap_err();
        let ServeError::Pending(request) = error else {
            panic!("{error:?}");
        };
        let (yes, no, also) = tokio::join!(
            server.decide(*request.clone(), true),
            server.decide(*request.clone(), false),
            server.decide(*request, true),
        );
        assert_eq!([yes.unwrap(), no.unwrap(), also.unwrap()], ["3", "3", "3"]);
        assert_eq!(paid(&server).await, [3]);
    }
}
