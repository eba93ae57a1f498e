//! A caller that may pay at most 10,000 tries every way in, with every way to write an amount.

use super::*;
use skill_agent::server::CallerHandle;

/// Arguments that mean more than 10,000, or nothing.
const ARGUMENTS: [&str; 11] = [
    "{}",
    " { } ",
    r#"{"cents":50000}"#,
    r#"{"cents":10001}"#,
    r#"{"cents":5e4}"#,
    r#"{"cents":50000.0}"#,
    r#"{"cents":null}"#,
    r#"{"cents":"50000"}"#,
    r#"{"cents":1,"cents":50000}"#,
    r#"{"Cents":50000}"#,
    r#"{"cents":9223372036854775807}"#,
];

const TOOLS: [&str; 4] = ["pay", "savings_pay", "wire", "savings_wire"];

const SIGNALS: [&str; 4] = [
    "accounts.pay",
    "savings.pay",
    "accounts.wire",
    "savings.wire",
];

fn too_much(cents: i64) -> Option<std::borrow::Cow<'static, str>> {
    (cents > 10_000).then(|| "it is too much".into())
}

fn guarded(store: Option<Memory>) -> AgentServerBuilder<Bank> {
    let builder = bank(store).deny_when::<Pay>(|pay| too_much(pay.cents));
    builder.deny_when::<Wire>(|wire| too_much(wire.cents))
}

/// Whether the result of an attempt is known to its caller.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Refused,
    Accepted,
    /// The caller does not wait.
    Nothing,
}

fn seen<T, E>(result: &Result<T, E>) -> Seen {
    if result.is_ok() {
        Seen::Accepted
    } else {
        Seen::Refused
    }
}

/// Tries everything, and returns the number of attempts. Nothing may be paid.
async fn attempt_all(server: &AgentServer<Bank>, caller: &CallerHandle<Bank>) -> usize {
    let mut count = 0;
    let mut check = async |attempt: String, seen: Seen, expected: Seen| {
        assert_eq!(seen, expected, "{attempt}");
        // The steps that a directive causes run before the next message.
        for _ in 0..3 {
            assert_eq!(paid(server).await, [0; 0], "{attempt}");
        }
        count += 1;
    };
    for (n, arguments) in ARGUMENTS.into_iter().enumerate() {
        for tool in TOOLS {
            let called = caller.call_json(tool, arguments).await;
            check(format!("{tool} {arguments}"), seen(&called), Seen::Refused).await;
            let key = format!("key-{n}");
            let called = caller.call_json_with_key(key, tool, arguments).await;
            check(
                format!("{tool} {arguments} with a key"),
                seen(&called),
                Seen::Refused,
            )
            .await;
        }
        let Ok(value) = serde_json::from_str::<Value>(arguments) else {
            continue;
        };
        for ty in SIGNALS {
            let id = format!("{ty}-{n}");
            let signal = stamped(ty, &id, value.clone());
            let requested = caller.request(signal.clone()).await;
            check(format!("{ty} {value}"), seen(&requested), Seen::Refused).await;
            caller.send(signal).await.unwrap();
            check(format!("{ty} {value} sent"), Seen::Nothing, Seen::Nothing).await;
        }
        for tool in TOOLS {
            let queued = json!({ "action": tool, "arguments": value });
            let called = caller.call_json("queue", queued.to_string()).await;
            check(
                format!("a queued {tool} {value}"),
                seen(&called),
                Seen::Accepted,
            )
            .await;
        }
        let scheduled = json!({ "arguments": value });
        let called = caller.call_json("later", scheduled.to_string()).await;
        check(
            format!("a scheduled payment {value}"),
            seen(&called),
            Seen::Accepted,
        )
        .await;
    }
    for cents in [10_001, 50_000, i64::MAX] {
        let typed = caller.call(Pay { cents }).await;
        check(format!("Pay {cents}"), seen(&typed), Seen::Refused).await;
        let typed = caller.call_with_key("key", Pay { cents }).await;
        check(
            format!("Pay {cents} with a key"),
            seen(&typed),
            Seen::Refused,
        )
        .await;
        let wired = caller.call(Wire { cents }).await;
        check(format!("Wire {cents}"), seen(&wired), Seen::Refused).await;
        let followed = caller.call(Follow { cents }).await;
        check(format!("Follow {cents}"), seen(&followed), Seen::Refused).await;
    }
    count
}

#[timed_test::test]
async fn no_way_in_gets_past_a_rule() {
    for store in [None, Some(Memory::default())] {
        let server = guarded(store).start().await.unwrap();
        let model = server.on_behalf_of(ForeignCaller::Model);
        let attempts = attempt_all(&server, &model).await;
        // Of the eleven texts, one has a key twice and is a value without it.
        let (texts, tools, signals) = (ARGUMENTS.len(), TOOLS.len(), SIGNALS.len());
        let expected = texts * (2 * tools + 2 * signals + tools + 1) + 3 * 4;
        assert_eq!(attempts, expected);
        println!("{attempts} attempts, nothing paid");
        assert_eq!(server.call(Pay { cents: 10_000 }).await.unwrap(), 10_000);
        let denied = server.call(Pay { cents: 10_001 }).await.unwrap_err();
        assert_eq!(denied.to_string(), "`pay` was denied: it is too much");
        let savings = server.instance(Bank::savings);
        let denied = savings.call(Pay { cents: 10_001 }).await.unwrap_err();
        assert_eq!(
            denied.to_string(),
            "`savings_pay` was denied: it is too much"
        );
        assert_eq!(paid(&server).await, [10_000]);
    }
}

/// The ways in of the attempts, each with one cent.
#[timed_test::test]
async fn every_way_in_pays_what_is_allowed() {
    let server = guarded(None).start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let value = json!({ "cents": 1 });
    let mut expected = 0;
    let mut check = async |attempt: &str| {
        expected += 1;
        while paid(&server).await.len() < expected {
            tokio::task::yield_now().await;
        }
        assert_eq!(paid(&server).await, vec![1; expected], "{attempt}");
    };
    for tool in TOOLS {
        model.call_json(tool, value.to_string()).await.unwrap();
        check(tool).await;
        let keyed = model.call_json_with_key("k", tool, value.to_string());
        keyed.await.unwrap();
        check(tool).await;
        let queued = json!({ "action": tool, "arguments": value });
        model.call_json("queue", queued.to_string()).await.unwrap();
        check(tool).await;
    }
    for ty in SIGNALS {
        let signal = Signal::new(ty, value.clone());
        model.request(signal.clone()).await.unwrap();
        check(ty).await;
        model.send(signal).await.unwrap();
        check(ty).await;
    }
    let scheduled = json!({ "arguments": value });
    model
        .call_json("later", scheduled.to_string())
        .await
        .unwrap();
    check("later").await;
    model.call(Follow { cents: 1 }).await.unwrap();
    check("follow").await;
}

#[timed_test::test]
async fn an_answer_of_the_program_is_not_given_to_a_caller_that_is_denied() {
    for store in [None, Some(Memory::default())] {
        let server = bank(store).guard(deny_models).start().await.unwrap();
        let arguments = r#"{"cents":7}"#;
        let paid_once = server.call_with_key("k", Pay { cents: 7 }).await;
        assert_eq!(paid_once.unwrap(), 7);
        let again = server.call_json_with_key("k", "pay", arguments).await;
        assert_eq!(again.unwrap(), "7", "typed and by name, a key is one key");
        let signal = stamped("accounts.pay", "1", json!({ "cents": 7 }));
        assert_eq!(server.request(signal.clone()).await.unwrap(), json!(7));
        let model = server.on_behalf_of(ForeignCaller::Model);
        let typed = model.call_with_key("k", Pay { cents: 7 }).await;
        assert!(matches!(typed, Err(ServeError::Denied { .. })), "{typed:?}");
        let by_name = model.call_json_with_key("k", "pay", arguments).await;
        assert!(
            matches!(by_name, Err(ServeError::Denied { .. })),
            "{by_name:?}"
        );
        let requested = model.request(signal).await;
        assert!(
            matches!(requested, Err(ServeError::Denied { .. })),
            "{requested:?}"
        );
        assert_eq!(paid(&server).await, [7, 7]);
    }
}

fn deny_models(attempt: &skill_agent::server::Attempt<'_>) -> skill_agent::server::Decision {
    use skill_agent::server::Decision;
    if attempt.caller.is_foreign() {
        Decision::Deny("models do not pay".into())
    } else {
        Decision::Allow
    }
}
