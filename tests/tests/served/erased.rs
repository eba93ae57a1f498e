//! Handles without the type of the agent, and the tools that each handle lists.

use crate::mounted::GongAgent;
use crate::support::counter::*;
use crate::support::{heard, seconds, signal};
use serde_json::{Value, json};
use skill_agent::core::{CallError, StateError};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, CallerHandle, ErasedCallerHandle, StopReason, Verdict};
use skill_agent::{Applied, ErasedServer, SendError, SignalError};
use std::fmt::Debug;

fn by(by: i64) -> Value {
    json!({ "by": by })
}

async fn porters() -> AgentServer<GongAgent> {
    let builder = AgentServer::builder(GongAgent::new());
    builder.start().await.unwrap()
}

/// The names of tools, sorted.
fn names(tools: Vec<skill_agent::core::ToolBuf>) -> Vec<String> {
    let mut names: Vec<_> = tools
        .into_iter()
        .map(|tool| tool.name.to_string())
        .collect();
    names.sort();
    names
}

#[timed_test::test]
async fn servers_of_different_agents_are_called_requested_guarded_and_stopped_through_one_list() {
    let servers: Vec<ErasedServer> = vec![clerk().await.erase(), porters().await.erase()];
    let specs: Vec<_> = servers.iter().map(|server| server.spec().name).collect();
    assert_eq!(specs, ["clerk", "gong_agent"]);

    let calls = [
        ("add", by(2), "2"),
        ("carry", json!({ "skill": "gong" }), "null"),
    ];
    for (server, (action, arguments, output)) in servers.iter().zip(calls) {
        let answer = server.call_json(action, arguments.to_string()).await;
        assert_eq!(answer.unwrap(), output);
    }
    let signals = [
        (Signal::new("counter.add", by(3)), json!(5)),
        (signal("gong.strike"), json!(1)),
    ];
    for (server, (signal, expected)) in servers.iter().zip(signals) {
        assert_eq!(server.request(signal).await.unwrap(), expected);
    }
    let texts = [r#""count":5"#, r#""strikes":1"#];
    for (server, text) in servers.iter().zip(texts) {
        let state = server.state_json().await.unwrap();
        assert!(state.contains(text), "{state}");
    }
    let tools = ["wipe", "strike"];
    for (server, tool) in servers.iter().zip(tools) {
        assert!(names(server.tools().await.unwrap()).contains(&tool.to_owned()));
    }

    let models: Vec<ErasedCallerHandle> = servers
        .iter()
        .map(|server| server.on_behalf_of(ForeignCaller::Model))
        .collect();
    let denied = models[0].call_json("wipe", "{}").await.unwrap_err();
    assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
    assert_eq!(models[1].call_json("strike", "{}").await.unwrap(), "2");

    for server in &servers {
        assert_eq!(server.stop().await.unwrap().pending, 0);
        assert!(matches!(server.closed().await, StopReason::Stopped));
        let stopped = server.send(signal("counter.add")).await.unwrap_err();
        assert!(matches!(stopped, SendError::Stopped { .. }), "{stopped:?}");
        let stopped = server.tools().await.unwrap_err();
        assert!(matches!(stopped, ServeError::Stopped { .. }), "{stopped:?}");
    }
}

#[timed_test::test]
async fn an_erased_handle_has_the_errors_of_the_typed_one() {
    let server = clerk().await;
    let erased = server.clone().erase();
    let typed = server.call_json("ad", "{}").await.unwrap_err();
    let error = erased.call_json("ad", "{}").await.unwrap_err();
    assert_eq!(error.to_string(), typed.to_string());
    assert!(
        matches!(error, ServeError::Action(CallError::UnknownAction { .. })),
        "{error:?}"
    );
    let error = erased.call_json("subtract", by(7).to_string()).await;
    let Err(ServeError::Action(CallError::Action { source, .. })) = error else {
        panic!("{error:?}")
    };
    assert_eq!(
        source.downcast_ref::<Missing>(),
        Some(&Missing { missing: 7 })
    );
    let error = erased.request(signal("counter.nothing")).await.unwrap_err();
    assert!(
        matches!(error, ServeError::Action(SignalError::Unhandled { .. })),
        "{error:?}"
    );
    let error: ServeError<StateError> = erased.set(json!({ "count": 1 })).await.unwrap_err();
    assert_eq!(error.applied(), Applied::No);
    let error = erased.mount("gong", json!({})).await.unwrap_err();
    assert!(matches!(error, ServeError::Action(_)), "{error:?}");
    assert!(erased.subscribe("counter..add").is_err());
    let hurried = format!("{:?}", erased.within(seconds(60)));
    assert!(hurried.contains("deadline: Some(60s)"), "{hurried}");
    assert!(matches!(
        erased.try_send(signal("agent.init")),
        Err(SendError::Refused(_))
    ));
}

#[timed_test::test]
async fn typed_and_erased_handles_belong_to_one_server_and_keep_it_running() {
    let server = clerk().await;
    let erased = server.clone().erase();
    let mut counts = erased.subscribe("counter.count").unwrap();
    assert_eq!(server.call(Add { by: 2 }).await.unwrap(), 2);
    drop(server);
    let copy = erased.clone();
    drop(erased);
    assert_eq!(copy.call_json("add", by(1).to_string()).await.unwrap(), "3");
    copy.set(json!({ "counter": { "count": 8 } }))
        .await
        .unwrap();
    let preview = copy.preview_json("add", by(1).to_string()).await.unwrap();
    assert_eq!(preview.output, 9);
    copy.try_send(signal("counter.emit_count")).unwrap();
    copy.send(signal("counter.emit_count")).await.unwrap();
    copy.tools().await.unwrap();
    assert_eq!(heard(&mut counts), [8, 8]);
    assert!(copy.stats().handled >= 4);
    assert!(format!("{:?}", copy.recovery()).contains("Recovery"));

    let last = copy.on_behalf_of(ForeignCaller::Mcp);
    drop(copy);
    assert_eq!(last.call_json("add", by(1).to_string()).await.unwrap(), "9");
    drop(last);
    assert!(counts.next().await.is_none(), "the server has stopped");
}

#[timed_test::test]
async fn an_erased_handle_of_a_foreign_caller_stays_foreign() {
    let builder = AgentServer::builder(Clerk::new()).deny_when(|add: &Add| match add.by {
        3.. => Some("too many".into()),
        _ => None,
    });
    let server = builder.start().await.unwrap();
    let caller = ForeignCaller::Model.with_principal("alice");
    let typed: CallerHandle<Clerk> = server.on_behalf_of(caller.clone());
    let handles = [
        typed.clone().erase(),
        typed.within(seconds(60)).erase(),
        server.clone().erase().on_behalf_of(caller.clone()),
        server
            .clone()
            .erase()
            .on_behalf_of(caller)
            .within(seconds(60)),
    ];
    for handle in &handles {
        let handle = handle.clone();
        assert_eq!(handle.spec().name, "clerk");
        let names = names(handle.tools().await.unwrap());
        assert_eq!(names, self::names(server.tools().await.unwrap()));
        let denied = handle.call_json("wipe", "{}").await.unwrap_err();
        assert!(matches!(denied, ServeError::Denied { .. }), "{denied:?}");
        let denied = handle.call_json("add", by(3).to_string()).await;
        assert!(denied.unwrap_err().to_string().contains("too many"));
        let denied = handle.request(signal("counter.wipe")).await.unwrap_err();
        assert!(denied.to_string().contains("denied"), "{denied}");
        handle.send(signal("counter.wipe")).await.unwrap();
        let add = by(1).to_string();
        let added = handle.call_json_with_key("first", "add", add.clone()).await;
        assert_eq!(added.unwrap(), "1", "one key of one principal");
        assert!(format!("{handle:?}").contains("alice"), "{handle:?}");
    }
    let add = by(1).to_string();
    let erased = server.clone().erase();
    let of_the_program = erased.call_json_with_key("first", "add", add).await;
    assert_eq!(of_the_program.unwrap(), "2", "the program has its own keys");
}

#[timed_test::test]
async fn a_key_behind_the_name_of_its_action_is_found() {
    let server = AgentServer::builder(Clerk::new()).start().await.unwrap();
    let by = r#"{"by":1}"#;
    let error = server.call_json_with_key("add", "first", by).await;
    let error = error.unwrap_err();
    let expected = "`first` is no action, and the key `add` is one: the key comes first, as in `call_json_with_key(key, action, arguments)`";
    assert_eq!(error.to_string(), expected);
    let erased = server.erase();
    let error = erased.call_json_with_key("add", "first", by).await;
    let error = error.unwrap_err();
    assert!(matches!(error, ServeError::SwappedKey { .. }) && error.applied() == Applied::No);
    let unknown = erased.call_json_with_key("first", "ad", by).await;
    assert!(matches!(
        unknown,
        Err(ServeError::Action(CallError::UnknownAction { .. }))
    ));
}

#[timed_test::test]
async fn a_deferred_call_is_decided_by_the_erased_handle_of_the_program() {
    let builder = AgentServer::builder(Clerk::new());
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap().erase();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let pending = model.call_json("wipe", "{}").await.unwrap_err();
    let ServeError::Pending(request) = pending else {
        panic!("{pending:?}")
    };
    assert_eq!(server.decide(*request, true).await.unwrap(), "0");
    server.kill();
    assert!(matches!(server.closed().await, StopReason::Killed));
}

#[test]
fn erased_handles_can_be_cloned_printed_and_shared_between_threads() {
    fn check<T: Clone + Debug + Send + Sync + 'static>() {}
    check::<ErasedServer>();
    check::<ErasedCallerHandle>();
    fn is_send<T: Send>(_: T) {}
    let _ = |server: &ErasedServer| {
        is_send(server.call_json("add", "{}"));
        is_send(server.stop());
    };
}

#[timed_test::test]
async fn the_tools_of_an_instance_are_its_own_under_the_names_in_the_agent() {
    let server = clerk().await;
    let own = [
        "add",
        "crash",
        "emit_count",
        "subtract",
        "wait_at_gate",
        "wipe",
    ];
    let visits = server.instance(Clerk::visits).tools().await.unwrap();
    assert_eq!(
        names(visits.clone()),
        own.map(|name| format!("visits_{name}"))
    );
    // Together they are all tools of the agent, with the same descriptions and schemas.
    let all = server.tools().await.unwrap();
    assert_eq!(all.len(), 2 * own.len());
    assert!(visits.iter().all(|tool| all.contains(tool)));

    let instance = server.instance(Clerk::visits);
    server.stop().await.unwrap();
    let stopped = instance.tools().await.unwrap_err();
    assert!(matches!(stopped, ServeError::Stopped { .. }), "{stopped:?}");
}
