//! The guard, which decides on every action of every caller.

use crate::support::bell::{RunAction, Tower, Weigh};
use crate::support::counter::*;
use crate::support::pages;
use crate::support::{signal, state};
use serde_json::{Value, json};
use skill_agent::CallError;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Caller, ConfirmDestructive, Decision, ErrorPolicy};
use std::sync::{Arc, Mutex};

/// The attempts that a guard has seen: caller, tool name, arguments.
type Seen = Arc<Mutex<Vec<(Caller, String, Value)>>>;

fn recording_guard(seen: &Seen) -> impl Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static {
    let seen = seen.clone();
    move |attempt| {
        let name = attempt.tool.name.to_owned();
        let noted = (attempt.caller.clone(), name, attempt.arguments());
        seen.lock().unwrap().push(noted);
        Decision::Allow
    }
}

fn by(by: i64) -> Value {
    json!({ "by": by })
}

#[timed_test::test]
async fn the_guard_sees_the_caller_the_tool_name_and_the_arguments() {
    let seen = Seen::default();
    let builder = AgentServer::builder(Clerk::new()).guard(recording_guard(&seen));
    let server = builder.start().await.unwrap();
    server.call(Add { by: 1 }).await.unwrap();
    server
        .instance(Clerk::visits)
        .call(Add { by: 2 })
        .await
        .unwrap();
    server
        .call_json("visits_add", by(3).to_string())
        .await
        .unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    model.call_json("add", by(4).to_string()).await.unwrap();
    server
        .request(Signal::new("visits.add", by(5)))
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    let expected = [
        (Caller::Code, "add", 1),
        (Caller::Code, "visits_add", 2),
        (Caller::Code, "visits_add", 3),
        (Caller::Model, "add", 4),
        (Caller::Signal, "visits_add", 5),
    ];
    let expected = expected.map(|(caller, name, n)| (caller, name.to_owned(), by(n)));
    assert_eq!(*seen, expected);
}

#[timed_test::test]
async fn the_guard_sees_the_agent_as_the_caller_of_a_run_directive() {
    let seen = Seen::default();
    let builder = AgentServer::builder(Tower::new()).guard(recording_guard(&seen));
    let server = builder.start().await.unwrap();
    let action = "queue_nan".to_owned();
    server.call(RunAction { action }).await.unwrap();
    server.agent().await.unwrap();
    let seen: Vec<_> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|(c, n, _)| (c.clone(), n.clone()))
        .collect();
    let expected = [(Caller::Code, "run_action"), (Caller::Agent, "queue_nan")];
    assert_eq!(
        seen,
        expected.map(|(caller, name)| (caller, name.to_owned()))
    );
}

fn deny(attempt: &Attempt<'_>) -> Decision {
    match attempt.tool.name {
        "add" | "queue_nan" => Decision::Deny("not today".into()),
        _ => Decision::Allow,
    }
}

#[timed_test::test]
async fn a_denied_action_does_not_run_for_any_caller_and_the_error_has_the_reason() {
    let server = AgentServer::builder(Clerk::new())
        .guard(deny)
        .start()
        .await
        .unwrap();
    let before = state(&server).await;
    let denied = "`add` was denied: not today";
    let error = server.call(Add { by: 1 }).await.unwrap_err();
    assert!(matches!(error, ServeError::Denied { .. }), "{error:?}");
    assert_eq!(error.to_string(), denied);
    let error = server
        .call_json("add", by(1).to_string())
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), denied);
    let error = server
        .request(Signal::new("counter.add", by(1)))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), denied);
    assert_eq!(state(&server).await, before);
    // The other instance has a different tool name.
    server
        .instance(Clerk::visits)
        .call(Add { by: 1 })
        .await
        .unwrap();

    let tower = AgentServer::builder(Tower::new()).guard(deny);
    let server = tower.error_policy(ErrorPolicy::Emit).start().await.unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    let action = "queue_nan".to_owned();
    server.call(RunAction { action }).await.unwrap();
    let error = errors.next().await.unwrap();
    assert_eq!(error.data()["message"], "`queue_nan` was denied: not today");
}

#[timed_test::test]
async fn without_a_guard_a_destructive_action_called_by_a_model_needs_an_approver() {
    let server = clerk().await;
    server.call(Add { by: 7 }).await.unwrap();
    for caller in [
        ForeignCaller::Model,
        ForeignCaller::Mcp,
        ForeignCaller::Document,
    ] {
        let foreign = server.on_behalf_of(caller);
        let error = foreign.call(Wipe {}).await.unwrap_err();
        assert!(error.to_string().contains("no approver"), "{error}");
        let error = foreign.call_json("wipe", "{}").await.unwrap_err();
        assert!(error.to_string().contains("no approver"), "{error}");
        foreign.call_json("emit_count", "{}").await.unwrap();
    }
    assert_eq!(count(&server).await, 7);
    assert_eq!(server.call(Wipe {}).await.unwrap(), 7);
    server.request(signal("counter.wipe")).await.unwrap();
}

#[timed_test::test]
async fn of_several_guards_the_strictest_counts() {
    let deny_if = |is_denied, reason: &'static str| {
        if is_denied {
            Decision::Deny(reason.into())
        } else {
            Decision::Allow
        }
    };
    let no_models =
        move |attempt: &Attempt<'_>| deny_if(attempt.caller == Caller::Model, "no models");
    let no_wiping = move |attempt: &Attempt<'_>| deny_if(attempt.is::<Wipe>(), "no wiping");
    let builder = AgentServer::builder(Clerk::new());
    let server = builder.guard(no_models).guard(no_wiping).start();
    let server = server.await.unwrap();
    server.call(Add { by: 7 }).await.unwrap();
    let error = server.call(Wipe {}).await.unwrap_err();
    assert!(error.to_string().contains("no wiping"), "{error}");
    let model = server.on_behalf_of(ForeignCaller::Model);
    let error = model.call(Add { by: 7 }).await.unwrap_err();
    assert!(error.to_string().contains("no models"), "{error}");
    assert_eq!(count(&server).await, 7);

    let allow = |_: &Attempt<'_>| Decision::Allow;
    let builder = || AgentServer::builder(Clerk::new());
    for builder in [
        builder().guard(ConfirmDestructive).guard(allow),
        builder().guard(allow).guard(ConfirmDestructive),
    ] {
        let server = builder.start().await.unwrap();
        let model = server.on_behalf_of(ForeignCaller::Model);
        let error = model.call(Wipe {}).await.unwrap_err();
        assert!(error.to_string().contains("no approver"), "{error}");
    }
}

#[timed_test::test]
async fn a_signal_sent_on_behalf_of_a_model_is_guarded_like_a_call_of_the_model() {
    let server = clerk().await;
    server.call(Add { by: 7 }).await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let error = model.request(signal("counter.wipe")).await.unwrap_err();
    assert!(matches!(error, ServeError::Denied { .. }), "{error:?}");
    model.send(signal("counter.wipe")).await.unwrap();
    assert_eq!(count(&server).await, 7);
}

#[timed_test::test]
async fn the_guard_sees_async_actions_and_their_queued_instructions() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let guard = move |attempt: &Attempt<'_>| {
        let name = attempt.tool.name;
        noted
            .lock()
            .unwrap()
            .push((attempt.caller.clone(), name.to_owned(), attempt.arguments()));
        if attempt.arguments()["page"] == "secret" && name == "store" {
            Decision::Deny("it is secret".into())
        } else {
            Decision::Allow
        }
    };
    let (builder, control) = pages::reader();
    let server = builder.guard(guard).start().await.unwrap();
    control.allow(2);
    server.call(pages::page("a")).await.unwrap();
    let a = json!({ "page": "a" });
    let expected = [
        (Caller::Code, "fetch".to_owned(), a.clone()),
        (Caller::Agent, "store".to_owned(), a),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    let before = server.stats().failed;
    let error = server.call(pages::page("secret")).await.unwrap_err();
    assert_eq!(server.stats().failed, before + 1);
    assert_eq!(error.to_string(), "`store` was denied: it is secret");
    assert_eq!(state(&server).await["pages"]["stored"], json!(["a"]));
}

#[timed_test::test]
async fn the_guard_sees_the_principal_and_the_agents_of_a_caller() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let guard = move |attempt: &Attempt<'_>| {
        noted.lock().unwrap().push(attempt.caller.clone());
        Decision::Allow
    };
    let server = AgentServer::builder(Clerk::new()).guard(guard);
    let server = server.start().await.unwrap();
    let caller = ForeignCaller::Model.with_principal("alice").via("planner");
    let model = server.on_behalf_of(caller.clone());
    model.call(Add { by: 1 }).await.unwrap();
    let add = || Signal::new("counter.add", by(1));
    model.request(add()).await.unwrap();
    let caller = Caller::from(caller);
    assert_eq!(*seen.lock().unwrap(), [caller.clone(), caller]);
}

#[timed_test::test]
async fn no_caller_runs_an_internal_action_by_name() {
    let seen = Seen::default();
    let builder = AgentServer::builder(Tower::new()).guard(recording_guard(&seen));
    let server = builder.start().await.unwrap();
    let (arguments, model) = (
        r#"{"weight":1.0}"#,
        server.on_behalf_of(ForeignCaller::Model),
    );
    let by_code = server.call_json("weigh", arguments).await;
    let by_model = model.call_json("weigh", arguments).await;
    for error in [by_code.unwrap_err(), by_model.unwrap_err()] {
        assert_eq!(
            error.to_string(),
            "the action `weigh` is internal: only code, routes and other actions may run it"
        );
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[timed_test::test]
async fn a_typed_call_for_a_model_runs_an_internal_action_and_a_call_by_name_does_not() {
    let seen = Seen::default();
    let builder = AgentServer::builder(Tower::new()).guard(recording_guard(&seen));
    let server = builder.start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    assert_eq!(model.call(Weigh { weight: 2.5 }).await.unwrap(), 2.5);
    let weight = json!({ "weight": 2.5 });
    let expected = (Caller::Model, "weigh".to_owned(), weight.clone());
    assert_eq!(*seen.lock().unwrap(), [expected]);
    let error = model
        .call_json("weigh", weight.to_string())
        .await
        .unwrap_err();
    assert!(
        matches!(error, ServeError::Action(CallError::Internal { .. })),
        "{error:?}"
    );
}

#[timed_test::test]
async fn a_caller_with_an_empty_principal_is_denied() {
    let server = AgentServer::builder(Clerk::new()).start().await.unwrap();
    let nameless = server.on_behalf_of(ForeignCaller::Model.with_principal("").via("planner"));
    let reason = "the principal of its caller is empty, as from a variable that is not set; give `with_principal` the user, or leave it out";
    let expected = format!("`add` was denied: {reason}");
    let typed = nameless.call(Add { by: 1 }).await.unwrap_err();
    assert_eq!(typed.to_string(), expected);
    let by_name = nameless.call_json("add", by(1).to_string()).await;
    assert_eq!(by_name.unwrap_err().to_string(), expected);
    let signal = nameless.request(Signal::new("counter.add", by(1))).await;
    assert_eq!(signal.unwrap_err().to_string(), expected);

    for caller in [
        ForeignCaller::Model,
        ForeignCaller::Model.with_principal("ann"),
    ] {
        let caller = server.on_behalf_of(caller);
        caller.call(Add { by: 1 }).await.unwrap();
    }
    assert_eq!(state(&server).await["counter"]["count"], 2);
}
