//! Commits before responses: one for many callers, refused records, failed stores.

use super::library_agent::*;
use super::{book_on, kill, read, records, start};
use serde_json::json;
use skill_agent::Applied;
use skill_agent::StartError;
use skill_agent::StopReason;
use skill_agent::prelude::*;
use skill_agent::store::{Memory, StoreError};
use skill_agent::testing::{Fault, FaultyStore, Pause};
use std::pin::pin;
use std::task::Poll;
use tokio::task::JoinHandle;

pub type Answer<T, E = std::convert::Infallible> = JoinHandle<Result<T, ServeError<E>>>;

/// Puts a command into the mailbox, behind those that are there.
pub async fn ask<T: Send + 'static, E: Send + 'static>(
    command: impl Future<Output = Result<T, ServeError<E>>> + Send + 'static,
) -> Answer<T, E> {
    let mut command = Box::pin(command);
    // the first poll sends it: there is room
    let first = std::future::poll_fn(|cx| Poll::Ready(command.as_mut().poll(cx).is_pending()));
    assert!(first.await, "there is no answer yet");
    tokio::spawn(command)
}

fn write(
    server: &AgentServer<Library>,
    n: u64,
) -> impl Future<Output = Result<usize, ServeError<std::convert::Infallible>>> + Send + use<> {
    let server = server.clone();
    async move { server.call(Write { n }).await }
}

#[track_caller]
fn is_refused<T: std::fmt::Debug, E: std::fmt::Debug>(answer: Result<T, ServeError<E>>) {
    match answer {
        Err(error @ ServeError::Store { .. }) => {
            assert_eq!(error.applied(), Applied::No);
            let text = "the command could not be stored; nothing was applied";
            assert_eq!(error.map(|_| StopReason::Lost).to_string(), text);
        }
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn callers_share_commits() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let before = server.stats();
    let mut pause = store.pause_commit(0);
    let mut answers = vec![ask(write(&server, 0)).await];
    pause.reached().await;
    for n in 1..=100 {
        answers.push(ask(write(&server, n)).await);
    }
    pause.resume();
    for (n, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer.await.unwrap().unwrap(), n + 1);
    }
    let after = server.stats();
    assert_eq!(after.records - before.records, 101);
    assert_eq!(after.commits - before.commits, 2, "{:?}", store.commits());
}

#[timed_test::test]
async fn no_response_is_sent_before_the_record_is_written() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let mut heard = server.subscribe("book.**").unwrap();
    let mut pause = store.pause_commit(0);
    let first = server.clone();
    let first = ask(async move { first.call(Publish { n: 1 }).await }).await;
    pause.reached().await;
    let reader = server.clone();
    let reader = ask(async move { reader.agent().await }).await;
    // as many turns as anybody needs
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!first.is_finished() && !reader.is_finished());
    assert!(
        heard.try_next().is_none(),
        "published before it was written"
    );
    pause.resume();
    first.await.unwrap().unwrap();
    assert_eq!(reader.await.unwrap().unwrap().state().book.entries, [1]);
    assert_eq!(heard.next().await.unwrap().data(), &json!({ "n": 1 }));
}

/// Makes a batch of what is asked for while an append waits, and lets go.
async fn hold(store: &FaultyStore, server: &AgentServer<Library>) -> (Pause, Answer<usize>) {
    let mut pause = store.pause_commit(0);
    let first = ask(write(server, 0)).await;
    pause.reached().await;
    (pause, first)
}

#[timed_test::test]
async fn a_read_responds_after_the_changes_it_saw_are_written() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, first) = hold(&store, &server).await;
    let mut second_pause = store.pause_commit(0);
    let second = ask(write(&server, 1)).await;
    let reader = server.clone();
    let reader = ask(async move { reader.agent().await }).await;
    pause.resume();
    first.await.unwrap().unwrap();
    second_pause.reached().await;
    assert!(!reader.is_finished(), "it saw what is not written");
    second_pause.resume();
    second.await.unwrap().unwrap();
    assert_eq!(reader.await.unwrap().unwrap().state().book.entries, [0, 1]);
}

#[timed_test::test]
async fn a_refused_command_is_undone_and_reported_and_the_next_one_succeeds() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    store.on_commit(0, Fault::Refuse);
    is_refused(server.call(Write { n: 2 }).await);
    assert_eq!(read(&server).await.entries, [1]);
    store.on_commit(0, Fault::Refuse);
    is_refused(server.call_json("write", r#"{"n":3}"#).await);
    store.on_commit(0, Fault::Refuse);
    is_refused(
        server
            .request(Signal::new("book.write", json!({ "n": 4 })))
            .await,
    );
    store.on_commit(0, Fault::Refuse);
    is_refused(server.set(json!({ "visits": 9 })).await);
    store.on_commit(0, Fault::Refuse);
    is_refused(server.call(Consult { n: 5 }).await);
    assert_eq!(server.call(Write { n: 6 }).await.unwrap(), 2);
    let state = server.agent().await.unwrap();
    kill(server).await;
    let server = start(book_on(store)).await;
    assert_eq!(state.state().book.entries, [1, 6]);
    assert_eq!(read(&server).await.entries, [1, 6]);
    assert_eq!(server.agent().await.unwrap().state().visits, 0);
}

#[timed_test::test]
async fn a_refused_command_does_not_undo_earlier_ones() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, first) = hold(&store, &server).await;
    let before = ask(write(&server, 1)).await;
    let reader = server.clone();
    let reader = ask(async move { reader.agent().await }).await;
    let between = ask(write(&server, 2)).await;
    let refused = ask(write(&server, 3)).await;
    let after = ask(write(&server, 4)).await;
    let last_reader = server.clone();
    let last_reader = ask(async move { last_reader.agent().await }).await;
    // all of it as one, then the third by itself
    store.on_commit(0, Fault::Refuse);
    store.on_commit(3, Fault::Refuse);
    pause.resume();
    first.await.unwrap().unwrap();
    before.await.unwrap().unwrap();
    assert_eq!(reader.await.unwrap().unwrap().state().book.entries, [0, 1]);
    between.await.unwrap().unwrap();
    is_refused(refused.await.unwrap());
    // it was made on a state that never was
    is_refused(after.await.unwrap());
    let seen = last_reader.await.unwrap().unwrap();
    assert_eq!(
        seen.state().book.entries,
        [0, 1, 2],
        "a read saw what was undone"
    );
    assert_eq!(server.call(Write { n: 5 }).await.unwrap(), 4);
    kill(server).await;
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [0, 1, 2, 5]);
}

#[timed_test::test]
async fn a_record_that_is_too_large_fails_alone() {
    // More than a record may have.
    const BYTES: usize = 65 << 20;
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, first) = hold(&store, &server).await;
    let before = ask(write(&server, 1)).await;
    let large = || {
        let server = server.clone();
        async move { server.call(Large { bytes: BYTES }).await }
    };
    let refused = [ask(large()).await, ask(large()).await];
    let after = ask(write(&server, 2)).await;
    let refused_last = ask(large()).await;
    pause.resume();
    for kept in [first, before, after] {
        kept.await.unwrap().unwrap();
    }
    for refused in refused.into_iter().chain([refused_last]) {
        is_refused(refused.await.unwrap());
    }
    assert_eq!(server.call(Write { n: 3 }).await.unwrap(), 4);
    kill(server).await;
    let server = start(book_on(store)).await;
    let book = read(&server).await;
    assert_eq!((book.entries, book.text), (vec![0, 1, 2, 3], String::new()));
}

#[timed_test::test]
async fn a_command_that_comes_again_is_answered_when_the_first_is_written() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, first) = hold(&store, &server).await;
    let keyed = || {
        let server = server.clone();
        async move { server.call_with_key("k", Write { n: 1 }).await }
    };
    let signal = || {
        let server = server.clone();
        let mut signal = Signal::new("book.write", json!({ "n": 2 }));
        signal.stamp("s-1", "/test", std::time::SystemTime::UNIX_EPOCH);
        async move { server.request(signal).await }
    };
    let keyed = [ask(keyed()).await, ask(keyed()).await];
    let signals = [ask(signal()).await, ask(signal()).await];
    store.on_commit(0, Fault::Refuse);
    store.on_commit(1, Fault::Refuse);
    pause.resume();
    first.await.unwrap().unwrap();
    for answer in keyed {
        is_refused(answer.await.unwrap());
    }
    for answer in signals {
        is_refused(answer.await.unwrap());
    }
    assert_eq!(read(&server).await.entries, [0]);
    // it may come again
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 2);
}

#[timed_test::test]
async fn a_recorded_answer_is_given_although_another_command_of_the_batch_is_refused() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    assert_eq!(server.call_with_key("k", Write { n: 9 }).await.unwrap(), 1);
    let (pause, first) = hold(&store, &server).await;
    let refused = ask(write(&server, 1)).await;
    let handle = server.clone();
    let again = ask(async move { handle.call_with_key("k", Write { n: 9 }).await }).await;
    store.on_commit(0, Fault::Refuse);
    pause.resume();
    assert_eq!(first.await.unwrap().unwrap(), 2);
    is_refused(refused.await.unwrap());
    assert_eq!(
        again.await.unwrap().unwrap(),
        1,
        "its record was written before"
    );
}

#[timed_test::test]
async fn a_store_that_failed_stops_the_server_and_loses_nothing_that_was_acknowledged() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    server.call(Write { n: 1 }).await.unwrap();
    let (pause, first) = hold(&store, &server).await;
    let answers = [ask(write(&server, 2)).await, ask(write(&server, 3)).await];
    store.on_commit(0, Fault::FailBefore);
    pause.resume();
    first.await.unwrap().unwrap();
    for answer in answers {
        let error = answer.await.unwrap().unwrap_err();
        assert!(
            matches!(&error, ServeError::Store { source, .. } if matches!(**source, StoreError::Failed { .. })),
            "{error}"
        );
    }
    let reason = server.closed().await;
    assert!(
        matches!(&reason, StopReason::Store(error) if matches!(**error, StoreError::Failed { .. })),
        "{reason}"
    );
    assert!(matches!(
        server.call(Write { n: 4 }).await,
        Err(ServeError::Stopped { .. })
    ));
    let server = start(book_on(store)).await;
    let entries = read(&server).await.entries;
    assert!(entries.starts_with(&[1, 0]), "{entries:?}");
}

#[timed_test::test]
async fn a_kill_while_a_record_is_written_waits_for_the_log() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, first) = hold(&store, &server).await;
    server.kill();
    let mut closed = pin!(server.closed());
    let mut is_closed =
        async || std::future::poll_fn(|cx| Poll::Ready(closed.as_mut().poll(cx).is_ready())).await;
    for _ in 0..100 {
        assert!(!is_closed().await, "closed, and the log is in use");
        tokio::task::yield_now().await;
    }
    pause.resume();
    // written is written, whether or not it was answered
    let _ = first.await.unwrap();
    server.closed().await;
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [0]);
}

#[timed_test::test]
async fn a_server_killed_while_it_stops_is_closed_when_the_log_is_free() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let (pause, _first) = hold(&store, &server).await;
    let mut last = store.pause_commit(0);
    let _second = ask(write(&server, 1)).await;
    let stopping = server.clone();
    let stopping = tokio::spawn(async move { stopping.stop().await });
    tokio::task::yield_now().await;
    pause.resume();
    last.reached().await;
    server.kill();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!stopping.is_finished(), "closed, and the log is in use");
    last.resume();
    let _ = stopping.await.unwrap();
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [0, 1]);
}

#[timed_test::test]
async fn an_entry_has_one_owner() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    let second = book_on(memory.clone()).start().await.unwrap_err();
    assert!(
        matches!(
            &second,
            StartError::Store {
                source: StoreError::Owned { .. },
                ..
            }
        ),
        "{second}"
    );
    server.call(Write { n: 1 }).await.unwrap();
    server.stop().await.unwrap();
    let server = start(book_on(memory.clone())).await;
    assert_eq!(read(&server).await.entries, [1]);
    kill(server).await;
    // `on_mount` of the second start
    assert_eq!(records(&memory).await.len(), 1);
}
