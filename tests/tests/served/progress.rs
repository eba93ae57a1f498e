//! The progress of a call for its caller.

use crate::rest_of_progress::rest;
use crate::support::pages::*;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict, progress_channel};

#[timed_test::test]
async fn each_caller_gets_the_progress_of_its_own_call() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    control.allow(3);
    let (one, progress) = progress_channel();
    let (other, of_other) = progress_channel();
    let by_name = server.clone().erase();
    let (typed, named, unwatched, values, others) = tokio::join!(
        server.call(page("a")).with_progress(one),
        by_name
            .call_json("fetch", r#"{"page":"b"}"#)
            .with_progress(other),
        server.call(page("c")),
        rest(progress),
        rest(of_other),
    );
    assert!(typed.is_ok() && named.is_ok() && unwatched.is_ok());
    assert_eq!(values, [json!({ "page": "a" })]);
    assert_eq!(others, [json!({ "page": "b" })]);
}

#[timed_test::test]
async fn progress_for_the_caller_is_that_of_the_subscribers() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    control.allow(1);
    let mut signals = server.subscribe("*.progress").unwrap();
    let (sender, progress) = progress_channel();
    let signal = Signal::new("pages.fetch", json!({ "page": "a" }));
    let answered = server.request(signal).with_progress(sender).await;
    answered.unwrap();
    assert_eq!(rest(progress).await, [json!({ "page": "a" })]);
    let signal = signals.next().await.unwrap();
    assert_eq!(signal.data(), &json!({ "page": "a" }));
}

#[timed_test::test]
async fn an_action_that_waits_for_its_turn_reports_then() {
    let (builder, mut control) = reader();
    let server = builder.concurrent_actions(1).start().await.unwrap();
    let first = fetching(&server, "a");
    control.next_event().await;
    let (sender, progress) = progress_channel();
    let second = server.call(page("b")).with_progress(sender);
    let release = async {
        server.agent().await.unwrap();
        control.allow(2);
    };
    let (output, values, ()) = tokio::join!(second, rest(progress), release);
    first.await.unwrap().unwrap();
    assert!(output.is_ok());
    assert_eq!(values, [json!({ "page": "b" })]);
}

#[timed_test::test]
async fn an_answer_that_was_recorded_comes_without_progress() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    control.allow(1);
    for expected in [1, 0] {
        let (sender, progress) = progress_channel();
        let call = server.call_with_key("k", page("a")).with_progress(sender);
        let (output, values) = tokio::join!(call, rest(progress));
        assert_eq!((output.unwrap(), values.len()), (0, expected));
    }
}

/// The decision runs the action for the signal, with a responder of its own.
#[timed_test::test]
async fn an_action_of_a_signal_reports_to_the_one_who_decides() {
    let (builder, control) = reader();
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let signal = Signal::new("pages.fetch", json!({ "page": "a" }));
    let Err(ServeError::Pending(request)) = model.request(signal).await else {
        panic!("it waits for approval");
    };
    control.allow(1);
    let (sender, progress) = progress_channel();
    let decided = server.decide(*request, true).with_progress(sender);
    let (decided, values) = tokio::join!(decided, rest(progress));
    // what it queued is not approved
    assert!(decided.is_err());
    assert_eq!(values, [json!({ "page": "a" })]);
}

/// The future of the call is kept, as in a loop that selects between it and its progress.
#[timed_test::test]
async fn the_channel_ends_with_the_answer() {
    let (builder, control) = reader();
    let server = builder.start().await.unwrap();
    control.allow(1);
    let (sender, mut progress) = progress_channel();
    let kept = sender.clone();
    let mut call = server.call(page("a")).with_progress(sender);
    (&mut call).await.unwrap();
    kept.send("too late");
    assert_eq!(progress.next().await, Some(json!({ "page": "a" })));
    assert_eq!(progress.next().await, None);
}
