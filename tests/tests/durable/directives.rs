//! Directives across a kill: all are executed, and a `Run` exactly once.

use super::library_agent::*;
use super::manual_sink::ManualSink;
use super::{book_on, kill, read, start, subscribed};
use serde_json::json;
use skill_agent::StopReason;
use skill_agent::prelude::*;
use skill_agent::server::ErrorPolicy;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};

#[timed_test::test]
async fn an_undelivered_signal_is_offered_again_with_its_id() {
    let memory = Memory::default();
    let (world, listener) = ManualSink::new();
    let server = start(book_on(memory.clone()).signal_sink(world)).await;
    server.call(Publish { n: 1 }).await.unwrap();
    server.call(Publish { n: 2 }).await.unwrap();
    server.call(Publish { n: 3 }).await.unwrap();
    let (first, second) = (listener.next().await, listener.next());
    let first_id = first.id();
    first.take();
    let second = second.await;
    let second_id = second.id();
    assert_ne!(first_id, second_id);
    // The mark of the first is written with the next record.
    while server.stats().directives == 0 {
        tokio::task::yield_now().await;
    }
    server.call(Write { n: 4 }).await.unwrap();
    kill(server).await;
    drop(second);

    let (world, listener) = ManualSink::new();
    let server = start(book_on(memory.clone()).signal_sink(world)).await;
    assert_eq!(server.recovery().directives, 2);
    let again = listener.next().await;
    assert_eq!((again.n(), again.id()), (&json!(2), second_id));
    again.take();
    let third = listener.next().await;
    assert_eq!(third.n(), &json!(3));
    third.take();
    server.stop().await.unwrap();

    let (world, listener) = ManualSink::new();
    let server = start(book_on(memory).signal_sink(world)).await;
    assert_eq!(server.recovery().directives, 0);
    server.stop().await.unwrap();
    drop(server);
    assert!(listener.rest().await.is_empty());
}

#[timed_test::test]
async fn a_refused_signal_is_offered_again_after_the_next_start() {
    let memory = Memory::default();
    let (world, listener) = ManualSink::new();
    let server = start(book_on(memory.clone()).signal_sink(world)).await;
    server.call(Publish { n: 1 }).await.unwrap();
    let given = listener.next().await;
    let id = given.id();
    given.refuse();
    server.stop().await.unwrap();
    let (world, listener) = ManualSink::new();
    let server = start(book_on(memory).signal_sink(world)).await;
    let again = listener.next().await;
    assert_eq!(again.id(), id);
    again.take();
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_run_whose_record_was_not_written_is_done_after_the_kill() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    store.on_commit(1, Fault::FailBefore);
    server.call(Chain { n: 1 }).await.unwrap();
    assert!(matches!(server.closed().await, StopReason::Store(_)));
    let server = start(book_on(store.clone())).await;
    assert_eq!(read(&server).await.entries, [1, 1001]);
    kill(server).await;
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [1, 1001]);
}

#[timed_test::test]
async fn a_run_whose_record_was_written_is_not_done_again() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let mut pause = store.pause_commit(1);
    server.call(Chain { n: 1 }).await.unwrap();
    pause.reached().await;
    server.kill();
    pause.resume();
    server.closed().await;
    let server = start(book_on(store)).await;
    assert_eq!(server.recovery().directives, 0);
    assert_eq!(read(&server).await.entries, [1, 1001]);
}

#[timed_test::test]
async fn a_run_that_the_store_refused_is_reported_and_done_after_the_next_start() {
    let store = FaultyStore::new(Memory::default());
    let builder = book_on(store.clone()).error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let server = start(builder).await;
    store.on_commit(1, Fault::Refuse);
    server.call(Chain { n: 1 }).await.unwrap();
    let error = errors.next().await.unwrap();
    assert!(
        error.data()["message"].as_str().unwrap().contains("follow"),
        "{error:?}"
    );
    // what was done in between is no mark of it
    server.call(Write { n: 2 }).await.unwrap();
    assert_eq!(read(&server).await.entries, [1, 2]);
    kill(server).await;
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [1, 2, 1001]);
}

#[timed_test::test]
async fn a_signal_that_the_store_refused_is_reported() {
    let store = FaultyStore::new(Memory::default());
    let builder = book_on(store.clone()).error_policy(ErrorPolicy::Emit);
    let (builder, mut errors) = subscribed(builder, "agent.error");
    let server = start(builder).await;
    store.on_commit(0, Fault::Refuse);
    server
        .send(Signal::new("book.write", json!({ "n": 1 })))
        .await
        .unwrap();
    let error = errors.next().await.unwrap();
    assert!(
        error.data()["message"]
            .as_str()
            .unwrap()
            .contains("book.write"),
        "{error:?}"
    );
    assert!(read(&server).await.entries.is_empty());
}

#[timed_test::test]
async fn a_child_whose_spawn_was_recorded_is_started_after_a_crash_and_only_once_more() {
    let store = FaultyStore::new(Memory::default());
    let (builder, mut published) = subscribed(book_on(store.clone()), "book.published");
    let server = start(builder).await;
    store.on_commit(0, Fault::CrashAfter);
    let helping = server.clone();
    let helping = super::commits::ask(async move { helping.call(Help { n: 1 }).await }).await;
    store.crashed().await;
    server.kill();
    store.restart();
    server.closed().await;
    let _ = helping.await.unwrap();
    assert!(published.try_next().is_none());

    let (builder, mut published) = subscribed(book_on(store.clone()), "book.published");
    let server = start(builder).await;
    assert_eq!(server.recovery().directives, 1);
    assert_eq!(published.next().await.unwrap().data(), &json!({ "n": 1 }));
    server.stop().await.unwrap();
    let server = start(book_on(store)).await;
    assert_eq!(server.recovery().directives, 0);
}

#[timed_test::test]
async fn an_agent_that_stopped_itself_starts_again() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call(Halt {}).await.unwrap();
    assert!(matches!(server.closed().await, StopReason::Directive(_)));
    let server = start(book_on(memory.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    kill(server).await;

    // the same, killed between the record and the stop
    let store = FaultyStore::new(memory);
    let server = start(book_on(store.clone())).await;
    let mut pause = store.pause_commit(0);
    let halting = server.clone();
    let halting = super::commits::ask(async move { halting.call(Halt {}).await }).await;
    pause.reached().await;
    server.kill();
    pause.resume();
    server.closed().await;
    let _ = halting.await.unwrap();
    let server = start(book_on(store)).await;
    assert_eq!(server.call(Write { n: 2 }).await.unwrap(), 2);
}
