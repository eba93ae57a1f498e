//! The steps of a signal through hooks, routes and instructions.

use crate::support::scripted_hooks::*;
use crate::support::{signal, state, subscribed, texts};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::prelude::*;

#[timed_test::test]
async fn hooks_run_in_requirement_order_starting_with_the_agent() {
    let (server, mut steps) = trail().await;
    server.request(signal("trail.one")).await.unwrap();
    let mut expected = steps_of("prepare");
    expected.push("alpha.mark".to_owned());
    expected.extend(steps_of("transform_ok"));
    assert_eq!(texts(&mut steps), expected);
}

#[timed_test::test]
async fn on_mount_runs_for_all_skills_before_agent_init_which_only_the_agents_hooks_receive() {
    let builder = AgentServer::builder(Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.start().await.unwrap();
    let mut expected = steps_of("on_mount");
    // The agent's hook ignores the signal, which is not an error.
    expected.extend(["trail.prepare", "trail.transform_ok"].map(str::to_owned));
    assert_eq!(texts(&mut steps), expected);
    let seen = state(&server).await;
    assert_eq!(
        (&seen["seen"], &seen["alpha"]["seen"]),
        (&json!(3), &json!(1))
    );
}

#[timed_test::test]
async fn prepare_signal_may_rewrite_the_type_and_the_data() {
    let (server, _) = trail().await;
    let answer = server
        .request(scripted("whatever", "beta.prepare=rename"))
        .await;
    assert_eq!(answer.unwrap(), 1);
    let answer = server
        .request(scripted("trail.one", "alpha.prepare=data"))
        .await;
    assert_eq!(answer.unwrap(), 6);
    // A later hook sees the changes of an earlier one.
    let script = "alpha.prepare=unknown gamma.prepare=rename";
    assert_eq!(
        server.request(scripted("trail.two", script)).await.unwrap(),
        7
    );
}

#[timed_test::test]
async fn an_error_of_a_hook_names_its_skill_and_hook_and_undoes_the_signal() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    for (ty, script, hook) in [
        ("trail.one", "gamma.prepare=fail", "prepare_signal"),
        ("trail.none", "gamma.handle=fail", "handle_signal"),
        ("trail.one", "gamma.transform_ok=fail", "transform_result"),
    ] {
        let error = request_error(&server, scripted(ty, script)).await;
        let step = script.split_once('=').unwrap().0;
        let expected = format!("`{hook}` of the skill `gamma` failed: {step} failed as scripted");
        assert_eq!(error, expected);
        assert_eq!(state(&server).await, before, "{hook}");
        assert_eq!(texts(&mut steps), [""; 0], "{hook}");
    }
    let error = request_error(&server, scripted("trail.one", "trail.prepare=fail")).await;
    assert!(
        error.starts_with("`prepare_signal` of the skill `trail` failed"),
        "{error}"
    );
}

#[timed_test::test]
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

#[timed_test::test]
async fn an_unhandled_signal_is_reported_with_the_type_set_by_the_hooks() {
    let (server, _) = trail().await;
    let error = request_error(&server, scripted("trail.one", "alpha.prepare=unknown")).await;
    assert!(error.contains("`nowhere`"), "{error}");
}

#[timed_test::test]
async fn transform_result_sees_outputs_and_errors_and_may_replace_both() {
    let (server, mut steps) = trail().await;
    let replaced = server
        .request(scripted("trail.one", "alpha.transform_ok=replace"))
        .await;
    assert_eq!(replaced.unwrap(), json!({ "was": 1 }));
    texts(&mut steps);

    let healed = server
        .request(scripted("trail.trip", "beta.transform_err=heal"))
        .await;
    assert_eq!(healed.unwrap(), "healed");
    let expected = texts(&mut steps);
    let results: Vec<_> = expected
        .iter()
        .filter(|step| step.contains("transform"))
        .collect();
    // A hook that returns an error has queued nothing.
    assert_eq!(results, ["beta.transform_err", "gamma.transform_ok"]);
    // Changes and signals of the failed action are dropped.
    assert!(!expected.contains(&"gamma.trip".to_owned()));
    assert_eq!(state(&server).await["gamma"]["trips"], 0);
}

#[timed_test::test]
async fn a_replaced_error_names_the_hook_that_replaced_it() {
    let (server, _) = trail().await;
    let error = request_error(&server, scripted("trail.trip", "beta.transform_err=other")).await;
    assert_eq!(
        error,
        "`transform_result` of the skill `beta` failed: a replaced error"
    );
    let script = "beta.transform_err=other gamma.transform_err=fail";
    let error = request_error(&server, scripted("trail.trip", script)).await;
    assert!(
        error.contains("skill `gamma` failed: gamma.transform_err"),
        "{error}"
    );
}

#[timed_test::test]
async fn an_error_that_no_hook_replaces_is_the_run_error() {
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

#[timed_test::test]
async fn the_order_of_steps_is_the_same_for_a_signal_without_a_response() {
    let (server, mut steps) = trail().await;
    server.send(signal("trail.look")).await.unwrap();
    server.agent().await.unwrap();
    let mut expected = steps_of("prepare");
    expected.push("trail.look".to_owned());
    expected.extend(steps_of("transform_ok"));
    assert_eq!(texts(&mut steps), expected);
}

#[timed_test::test]
async fn a_signal_with_its_own_source_and_id_is_handled_once() {
    let (server, _) = trail().await;
    let mut again = signal("trail.one");
    again.stamp("id-1", "/elsewhere", std::time::SystemTime::UNIX_EPOCH);
    for _ in 0..2 {
        assert_eq!(server.request(again.clone()).await.unwrap(), 1);
    }
    assert_eq!(server.request(signal("trail.one")).await.unwrap(), 2);
    assert_eq!(state(&server).await["alpha"]["marks"], Value::from(2));
}
