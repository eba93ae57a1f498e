//! Signals without a route: `handle_signal`.

use crate::support::scripted_hooks::*;
use crate::support::{signal, state, texts};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::prelude::*;

#[timed_test::test]
async fn handle_signal_is_called_in_order_until_a_skill_handles_the_signal() {
    let (server, mut steps) = trail().await;
    server
        .request(scripted("trail.none", "alpha.handle=done"))
        .await
        .unwrap();
    let asked: Vec<_> = texts(&mut steps)
        .into_iter()
        .filter(|step| step.ends_with(".handle"))
        .collect();
    assert_eq!(asked, ["alpha.handle"]);
}

#[timed_test::test]
async fn a_skill_that_ignores_a_signal_has_changed_nothing_and_emitted_nothing() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    server
        .request(scripted("trail.none", "gamma.handle=done"))
        .await
        .unwrap();
    let after = state(&server).await;
    // Every skill has prepared and transformed the signal, and one has handled it.
    for (skill, more) in [("alpha", 2), ("beta", 2), ("gamma", 3)] {
        let seen = |state: &Value| state[skill]["seen"].as_u64().unwrap();
        assert_eq!(seen(&after) - seen(&before), more, "{skill}");
    }
    let asked = texts(&mut steps);
    assert!(!asked.contains(&"beta.handle".to_owned()), "{asked:?}");
    assert!(asked.contains(&"gamma.handle".to_owned()), "{asked:?}");
}

#[timed_test::test]
async fn instructions_of_handle_signal_run_in_the_same_step_and_give_the_response() {
    let (server, mut steps) = trail().await;
    let answer = server
        .request(scripted("trail.none", "beta.handle=run"))
        .await;
    assert_eq!(answer.unwrap(), 3);
    let steps = texts(&mut steps);
    let position = |step: &str| steps.iter().position(|other| other == step).unwrap();
    assert!(position("beta.handle") < position("alpha.mark"));
    assert!(position("alpha.mark") < position("trail.transform_ok"));
    let answer = server
        .request(scripted("trail.none", "beta.handle=twice"))
        .await;
    assert_eq!(answer.unwrap(), json!([6, 9]));
}

#[timed_test::test]
async fn a_failed_instruction_of_handle_signal_undoes_the_hook() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    let error = server
        .request(scripted("trail.none", "beta.handle=trip"))
        .await
        .unwrap_err();
    assert!(
        matches!(error, ServeError::Action(SignalError::Run(_))),
        "{error:?}"
    );
    assert_eq!(state(&server).await, before);
    assert_eq!(texts(&mut steps), [""; 0]);
}

#[timed_test::test]
async fn a_hook_that_runs_nothing_responds_with_null_or_its_reply() {
    let (server, _) = trail().await;
    let answer = server
        .request(scripted("trail.none", "beta.handle=done"))
        .await;
    assert_eq!(answer.unwrap(), Value::Null);
    let answer = server
        .request(scripted("trail.none", "beta.handle=reply"))
        .await;
    assert_eq!(answer.unwrap(), "beta.handle replies");
}

#[timed_test::test]
async fn handle_signal_is_not_called_for_a_signal_with_a_route() {
    let (server, mut steps) = trail().await;
    let script = "alpha.handle=done";
    assert_eq!(
        server.request(scripted("trail.one", script)).await.unwrap(),
        1
    );
    let steps = texts(&mut steps);
    assert!(
        !steps.iter().any(|step| step.ends_with(".handle")),
        "{steps:?}"
    );
}

#[timed_test::test]
async fn after_a_hook_that_fails_no_other_skill_is_asked() {
    let (server, _) = trail().await;
    let error = request_error(
        &server,
        scripted("trail.none", "alpha.handle=fail beta.handle=done"),
    )
    .await;
    assert!(
        error.starts_with("`handle_signal` of the skill `alpha`"),
        "{error}"
    );
    server.request(signal("trail.one")).await.unwrap();
}
