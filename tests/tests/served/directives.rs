//! `Stop`, `Error` and failing directives under each error policy.

use crate::support::bell::*;
use crate::support::signal;
use skill_agent::StopReason;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, ErrorPolicy};

fn tower(policy: ErrorPolicy) -> AgentServerBuilder<Tower> {
    AgentServer::builder(Tower::new()).error_policy(policy)
}

#[timed_test::test]
async fn a_stop_directive_responds_first_and_stops_the_server_with_its_reason() {
    let server = tower(ErrorPolicy::Log).start().await.unwrap();
    let reason = "the test is done".to_owned();
    server.call(StopAgent { reason }).await.unwrap();
    let reason = server.closed().await;
    assert!(
        matches!(&reason, StopReason::Directive(why) if why == "the test is done"),
        "{reason:?}"
    );
    assert!(reason.is_wanted());
    // `stop` returns an error if the server has stopped for another reason.
    assert!(matches!(server.stop().await, Err(StopReason::Directive(_))));
}

#[timed_test::test]
async fn an_error_directive_is_logged_or_emitted_or_stops_the_server_by_the_error_policy() {
    let server = tower(ErrorPolicy::Log).start().await.unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    server.call(QueueNan {}).await.unwrap();
    server
        .call(Ring {
            name: "on".to_owned(),
        })
        .await
        .unwrap();
    assert!(errors.try_next().is_none());

    let server = tower(ErrorPolicy::Emit).start().await.unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    server.call(QueueNan {}).await.unwrap();
    let error = errors.next().await.unwrap();
    let message = error.data()["message"].as_str().unwrap();
    assert!(message.contains("`weigh`"), "{message}");
    assert_eq!(error.source(), Some("/tower"));
    server
        .call(Ring {
            name: "on".to_owned(),
        })
        .await
        .unwrap();

    let server = tower(ErrorPolicy::Stop).start().await.unwrap();
    server.call(QueueNan {}).await.unwrap();
    let reason = server.closed().await;
    assert!(
        matches!(&reason, StopReason::Error(why) if why.contains("`weigh`")),
        "{reason:?}"
    );
    assert!(!reason.is_wanted());
}

#[timed_test::test]
async fn an_unawaited_failure_goes_to_the_error_policy_and_keeps_the_change_that_caused_it() {
    let server = tower(ErrorPolicy::Emit).start().await.unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    let mut next_error = async || {
        let error = errors.next().await.unwrap();
        error.data()["message"].as_str().unwrap().to_owned()
    };
    for (action, says) in [("nothing", "`nothing`"), ("ring", "`name`")] {
        server
            .call(RunAction {
                action: action.to_owned(),
            })
            .await
            .unwrap();
        let error = next_error().await;
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(rung(&server).await, ["run_action", "run_action"]);

    let child = "absent".to_owned();
    server
        .call(SpawnChild {
            child,
            name: String::new(),
        })
        .await
        .unwrap();
    let error = next_error().await;
    assert!(error.contains("there is no child `absent`"), "{error}");

    server.send(signal("bell.unheard")).await.unwrap();
    let error = next_error().await;
    assert!(
        error.contains("signals of the type `bell.unheard` have no handler"),
        "{error}"
    );
    assert_eq!(server.stats().failed, 3);
}

#[timed_test::test]
async fn an_awaited_error_is_not_reported_by_the_error_policy() {
    let server = tower(ErrorPolicy::Stop).start().await.unwrap();
    server.request(signal("bell.unheard")).await.unwrap_err();
    server.call_json("ring", "{}").await.unwrap_err();
    server
        .call(Ring {
            name: "on".to_owned(),
        })
        .await
        .unwrap();
}
