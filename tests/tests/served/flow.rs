//! The steps of a signal through hooks, routes and instructions.

use crate::support::trail::*;
use crate::support::{signal, state, subscribed, texts};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::prelude::*;

#[tokio::test]
async fn a_signal_takes_its_way_in_requirement_order_and_the_agent_comes_first() {
    let (server, mut steps) = trail().await;
    server.request(signal("trail.one")).await.unwrap();
    let mut way = each("prepare");
    way.push("alpha.mark".to_owned());
    way.extend(each("transform_ok"));
    assert_eq!(texts(&mut steps), way);
}

#[tokio::test]
async fn on_mount_of_all_comes_first_and_agent_init_is_for_the_hooks_of_the_agent_only() {
    let builder = AgentServer::builder(Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.start().await.unwrap();
    let mut way = each("on_mount");
    // it ignores the signal, and there is no word of that
    way.extend(["trail.prepare", "trail.transform_ok"].map(str::to_owned));
    assert_eq!(texts(&mut steps), way);
    let seen = state(&server).await;
    assert_eq!(
        (&seen["seen"], &seen["alpha"]["seen"]),
        (&json!(3), &json!(1))
    );
}

#[tokio::test]
async fn prepare_signal_may_rewrite_the_type_and_the_data() {
    let (server, _) = trail().await;
    let answer = server
        .request(told("whatever", "beta.prepare=rename"))
        .await;
    assert_eq!(answer.unwrap(), 1);
    let answer = server
        .request(told("trail.one", "alpha.prepare=data"))
        .await;
    assert_eq!(answer.unwrap(), 6);
    // a later hook sees what an earlier one made of it
    let script = "alpha.prepare=unknown gamma.prepare=rename";
    assert_eq!(server.request(told("trail.two", script)).await.unwrap(), 7);
}

#[tokio::test]
async fn an_error_of_a_hook_names_the_skill_and_the_hook_and_undoes_the_signal() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    for (ty, script, hook) in [
        ("trail.one", "gamma.prepare=fail", "prepare_signal"),
        ("trail.none", "gamma.handle=fail", "handle_signal"),
        ("trail.one", "gamma.transform_ok=fail", "transform_result"),
    ] {
        let error = refused(&server, told(ty, script)).await;
        let step = script.split_once('=').unwrap().0;
        let says = format!("`{hook}` of the skill `gamma` failed: {step} does not want to");
        assert_eq!(error, says);
        assert_eq!(state(&server).await, before, "{hook}");
        assert_eq!(texts(&mut steps), [""; 0], "{hook}");
    }
    let error = refused(&server, told("trail.one", "trail.prepare=fail")).await;
    assert!(
        error.starts_with("`prepare_signal` of the skill `trail` failed"),
        "{error}"
    );
}

#[tokio::test]
async fn an_unhandled_signal_is_an_error_with_its_type_and_changes_nothing() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    let error = server.request(signal("trail.nobody")).await.unwrap_err();
    let ServeError::Action(SignalError::Unhandled { ty, agent, .. }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!((&**ty, *agent), ("trail.nobody", "trail"));
    assert!(error.to_string().contains("`trail.nobody`"), "{error}");
    assert_eq!(state(&server).await, before);
    assert_eq!(texts(&mut steps), [""; 0]);
}

#[tokio::test]
async fn an_unhandled_signal_is_reported_with_the_type_that_the_hooks_gave_it() {
    let (server, _) = trail().await;
    let error = refused(&server, told("trail.one", "alpha.prepare=unknown")).await;
    assert!(error.contains("`nowhere`"), "{error}");
}

#[tokio::test]
async fn transform_result_sees_outputs_and_errors_and_may_replace_both() {
    let (server, mut steps) = trail().await;
    let replaced = server
        .request(told("trail.one", "alpha.transform_ok=replace"))
        .await;
    assert_eq!(replaced.unwrap(), json!({ "was": 1 }));
    texts(&mut steps);

    let healed = server
        .request(told("trail.trip", "beta.transform_err=heal"))
        .await;
    assert_eq!(healed.unwrap(), "healed");
    let way = texts(&mut steps);
    let results: Vec<_> = way
        .iter()
        .filter(|step| step.contains("transform"))
        .collect();
    // a hook that hands an error on has queued nothing
    assert_eq!(results, ["beta.transform_err", "gamma.transform_ok"]);
    // what failed is not kept, and what it emitted is not heard
    assert!(!way.contains(&"gamma.trip".to_owned()));
    assert_eq!(state(&server).await["gamma"]["trips"], 0);
}

#[tokio::test]
async fn an_error_that_replaces_another_names_the_hook_that_replaced_it() {
    let (server, _) = trail().await;
    let error = refused(&server, told("trail.trip", "beta.transform_err=other")).await;
    assert_eq!(
        error,
        "`transform_result` of the skill `beta` failed: quite another error"
    );
    let script = "beta.transform_err=other gamma.transform_err=fail";
    let error = refused(&server, told("trail.trip", script)).await;
    assert!(
        error.contains("skill `gamma` failed: gamma.transform_err"),
        "{error}"
    );
}

#[tokio::test]
async fn an_error_that_the_hooks_leave_alone_is_that_of_the_run() {
    let (server, _) = trail().await;
    let error = server.request(signal("trail.trip")).await.unwrap_err();
    let ServeError::Action(SignalError::Run(run)) = &error else {
        panic!("{error:?}")
    };
    assert_eq!((run.index, &*run.action), (0, "trip"));
    let own = run
        .source
        .action_error()
        .and_then(|error| error.downcast_ref());
    assert_eq!(own, Some(&Tripped));
}

#[tokio::test]
async fn the_order_of_steps_is_the_same_for_a_signal_without_a_response() {
    let (server, mut steps) = trail().await;
    server.send(signal("trail.look")).await.unwrap();
    server.agent().await.unwrap();
    let mut way = each("prepare");
    way.push("trail.look".to_owned());
    way.extend(each("transform_ok"));
    assert_eq!(texts(&mut steps), way);
}

#[tokio::test]
async fn a_signal_with_a_source_and_an_id_of_its_own_is_handled_once() {
    let (server, _) = trail().await;
    let mut again = signal("trail.one");
    again.stamp("id-1", "/elsewhere", std::time::SystemTime::UNIX_EPOCH);
    for _ in 0..2 {
        assert_eq!(server.request(again.clone()).await.unwrap(), 1);
    }
    assert_eq!(server.request(signal("trail.one")).await.unwrap(), 2);
    assert_eq!(state(&server).await["alpha"]["marks"], Value::from(2));
}
