//! The mailbox: capacity, back pressure, and dropped calls.

use crate::support::counter::*;
use crate::support::gate::Gate;
use crate::support::seconds;
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{FaultyStore, ManualClock};
use skill_agent::{Applied, SendError};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Polls a pending future once.
async fn begin<F: Future>(future: std::pin::Pin<&mut F>) {
    let mut future = future;
    poll_fn(|cx| {
        assert!(future.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

fn add(by: i64) -> Signal {
    Signal::new("counter.add", json!({ "by": by }))
}

/// A server whose task is blocked at a gate, with this mailbox capacity.
async fn blocked_server(gate: &Gate, room: usize) -> AgentServer<Clerk> {
    let builder = AgentServer::builder(Clerk::new()).mailbox_capacity(room);
    let server = builder.start().await.unwrap();
    let through = Signal::new("counter.wait_at_gate", json!({ "gate": gate.name }));
    server.send(through).await.unwrap();
    gate.reached().await;
    server
}

#[timed_test::test]
async fn a_deadline_ends_after_the_grace_time_while_the_store_hangs() {
    let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
    let builder = AgentServer::builder(Clerk::with_id("clerk-1")).grace(seconds(2));
    let builder = builder.clock(clock.clone()).store(store.clone());
    let server = builder.start().await.unwrap();
    for key in [None, Some("k")] {
        let mut pause = store.pause_commit(0);
        let call = tokio::spawn({
            let server = server.within(seconds(5));
            async move {
                match key {
                    Some(key) => server.call_with_key(key, Add { by: 7 }).await,
                    None => server.call(Add { by: 7 }).await,
                }
            }
        });
        pause.reached().await;
        for time in [5, 2] {
            clock.wait_for_sleepers(1).await;
            clock.advance(seconds(time));
        }
        let error = call.await.unwrap().unwrap_err();
        assert_eq!(error.applied(), Applied::Unknown);
        let text = match key {
            Some(_) => "the deadline has passed; send the command again with the same key",
            None => "the deadline has passed; the command may have been applied",
        };
        assert_eq!(error.to_string(), text);
        if let Some(key) = key {
            // The first command may be written, although this one does not begin.
            let server = server.within(seconds(1));
            let again = tokio::spawn(async move { server.call_with_key(key, Add { by: 7 }).await });
            clock.wait_for_sleepers(1).await;
            clock.advance(seconds(1));
            let error = again.await.unwrap().unwrap_err();
            assert_eq!(error.applied(), Applied::Unknown);
        }
        pause.resume();
    }
    // sent again as the message says
    assert_eq!(server.call_with_key("k", Add { by: 7 }).await.unwrap(), 14);
}

#[timed_test::test(threads = 2)]
async fn try_send_fails_and_send_waits_while_the_mailbox_is_full() {
    let gate = Gate::new("full");
    let server = blocked_server(&gate, 2).await;
    server.try_send(add(1)).unwrap();
    server.try_send(add(10)).unwrap();
    assert_eq!(server.stats().mailbox, 2);
    assert!(matches!(server.try_send(add(100)), Err(SendError::Full)));
    let mut waiting = pin!(server.send(add(1000)));
    begin(waiting.as_mut()).await;
    gate.open();
    waiting.await.unwrap();
    // One for the gate, the two in the mailbox, and the one that waited.
    assert_eq!(count(&server).await, 1 + 1 + 10 + 1000);
}

#[timed_test::test(threads = 2)]
async fn dropping_a_call_that_has_not_started_withdraws_it() {
    let gate = Gate::new("not_begun");
    let server = blocked_server(&gate, 8).await;
    {
        let mut dropped = pin!(server.call(Add { by: 100 }));
        begin(dropped.as_mut()).await;
        let mut named = pin!(server.call_json("add", r#"{"by":100}"#));
        begin(named.as_mut()).await;
        let mut request = pin!(server.request(add(100)));
        begin(request.as_mut()).await;
        let mut set = pin!(server.set(json!({ "counter": { "count": 100 } })));
        begin(set.as_mut()).await;
        assert_eq!(server.stats().mailbox, 4);
    }
    gate.open();
    assert_eq!(count(&server).await, 1);
}

#[timed_test::test(threads = 2)]
async fn dropping_a_call_that_has_started_has_no_effect() {
    let gate = Gate::new("begun");
    let server = clerk().await;
    {
        let mut call = pin!(server.call(WaitAtGate {
            gate: gate.name.clone()
        }));
        begin(call.as_mut()).await;
        gate.reached().await;
    }
    gate.open();
    assert_eq!(count(&server).await, 1);
}

#[timed_test::test(threads = 2)]
async fn a_call_whose_deadline_passes_before_it_starts_changes_nothing() {
    let (gate, clock) = (Gate::new("deadline"), ManualClock::new());
    let builder = AgentServer::builder(Clerk::new()).clock(clock.clone());
    let server = builder.start().await.unwrap();
    let through = Signal::new("counter.wait_at_gate", json!({ "gate": gate.name }));
    server.send(through).await.unwrap();
    gate.reached().await;
    let calls = tokio::spawn({
        let server = server.within(seconds(5));
        async move {
            tokio::join!(
                async { server.call(Add { by: 100 }).await.unwrap_err().to_string() },
                async { server.request(add(100)).await.unwrap_err().to_string() },
                async {
                    server
                        .call_json("add", r#"{"by":100}"#)
                        .await
                        .unwrap_err()
                        .to_string()
                },
            )
        }
    });
    clock.wait_for_sleepers(3).await;
    clock.advance(seconds(5));
    let passed = "the deadline has passed; nothing was applied".to_owned();
    assert_eq!(
        calls.await.unwrap(),
        (passed.clone(), passed.clone(), passed)
    );
    gate.open();
    assert_eq!(count(&server).await, 1);
}

#[timed_test::test(threads = 2)]
async fn a_call_whose_deadline_passes_while_it_runs_is_undone() {
    let (gate, clock) = (Gate::new("running"), ManualClock::new());
    let builder = AgentServer::builder(Clerk::new()).clock(clock.clone());
    let server = builder.start().await.unwrap();
    let call = tokio::spawn({
        let (server, gate) = (server.within(seconds(5)), gate.name.clone());
        async move { server.call(WaitAtGate { gate }).await }
    });
    gate.reached().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(5));
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::No,
        "{error:?}"
    );
    gate.open();
    assert_eq!(count(&server).await, 0);
}

#[timed_test::test]
async fn the_error_says_applied_if_the_deadline_passes_while_the_record_is_written() {
    let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
    let builder = AgentServer::builder(Clerk::with_id("clerk-1"));
    let server = builder
        .clock(clock.clone())
        .store(store.clone())
        .start()
        .await
        .unwrap();
    let mut pause = store.pause_commit(0);
    let call = tokio::spawn({
        let server = server.within(seconds(5));
        async move { server.call(Add { by: 7 }).await }
    });
    pause.reached().await;
    clock.wait_for_sleepers(1).await;
    clock.advance(seconds(6));
    pause.resume();
    let error = call.await.unwrap().unwrap_err();
    assert!(
        matches!(error, ServeError::Deadline { .. }) && error.applied() == Applied::Yes,
        "{error:?}"
    );
    assert_eq!(count(&server).await, 7);
}

#[timed_test::test(threads = 2)]
async fn a_call_within_its_deadline_is_answered() {
    let builder = AgentServer::builder(Clerk::new()).clock(ManualClock::new());
    let server = builder.start().await.unwrap().within(seconds(5));
    assert_eq!(server.call(Add { by: 1 }).await.unwrap(), 1);
    assert_eq!(server.request(add(1)).await.unwrap(), 2);
    server
        .set(json!({ "counter": { "count": 5 } }))
        .await
        .unwrap();
    assert_eq!(count(&server).await, 5);
}

#[timed_test::test(threads = 4)]
async fn concurrent_calls_of_64_tasks_are_all_applied_and_each_gets_its_own_response() {
    let builder = AgentServer::builder(Clerk::new()).mailbox_capacity(8);
    let server = builder.start().await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..64_i64 {
        let server = server.clone();
        tasks.spawn(async move {
            let mut answers = Vec::new();
            for turn in 0..25 {
                answers.push(match (task + turn) % 3 {
                    0 => server.call(Add { by: 1 }).await.unwrap(),
                    1 => server.request(add(1)).await.unwrap().as_i64().unwrap(),
                    _ => {
                        let answer = server.call_json("add", r#"{"by":1}"#).await.unwrap();
                        answer.parse().unwrap()
                    }
                });
            }
            answers
        });
    }
    let mut answers = Vec::new();
    while let Some(own) = tasks.join_next().await {
        let own = own.unwrap();
        assert!(own.is_sorted(), "a task sees its own calls in order");
        answers.extend(own);
    }
    answers.sort_unstable();
    assert_eq!(answers, (1..=64 * 25).collect::<Vec<_>>());
    assert_eq!(
        server.stats().handled,
        64 * 25 + 1,
        "the calls and `agent.init`"
    );
}

#[timed_test::test]
async fn a_successful_command_runs_once_per_key() {
    let server = clerk().await;
    for _ in 0..3 {
        assert_eq!(server.call_with_key("k", Add { by: 1 }).await.unwrap(), 1);
    }
    assert_eq!(
        server.call_with_key("other", Add { by: 1 }).await.unwrap(),
        2
    );
    // A failed command is not kept for its key.
    server
        .call_with_key("low", Subtract { by: 5 })
        .await
        .unwrap_err();
    server.call(Add { by: 5 }).await.unwrap();
    assert_eq!(
        server
            .call_with_key("low", Subtract { by: 5 })
            .await
            .unwrap(),
        2
    );
}

#[timed_test::test]
async fn a_signal_without_a_type_is_refused() {
    let server = AgentServer::builder(Clerk::new()).start().await.unwrap();
    let untyped = || Signal::new("", json!({}));
    let refused = SendError::Refused("its type is empty".into());
    assert_eq!(server.send(untyped()).await, Err(refused.clone()));
    assert_eq!(server.try_send(untyped()), Err(refused));
}

#[timed_test::test]
async fn a_request_is_sent_when_its_response_is_first_polled() {
    let server = AgentServer::builder(Clerk::new()).start().await.unwrap();
    drop(server.call(Add { by: 1 }));
    let later = server.call(Add { by: 10 });
    assert_eq!(server.call(Add { by: 2 }).await.unwrap(), 2);
    assert_eq!(later.await.unwrap(), 12);
}
