//! Async actions: each in its own task, on a snapshot of the state, with resources.

use crate::support::heard;
use crate::support::pages::*;
use serde_json::json;
use skill_agent::SignalError;
use skill_agent::prelude::*;
use skill_agent::server::{ErrorPolicy, ThenError};
use std::sync::atomic::Ordering;

#[timed_test::test]
async fn an_async_action_does_not_block_the_mailbox_and_sees_the_state_at_its_start() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let fetch = fetching(&server, "a");
    control.next_event().await;
    assert_eq!(server.stats().running, 1);
    server
        .call(Store {
            page: "between".to_owned(),
        })
        .await
        .unwrap();
    control.allow(1);
    assert_eq!(fetch.await.unwrap().unwrap(), 0);
    assert_eq!(stored(&server).await, ["between", "a"]);
    assert_eq!(server.stats().running, 0);
}

#[timed_test::test]
async fn at_most_the_limit_of_async_actions_run_at_once_and_all_get_their_turn() {
    let (builder, mut control) = reader();
    let server = builder.concurrent_actions(3).start().await.unwrap();
    let fetches: Vec<_> = (0..10).map(|_| fetching(&server, "a")).collect();
    for _ in 0..3 {
        control.next_event().await;
    }
    server.agent().await.unwrap();
    assert_eq!(
        (server.stats().running, control.events.try_recv().is_err()),
        (3, true)
    );
    control.allow(10);
    for fetch in fetches {
        fetch.await.unwrap().unwrap();
    }
    assert_eq!(control.web.0.max_running.load(Ordering::SeqCst), 3);
    assert_eq!(stored(&server).await.len(), 10);
}

#[timed_test::test]
async fn async_actions_beyond_the_mailbox_capacity_fail_with_full() {
    let (builder, mut control) = reader();
    let builder = builder.concurrent_actions(1).mailbox_capacity(2);
    let server = builder.start().await.unwrap();
    let first = fetching(&server, "a");
    control.next_event().await;
    let (second, third) = (fetching(&server, "b"), fetching(&server, "c"));
    // Both calls have reached the server before the next one is made.
    server.agent().await.unwrap();
    server.agent().await.unwrap();
    let error = server.call(page("d")).await.unwrap_err();
    assert!(matches!(error, ServeError::Full), "{error:?}");
    control.allow(3);
    for fetch in [first, second, third] {
        fetch.await.unwrap().unwrap();
    }
    assert_eq!(stored(&server).await, ["a", "b", "c"]);
}

#[timed_test::test]
async fn repeated_commands_beyond_the_mailbox_capacity_fail_with_full() {
    let (builder, mut control) = reader();
    let server = builder.mailbox_capacity(2).start().await.unwrap();
    let fetch = || {
        let server = server.clone();
        tokio::spawn(async move { server.call_with_key("k", page("a")).await })
    };
    let first = fetch();
    control.next_event().await;
    let repeated = [fetch(), fetch()];
    // Both calls have reached the server before the next one is made.
    server.agent().await.unwrap();
    server.agent().await.unwrap();
    let error = server.call_with_key("k", page("a")).await.unwrap_err();
    assert!(matches!(error, ServeError::Full), "{error:?}");
    control.allow(1);
    let output = first.await.unwrap().unwrap();
    for repeated in repeated {
        assert_eq!(repeated.await.unwrap().unwrap(), output);
    }
    assert_eq!(stored(&server).await, ["a"]);
    let again = server.call_with_key("k", page("a")).await;
    assert_eq!(again.unwrap(), output);
}

#[timed_test::test]
async fn a_waiting_action_whose_caller_is_gone_does_not_delay_the_next_one() {
    let (builder, mut control) = reader();
    let server = builder.concurrent_actions(1).start().await.unwrap();
    let first = fetching(&server, "a");
    control.next_event().await;
    let (second, third) = (fetching(&server, "b"), fetching(&server, "c"));
    server.agent().await.unwrap();
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    control.allow(3);
    first.await.unwrap().unwrap();
    third.await.unwrap().unwrap();
    assert_eq!(stored(&server).await, ["a", "c"]);
}

#[timed_test::test]
async fn queued_instructions_run_as_one_transaction_and_their_failure_fails_the_action() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    control.allow(9);
    let error = server.call(page("twice")).await.unwrap_err();
    let ServeError::Then(then) = &error else {
        panic!("{error:?}")
    };
    assert!(
        matches!(&**then, ThenError::Run(run) if run.index == 1),
        "{then:?}"
    );
    assert_eq!(stored(&server).await, [""; 0]);
    assert!(fetched.try_next().is_none());

    server.call(page("a")).await.unwrap();
    assert_eq!(fetched.next().await.unwrap().data(), "a");
    assert_eq!(stored(&server).await, ["a"]);
}

#[timed_test::test]
async fn an_action_that_fails_or_panics_drops_what_it_queued() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    control.allow(9);
    let error = server.call(page("nowhere")).await.unwrap_err();
    assert!(matches!(&error, ServeError::Action(NotFound { page }) if page == "nowhere"));
    let error = server
        .call_json("fetch", r#"{"page":"nowhere"}"#)
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "there is no page `nowhere`");
    for error in [
        server.call(page("broken")).await.unwrap_err().to_string(),
        server
            .call_json("fetch", r#"{"page":"broken"}"#)
            .await
            .unwrap_err()
            .to_string(),
    ] {
        assert_eq!(error, "`fetch` panicked: the page is broken");
    }
    assert_eq!(stored(&server).await, [""; 0]);
    assert!(fetched.try_next().is_none());
    assert_eq!(server.stats().running, 0);
    server.call(page("a")).await.unwrap();
}

#[timed_test::test]
async fn a_panic_while_arguments_are_read_is_an_error_and_the_server_continues() {
    let (builder, _far) = reader();
    let server = builder.start().await.unwrap();
    let error = server
        .call_json("count_characters", r#"{"text":"abc"}"#)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ServeError::Panicked { message, .. } if message.contains("abc")),
        "{error:?}"
    );
    assert_eq!(stored(&server).await, [""; 0]);
}

#[timed_test::test]
async fn a_call_by_name_returns_text_and_wrong_arguments_start_nothing() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    control.allow(1);
    assert_eq!(
        server.call_json("fetch", r#"{"page":"a"}"#).await.unwrap(),
        "0"
    );
    control.next_event().await;
    let error = server
        .call_json("fetch", r#"{"pages":"a"}"#)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`pages`"), "{error}");
    assert!(control.events.try_recv().is_err());
}

#[timed_test::test]
async fn subscribers_get_progress_signals_while_the_action_runs() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let mut progress = server.subscribe("*.progress").unwrap();
    let fetch = fetching(&server, "a");
    control.next_event().await;
    let signal = progress.next().await.unwrap();
    assert_eq!(
        (signal.ty(), signal.data()),
        ("pages.progress", &json!({ "page": "a" }))
    );
    assert!(signal.subject().is_some(), "the id of the command");
    control.allow(1);
    fetch.await.unwrap().unwrap();
}

#[timed_test::test]
async fn a_failed_async_action_of_a_directive_goes_to_the_error_policy() {
    let (builder, control) = reader();
    let server = builder
        .error_policy(ErrorPolicy::Emit)
        .start()
        .await
        .unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    let mut errors = server.subscribe("agent.error").unwrap();
    control.allow(2);
    server
        .call(RunFetch {
            page: "a".to_owned(),
        })
        .await
        .unwrap();
    assert_eq!(fetched.next().await.unwrap().data(), "a");
    server
        .call(RunFetch {
            page: "nowhere".to_owned(),
        })
        .await
        .unwrap();
    let error = errors.next().await.unwrap();
    assert!(
        error.data()["message"]
            .as_str()
            .unwrap()
            .contains("no page `nowhere`")
    );
    assert_eq!(stored(&server).await, ["a"]);
}

#[timed_test::test]
async fn a_signal_routed_to_an_async_action_is_answered_with_its_output() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let mut fetched = server.subscribe("pages.fetched").unwrap();
    let request = tokio::spawn({
        let server = server.clone();
        async move {
            server
                .request(Signal::new("pages.fetch", json!({ "page": "a" })))
                .await
        }
    });
    control.next_event().await;
    // The mailbox is not blocked meanwhile.
    server
        .call(Store {
            page: "between".to_owned(),
        })
        .await
        .unwrap();
    control.allow(1);
    assert_eq!(request.await.unwrap().unwrap(), 0);
    assert_eq!(stored(&server).await, ["between", "a"]);
    assert_eq!(heard(&mut fetched), ["a"]);

    control.allow(1);
    let error = server
        .request(Signal::new("pages.fetch", json!({ "page": "nowhere" })))
        .await;
    assert!(
        matches!(error, Err(ServeError::Action(SignalError::Run(_)))),
        "{error:?}"
    );
    assert_eq!(stored(&server).await.len(), 2);
}

#[timed_test::test]
async fn a_repeated_signal_with_the_same_id_runs_its_async_actions_once() {
    let (builder, mut control) = reader();
    let server = builder.start().await.unwrap();
    let mut both = Signal::new("pages.both", json!({ "page": "a" }));
    both.stamp("id-1", "/elsewhere", std::time::SystemTime::UNIX_EPOCH);
    let mut requests = Vec::new();
    for _ in 0..2 {
        let (server, both) = (server.clone(), both.clone());
        requests.push(tokio::spawn(
            async move { server.request(both).await.unwrap() },
        ));
    }
    for _ in 0..2 {
        // The second request arrives while the first action runs, and waits for both actions.
        control.next_event().await;
        server.agent().await.unwrap();
        control.allow(1);
    }
    control.allow(2);
    for request in requests {
        assert_eq!(request.await.unwrap(), json!([0, null]));
    }
    assert!(control.events.try_recv().is_err());
    assert_eq!(stored(&server).await, ["a"]);
}
