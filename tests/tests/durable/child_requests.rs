//! The response to a request of a child comes after its record, and is never undone.

use super::library_agent::*;
use super::{book_on, chain, kill, read, start};
use serde_json::{Value, json};
use skill_agent::child::{ChildRequestError, Restart};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use std::sync::Arc;
use tokio::sync::{Notify, mpsc};

type Answer = Result<Value, ChildRequestError>;

/// A child that makes a request when the test says so, and reports the response.
struct Asker {
    go: Arc<Notify>,
    answers: mpsc::UnboundedReceiver<Answer>,
}

fn asker(signal: Signal) -> (ChildSpec, Asker) {
    let (answered, answers) = mpsc::unbounded_channel();
    let go = Arc::new(Notify::new());
    let asker = Asker {
        go: go.clone(),
        answers,
    };
    let ask = move |cx: ChildContext| {
        let (go, answered, signal) = (go.clone(), answered.clone(), signal.clone());
        async move {
            go.notified().await;
            let answer = cx.request(signal).await;
            let _ = answered.send(answer);
            Ok(())
        }
    };
    (
        ChildSpec::new("asker", ask).restart(Restart::Temporary),
        asker,
    )
}

async fn asked(store: &FaultyStore, signal: Signal) -> (AgentServer<Library>, Asker) {
    let (child, asker) = asker(signal);
    let server = start(book_on(store.clone()).child(child)).await;
    (server, asker)
}

fn write(n: u64) -> Signal {
    Signal::new("book.write", json!({ "n": n }))
}

#[timed_test::test]
async fn a_response_to_a_child_comes_after_the_record_and_outlives_a_kill() {
    let store = FaultyStore::new(Memory::default());
    let (server, mut asker) = asked(&store, write(7)).await;
    let mut pause = store.pause_commit(0);
    asker.go.notify_one();
    pause.reached().await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(asker.answers.try_recv().is_err(), "it is not recorded yet");
    pause.resume();
    let answer = asker.answers.recv().await.unwrap();
    kill(server).await;
    assert_eq!(answer.unwrap(), json!(1));
    let server = start(book_on(store)).await;
    assert_eq!(read(&server).await.entries, [7]);
}

#[timed_test::test]
async fn a_child_gets_no_response_to_a_request_that_is_undone() {
    for fault in [
        Fault::Refuse,
        Fault::FailBefore,
        Fault::FailAfter,
        Fault::Panic,
        Fault::CrashBefore,
        Fault::CrashAfter,
    ] {
        let store = FaultyStore::new(Memory::default());
        let (server, mut asker) = asked(&store, write(7)).await;
        store.on_commit(0, fault);
        asker.go.notify_one();
        if matches!(fault, Fault::CrashBefore | Fault::CrashAfter) {
            store.crashed().await;
            assert!(asker.answers.try_recv().is_err());
            server.kill();
            store.restart();
        }
        // A child that a kill aborts reports nothing.
        let answer = asker.answers.recv().await;
        assert!(!matches!(answer, Some(Ok(_))), "{fault:?}: {answer:?}");
        if let Some(Err(error)) = &answer {
            let error = chain(error);
            assert!(error.starts_with("the request failed: the "), "{error}");
        }
        server.kill();
        server.closed().await;
        store.restart();
        start(book_on(store)).await.stop().await.unwrap();
    }
}

#[timed_test::test]
async fn a_failed_request_returns_its_error_to_the_child() {
    let store = FaultyStore::new(Memory::default());
    let (server, mut asker) = asked(&store, Signal::new("book.burn", json!({}))).await;
    asker.go.notify_one();
    let error = asker.answers.recv().await.unwrap().unwrap_err();
    let text = chain(&error);
    assert!(
        text.contains("signals of the type `book.burn` have no handler"),
        "{text}"
    );
    let ChildRequestError::Failed(source) = error else {
        panic!("{error:?}")
    };
    let source = source.downcast_ref::<ServeError<skill_agent::SignalError>>();
    assert!(matches!(source, Some(ServeError::Action(_))), "{source:?}");
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_request_of_a_child_that_has_to_stop_fails_at_once() {
    let (answered, mut answers) = mpsc::unbounded_channel();
    let late = ChildSpec::new("late", move |cx: ChildContext| {
        let answered = answered.clone();
        async move {
            cx.stopped().await;
            let _ = answered.send(cx.request(write(1)).await);
            Ok(())
        }
    });
    let server = start(book_on(Memory::default()).child(late)).await;
    server.stop().await.unwrap();
    let answer = answers.recv().await.unwrap();
    assert!(
        matches!(answer, Err(ChildRequestError::Stopped)),
        "{answer:?}"
    );
}
