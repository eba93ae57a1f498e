//! The verdicts of an approver that decides at once.

use super::*;
use skill_agent::server::{APPROVER_TIME_LIMIT, Attempt, Decision, ErrorPolicy, OPEN_APPROVALS};
use skill_agent::testing::ManualClock;

fn ask(attempt: &Attempt<'_>) -> Decision {
    match attempt.of::<Pay>() {
        Some(pay) if pay.cents < 0 => Decision::Deny("not below zero".into()),
        Some(_) => Decision::Ask,
        None => Decision::Allow,
    }
}

async fn asking(given: Verdict) -> (AgentServer<Bank>, Arc<AtomicUsize>) {
    let (approver, asked) = verdict(given);
    let builder = bank(None).guard(ask).approver(approver);
    let builder = builder.error_policy(ErrorPolicy::Emit);
    (builder.start().await.unwrap(), asked)
}

/// The results of paying 5 by each way in for which a caller waits.
async fn pay_all(server: &AgentServer<Bank>) -> Vec<Result<Value, String>> {
    let text = r#"{"cents":5}"#;
    let typed = server.call(Pay { cents: 5 }).await;
    let by_name = server.call_json("pay", text).await;
    let signal = Signal::new("accounts.pay", json!({ "cents": 5 }));
    let requested = server.request(signal).await;
    vec![
        typed.map(Value::from).map_err(|e| e.to_string()),
        by_name
            .map(|text| text.parse().unwrap())
            .map_err(|e| e.to_string()),
        requested.map_err(|e| e.to_string()),
    ]
}

#[timed_test::test]
async fn an_approver_approves_denies_or_aborts_one_call() {
    let (server, asked) = asking(Verdict::Approve).await;
    assert_eq!(pay_all(&server).await, vec![Ok(json!(5)); 3]);
    assert_eq!(
        asked.load(Ordering::Relaxed),
        3,
        "a verdict is for one call"
    );
    assert_eq!(paid(&server).await, [5, 5, 5]);

    let (server, _) = asking(Verdict::Deny("not on a Sunday".into())).await;
    let denied = "`pay` was denied: not on a Sunday".to_owned();
    assert_eq!(pay_all(&server).await, vec![Err(denied); 3]);

    let (server, _) = asking(Verdict::Abort("stop it".into())).await;
    let aborted = "`pay` was denied, and its caller should stop: stop it".to_owned();
    assert_eq!(pay_all(&server).await, vec![Err(aborted); 3]);
    let error = server.call(Pay { cents: 5 }).await.unwrap_err();
    assert!(matches!(error, ServeError::Aborted { .. }), "{error:?}");
    assert_eq!(paid(&server).await, [0; 0]);

    let (server, _) = asking(false.into()).await;
    let denied = "`pay` was denied: the approver denied it".to_owned();
    assert_eq!(pay_all(&server).await, vec![Err(denied); 3]);
}

#[timed_test::test]
async fn an_approver_may_change_the_arguments_and_the_guard_sees_the_new_ones() {
    let (server, asked) = asking(Verdict::ApproveWith(json!({ "cents": 2 }))).await;
    assert_eq!(pay_all(&server).await, vec![Ok(json!(2)); 3]);
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert_eq!(paid(&server).await, [2, 2, 2]);

    let (server, _) = asking(Verdict::ApproveWith(json!({ "cents": -2 }))).await;
    let denied = "`pay` was denied: not below zero".to_owned();
    assert_eq!(pay_all(&server).await, vec![Err(denied); 3]);

    let (server, _) = asking(Verdict::ApproveWith(json!({ "cent": 2 }))).await;
    for refused in pay_all(&server).await {
        let error = refused.unwrap_err();
        let reason = "`pay` was denied: the arguments of the approver are wrong: ";
        assert!(
            error.starts_with(reason) && error.contains("`cent`"),
            "{error}"
        );
    }
    assert_eq!(paid(&server).await, [0; 0]);
}

#[timed_test::test]
async fn two_equal_directives_are_two_requests() {
    let (server, asked) = asking(Verdict::Approve).await;
    let arguments = json!({ "cents": 1 });
    for _ in 0..2 {
        let (action, arguments) = ("pay".to_owned(), arguments.clone());
        server.call(Queue { action, arguments }).await.unwrap();
    }
    while paid(&server).await.len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[timed_test::test]
async fn a_decision_that_no_caller_waits_for_cannot_be_deferred() {
    let (server, asked) = asking(Verdict::Later).await;
    let mut errors = server.subscribe("agent.error").unwrap();
    let (action, arguments) = ("pay".to_owned(), json!({}));
    server.call(Queue { action, arguments }).await.unwrap();
    let arguments = json!({});
    server.call(Later { arguments }).await.unwrap();
    let signal = Signal::new("accounts.pay", json!({}));
    server.send(signal).await.unwrap();
    for _ in 0..3 {
        let error = errors.next().await.unwrap();
        let message = error.data()["message"].as_str().unwrap().to_owned();
        let reason = "the decision was deferred, but no caller is waiting for it";
        assert!(message.contains(reason), "{message}");
    }
    let error = server.call(Follow { cents: 1 }).await.unwrap_err();
    let denied = "`pay` was denied: approval is required, but an instruction queued with `cx.then` cannot wait for it";
    assert_eq!(error.to_string(), denied);
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert_eq!(paid(&server).await, [0; 0]);
}

#[timed_test::test]
async fn an_approver_has_a_time_limit() {
    let clock = ManualClock::new();
    let builder = bank(None).guard(ask).clock(clock.clone());
    let never = |_: ApprovalRequest| std::future::pending::<bool>();
    let server = builder.approver(never).start().await.unwrap();
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Pay { cents: 1 }).await }
    });
    clock.wait_for_sleepers(1).await;
    clock.advance(APPROVER_TIME_LIMIT);
    let error = call.await.unwrap().unwrap_err();
    let denied = "`pay` was denied: the approver did not decide within 300s";
    assert_eq!(error.to_string(), denied);
}

#[timed_test::test]
async fn the_number_of_open_requests_is_bounded() {
    let (tx, mut asked) = tokio::sync::mpsc::unbounded_channel();
    let never = move |_: ApprovalRequest| {
        tx.send(()).unwrap();
        std::future::pending::<bool>()
    };
    let server = bank(None).guard(ask).approver(never).start().await.unwrap();
    let mut calls: Vec<_> = (0..OPEN_APPROVALS)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move { server.call(Pay { cents: 1 }).await })
        })
        .collect();
    for _ in 0..OPEN_APPROVALS {
        asked.recv().await.unwrap();
    }
    let error = server.call(Pay { cents: 1 }).await.unwrap_err();
    let denied =
        "`pay` was denied: approval is required, but too many requests are already waiting";
    assert_eq!(error.to_string(), denied);
    // A caller that goes away makes room.
    calls.pop().unwrap().abort();
    let again = tokio::spawn(async move {
        while server.call(Pay { cents: 1 }).await.is_err() {
            tokio::task::yield_now().await;
        }
    });
    asked.recv().await.unwrap();
    again.abort();
}

#[timed_test::test]
async fn an_action_is_denied_without_an_approver_and_when_it_panics() {
    let server = bank(None).guard(ask).start().await.unwrap();
    let error = server.call(Pay { cents: 1 }).await.unwrap_err();
    let denied = "`pay` was denied: approval is required, but the server has no approver";
    assert_eq!(error.to_string(), denied);
    let panics = async |_: ApprovalRequest| -> bool { panic!("the approver panics") };
    let server = bank(None)
        .guard(ask)
        .approver(panics)
        .start()
        .await
        .unwrap();
    let error = server.call(Pay { cents: 1 }).await.unwrap_err();
    let denied = "`pay` was denied: approval is required, but the approver panicked";
    assert_eq!(error.to_string(), denied);
}
