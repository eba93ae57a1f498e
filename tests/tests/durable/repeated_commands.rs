//! Repeated commands and signals run once.

use super::commits::ask;
use super::library_agent::*;
use super::{book_on, kill, read, start};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::store::Memory;

#[timed_test::test]
async fn a_key_runs_one_command_also_after_a_restart() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    server.call(Write { n: 2 }).await.unwrap();
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    kill(server).await;
    let server = start(book_on(memory.clone())).await;
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    server.stop().await.unwrap();
    // now from the snapshot
    let server = start(book_on(memory)).await;
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    assert_eq!(
        server.call_with_key("other", Write { n: 3 }).await.unwrap(),
        3
    );
    assert_eq!(read(&server).await.entries, [1, 2, 3]);
}

#[timed_test::test]
async fn keys_belong_to_an_action() {
    let server = start(book_on(Memory::default())).await;
    server.call_with_key("k", Write { n: 1 }).await.unwrap();
    server.call_with_key("k", Chain { n: 2 }).await.unwrap();
    assert_eq!(
        server.call_with_key("k", Consult { n: 3 }).await.unwrap(),
        3
    );
    assert_eq!(
        server.call_with_key("k", Consult { n: 3 }).await.unwrap(),
        3
    );
    assert_eq!(read(&server).await.entries, [1, 2, 1002, 3]);
}

#[timed_test::test]
async fn a_failed_command_runs_again_under_its_key() {
    let server = start(book_on(Memory::default())).await;
    for runs in 1..=2 {
        let failed = server
            .call_with_key("k", Refuse { n: 1 })
            .await
            .unwrap_err();
        assert!(matches!(failed, ServeError::Action(IsClosed)));
        assert_eq!(super::library_agent::runs(), runs);
    }
}

#[timed_test::test]
async fn concurrent_calls_under_a_key_are_one() {
    let store = Memory::default();
    let server = start(book_on(store.clone())).await;
    let calls = (0..20).map(|_| {
        let server = server.clone();
        tokio::spawn(async move { server.call_with_key("k", Write { n: 1 }).await.unwrap() })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), 1);
    }
    assert_eq!(read(&server).await.entries, [1]);
}

#[timed_test::test]
async fn concurrent_calls_of_a_queued_async_action_under_a_key_are_one() {
    let server = start(book_on(Memory::default()).concurrent_actions(1)).await;
    let call = |key: &'static str, n| {
        let server = server.clone();
        ask(async move { server.call_with_key(key, Consult { n }).await })
    };
    let mut calls = vec![call("first", 0).await];
    for _ in 0..5 {
        calls.push(call("k", 1).await);
    }
    for (at, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().unwrap(), at.min(1) as u64);
    }
    assert_eq!(read(&server).await.entries, [0, 1]);
}

#[timed_test::test]
async fn a_sender_behind_a_dropped_one_gets_its_response() {
    let server = start(book_on(Memory::default()).concurrent_actions(1)).await;
    let call = |n| {
        let server = server.clone();
        ask(async move { server.call(Consult { n }).await })
    };
    let (first, gone, last) = (call(1).await, call(2).await, call(3).await);
    gone.abort();
    assert_eq!(first.await.unwrap().unwrap(), 1);
    assert_eq!(last.await.unwrap().unwrap(), 3);
    assert_eq!(read(&server).await.entries, [1, 3]);
}

/// A signal from outside the agent.
fn from_json(id: &str, source: &str, n: u64) -> Signal {
    let text = json!({
        "specversion": "1.0", "type": "book.write", "id": id, "source": source, "data": { "n": n },
    });
    serde_json::from_value(text).unwrap()
}

#[timed_test::test]
async fn source_and_id_identify_a_signal() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    let request = |server: &AgentServer<Library>, signal| {
        let server = server.clone();
        async move { server.request(signal).await.unwrap() }
    };
    assert_eq!(request(&server, from_json("1", "/a", 1)).await, json!(1));
    assert_eq!(request(&server, from_json("1", "/b", 2)).await, json!(2));
    assert_eq!(request(&server, from_json("2", "/a", 3)).await, json!(3));
    assert_eq!(request(&server, from_json("1", "/a", 1)).await, json!(1));
    server.send(from_json("1", "/b", 2)).await.unwrap();
    kill(server).await;
    let server = start(book_on(memory.clone())).await;
    assert_eq!(request(&server, from_json("2", "/a", 3)).await, json!(3));
    server.stop().await.unwrap();
    let server = start(book_on(memory)).await;
    assert_eq!(request(&server, from_json("1", "/b", 2)).await, json!(2));
    assert_eq!(read(&server).await.entries, [1, 2, 3]);
}

#[timed_test::test]
async fn signals_without_an_id_are_all_different() {
    let server = start(book_on(Memory::default())).await;
    for n in 1..=2 {
        let signal = Signal::new("book.write", json!({ "n": 7 }));
        assert_eq!(server.request(signal).await.unwrap(), json!(n));
    }
}

#[timed_test::test]
async fn the_id_of_a_signal_is_not_the_key_of_a_call() {
    let server = start(book_on(Memory::default())).await;
    server.call_with_key("k", Write { n: 1 }).await.unwrap();
    let path = <Write as skill_agent::Action>::SPEC.type_path;
    assert_eq!(
        server.request(from_json("k", path, 2)).await.unwrap(),
        json!(2)
    );
}

#[timed_test::test]
async fn a_repeated_signal_is_handled_once() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    let heard = || from_json("1", "/a", 0).with_type("book.heard");
    for _ in 0..2 {
        assert_eq!(server.request(heard()).await.unwrap(), Value::Null);
    }
    kill(server).await;
    let server = start(book_on(memory)).await;
    server.request(heard()).await.unwrap();
    assert_eq!(read(&server).await.heard, 1);
}
