//! Stopping a server, and what its callers observe.

use crate::support::counter::*;
use crate::support::gate::Gate;
use crate::support::signal;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::{SendError, StartError, StopReason};
use std::future::Future;
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};

fn add(by: i64) -> Signal {
    Signal::new("counter.add", json!({ "by": by }))
}

#[timed_test::test(threads = 2)]
async fn stop_answers_the_messages_in_the_mailbox_and_accepts_no_more() {
    let gate = Gate::new("drain");
    let server = clerk().await;
    let through = Signal::new("counter.wait_at_gate", json!({ "gate": gate.name }));
    server.send(through).await.unwrap();
    gate.reached().await;
    for _ in 0..3 {
        server.send(add(1)).await.unwrap();
    }
    let mut call = pin!(server.call(Add { by: 10 }));
    let polled = std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending()));
    assert!(polled.await);
    let stop = tokio::spawn({
        let server = server.clone();
        async move { server.stop().await }
    });
    gate.open();
    assert_eq!(call.await.unwrap(), 14);
    stop.await.unwrap().unwrap();
    assert!(matches!(
        server.call(Add { by: 1 }).await,
        Err(ServeError::Stopped { .. })
    ));
    assert!(matches!(
        server.call_json("add", "{}").await,
        Err(ServeError::Stopped { .. })
    ));
    assert!(matches!(
        server.request(add(1)).await,
        Err(ServeError::Stopped { .. })
    ));
    assert!(matches!(
        server.send(add(1)).await,
        Err(SendError::Stopped { .. })
    ));
    assert!(matches!(
        server.try_send(add(1)),
        Err(SendError::Stopped { .. })
    ));
    assert!(matches!(
        server.agent().await,
        Err(ServeError::Stopped { .. })
    ));
    assert!(matches!(
        server.set(json!({})).await,
        Err(ServeError::Stopped { .. })
    ));
    assert!(server.stop().await.is_ok(), "stopping twice is no error");
}

#[timed_test::test]
async fn closed_returns_the_reason_to_every_waiter_before_and_after_the_stop() {
    let server = clerk().await;
    let waiting: Vec<_> = (0..4)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move { server.closed().await })
        })
        .collect();
    server.stop().await.unwrap();
    for reason in waiting {
        assert!(matches!(reason.await.unwrap(), StopReason::Stopped));
    }
    let reason = server.closed().await;
    assert!(matches!(reason, StopReason::Stopped) && reason.is_wanted());
}

#[timed_test::test]
async fn dropping_the_last_handle_stops_the_server_even_with_a_subscription() {
    let server = clerk().await;
    let mut counts = server.subscribe("counter.count").unwrap();
    let other = server.clone();
    drop(server);
    other
        .request(Signal::new("counter.emit_count", json!({})))
        .await
        .unwrap();
    drop(other);
    assert_eq!(counts.next().await.unwrap().data(), &json!(0));
    assert!(counts.next().await.is_none());
}

#[timed_test::test(threads = 2)]
async fn kill_does_not_answer_waiting_calls() {
    let gate = Gate::new("kill");
    let server = clerk().await;
    let through = Signal::new("counter.wait_at_gate", json!({ "gate": gate.name }));
    server.send(through).await.unwrap();
    gate.reached().await;
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Add { by: 10 }).await }
    });
    while server.stats().mailbox == 0 {
        tokio::task::yield_now().await;
    }
    server.kill();
    gate.open();
    assert!(matches!(
        call.await.unwrap(),
        Err(ServeError::Stopped { .. })
    ));
    assert!(matches!(server.closed().await, StopReason::Killed));
    assert!(matches!(server.stop().await, Err(StopReason::Killed)));
}

#[test]
fn starting_outside_a_runtime_is_an_error() {
    let start = pin!(AgentServer::builder(Clerk::new()).start());
    let polled = start.poll(&mut Task::from_waker(Waker::noop()));
    let Poll::Ready(Err(error)) = polled else {
        panic!("expected an error")
    };
    assert!(matches!(error, StartError::NoRuntime), "{error:?}");
    assert!(error.to_string().contains("#[tokio::main]"), "{error}");
}

#[test]
fn calls_after_the_runtime_is_dropped_return_stopped() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let server = runtime.block_on(clerk());
    let mut all = server.subscribe("**").unwrap();
    drop(runtime);
    let after = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    after.block_on(async {
        assert!(matches!(
            server.call(Add { by: 1 }).await,
            Err(ServeError::Stopped { .. })
        ));
        assert!(matches!(server.closed().await, StopReason::Lost));
        assert!(all.next().await.is_none());
    });
}

#[timed_test::test]
async fn stats_count_handled_and_failed_commands() {
    let server = clerk().await;
    let before = server.stats();
    server.call(Add { by: 1 }).await.unwrap();
    server
        .request(Signal::new("counter.emit_count", json!({ "times": 3 })))
        .await
        .unwrap();
    server
        .set(json!({ "counter": { "count": 9 } }))
        .await
        .unwrap();
    server.call(Subtract { by: 10 }).await.unwrap_err();
    server
        .set(json!({ "counter": { "count": "x" } }))
        .await
        .unwrap_err();
    server.request(signal("nobody.handles")).await.unwrap_err();
    server.agent().await.unwrap();
    let after = server.stats();
    assert_eq!(after.handled - before.handled, 3);
    assert_eq!(after.failed - before.failed, 3);
    assert_eq!(after.directives - before.directives, 3);
    let none = (
        after.mailbox,
        after.running,
        after.scheduled,
        after.children,
        after.records,
    );
    assert_eq!(none, (0, 0, 0, 0, 0));
    assert!(after.longest <= after.busy);
}
