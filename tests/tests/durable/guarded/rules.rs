//! The view of a guard on an action, and the decision that counts.

use super::*;
use skill_agent::server::{Attempt, Decision};
use std::sync::Mutex;

/// The arguments that a guard has seen, as JSON and typed.
type Seen = Arc<Mutex<Vec<(Value, Option<i64>)>>>;

fn recording(seen: &Seen) -> impl Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static {
    let seen = seen.clone();
    move |attempt| {
        let cents = attempt.of::<Pay>().map(|pay| pay.cents);
        seen.lock().unwrap().push((attempt.arguments(), cents));
        Decision::Allow
    }
}

#[timed_test::test]
async fn the_guard_sees_an_argument_that_is_left_out_by_every_way_in() {
    let seen = Seen::default();
    let server = bank(None).guard(recording(&seen)).start().await.unwrap();
    server.call(Pay { cents: 50_000 }).await.unwrap();
    server.call_json("pay", "{}").await.unwrap();
    server.call_json("savings_pay", "{}").await.unwrap();
    let signal = Signal::new("accounts.pay", json!({}));
    server.request(signal).await.unwrap();
    let (action, arguments) = ("pay".to_owned(), json!({}));
    server.call(Queue { action, arguments }).await.unwrap();
    paid(&server).await;
    let seen = seen.lock().unwrap();
    let pays = seen.iter().filter(|(_, cents)| cents.is_some());
    let pays: Vec<_> = pays.cloned().collect();
    assert_eq!(
        pays,
        vec![(json!({ "cents": 50_000 }), Some(50_000)); 5],
        "typed and by name it sees the same"
    );
}

#[timed_test::test]
async fn wrong_arguments_are_refused_before_anybody_is_asked() {
    let (approver, asked) = verdict(Verdict::Approve);
    let seen = Seen::default();
    let builder = bank(None).guard(recording(&seen)).approver(approver);
    let server = builder.ask_when::<Pay>(|_| true).start().await.unwrap();
    let error = server.call_json("pay", r#"{"cent":1}"#).await.unwrap_err();
    assert!(error.to_string().contains("`cent`"), "{error}");
    let signal = Signal::new("accounts.pay", json!({ "cents": "many" }));
    let error = server.request(signal).await.unwrap_err();
    assert!(error.to_string().contains("`cents`"), "{error}");
    assert!(seen.lock().unwrap().is_empty());
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[timed_test::test]
async fn the_strictest_of_guard_and_rules_counts() {
    let guards: [fn(&Attempt<'_>) -> Decision; 3] = [
        |_| Decision::Allow,
        |_| Decision::Ask,
        |_| Decision::Deny("by the guard".into()),
    ];
    for (guard, of_guard) in guards.into_iter().zip(["allow", "ask", "deny"]) {
        for of_ask in ["allow", "ask"] {
            for of_deny in ["allow", "deny"] {
                let (approver, asked) = verdict(Verdict::Approve);
                let server = bank(None)
                    .guard(guard)
                    .approver(approver)
                    .ask_when::<Pay>(move |_| of_ask == "ask")
                    .deny_when::<Pay>(move |_| (of_deny == "deny").then(|| "by a rule".into()))
                    .start()
                    .await
                    .unwrap();
                let all = [of_guard, of_ask, of_deny];
                let is_denied = server.call(Pay { cents: 1 }).await.is_err();
                assert_eq!(is_denied, all.contains(&"deny"), "{all:?}");
                let is_asked = asked.load(Ordering::Relaxed) == 1;
                let must_ask = !is_denied && all.contains(&"ask");
                assert_eq!(is_asked, must_ask, "{all:?}");
            }
        }
    }
}

#[timed_test::test]
async fn arguments_that_cannot_be_shown_are_denied_if_the_guard_looks_at_them() {
    let seen = Seen::default();
    let server = bank(None).guard(recording(&seen)).start().await.unwrap();
    let weigh = || Weigh {
        grams: f64::NAN,
        wide: None,
    };
    let error = server.call(weigh()).await.unwrap_err();
    let denied = "`weigh` was denied: its arguments cannot be written as JSON";
    assert_eq!(error.to_string(), denied);
    let typed = |attempt: &Attempt<'_>| match attempt.of::<Weigh>() {
        Some(weigh) if weigh.grams.is_nan() => Decision::Allow,
        _ => Decision::Deny("only NaN".into()),
    };
    let server = bank(None).guard(typed).start().await.unwrap();
    assert!(server.call(weigh()).await.unwrap());
}

#[timed_test::test]
async fn a_rule_that_panics_denies() {
    let builder = bank(None).ask_when::<Pay>(|_| panic!("the rule panics"));
    let server = builder.start().await.unwrap();
    let error = server.call(Pay { cents: 1 }).await.unwrap_err();
    assert_eq!(error.to_string(), "`pay` was denied: the guard panicked");
    server.call(Close { quietly: true }).await.unwrap();
}

#[timed_test::test]
async fn the_signals_of_the_server_are_not_accepted_from_outside() {
    let server = bank(None).start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    for ty in ["agent.init", "agent.error"] {
        let requests = [
            server.request(Signal::new(ty, json!({}))).await,
            model.request(Signal::new(ty, json!({}))).await,
        ];
        for request in requests {
            let error = request.unwrap_err().to_string();
            assert_eq!(
                error,
                format!("only the server sends signals of the type `{ty}`")
            );
        }
        let sent = model.send(Signal::new(ty, json!({}))).await.unwrap_err();
        assert_eq!(
            sent.to_string(),
            format!("the signal is refused: only the server sends signals of the type `{ty}`")
        );
    }
}
