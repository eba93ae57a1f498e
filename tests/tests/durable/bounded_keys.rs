//! The bounds of idempotency keys and of the outputs that are stored under them.

use super::library_agent::*;
use super::{book_on, chain, kill, read, start};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{ForeignCaller, Limit, MAX_KEY_BYTES, MAX_KEYS, SignalError};
use skill_agent::store::{Commit, Memory, Row, Store};
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{Applied, ServeError};

const DAY: u64 = 24 * 60 * 60 * 1_000;

/// The key of a row: its record number, then a key of `length` bytes with a number.
fn row_key(seq: u64, number: u64, length: usize) -> Vec<u8> {
    let mut key = [seq.to_be_bytes(), number.to_be_bytes()].concat();
    key.resize(8 + length, 0);
    key
}

async fn rows(store: &Memory, table: &str) -> Vec<Row> {
    let mut log = store.open("lib-1").unwrap();
    log.recover().await.unwrap();
    log.scan(table, b"", 1_000_000).await.unwrap()
}

fn heard(source: &str, id: &str) -> Signal {
    let signal = json!({ "type": "book.heard", "source": source, "id": id, "specversion": "1.0" });
    serde_json::from_value(signal).unwrap()
}

#[timed_test::test]
async fn signals_and_calls_that_only_read_do_not_push_out_the_key_of_a_payment() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone()).mailbox_capacity(4096)).await;
    server.call_with_key("paid", Write { n: 7 }).await.unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..=10_000 {
        let server = server.clone();
        calls.spawn(async move {
            let called = server.call_with_key(n.to_string(), Length {}).await;
            let signal = heard("/elsewhere", &n.to_string());
            (called.unwrap(), server.request(signal).await.unwrap())
        });
    }
    while let Some(called) = calls.join_next().await {
        assert_eq!(called.unwrap(), (1, Value::Null));
    }
    assert_eq!(
        server.call_with_key("paid", Write { n: 7 }).await.unwrap(),
        1
    );
    kill(server).await;
    let server = start(book_on(memory.clone())).await;
    for key in ["paid", "0", "10000"] {
        let again = match key {
            "paid" => server.call_with_key(key, Write { n: 7 }).await.unwrap(),
            key => server.call_with_key(key, Length {}).await.unwrap(),
        };
        assert_eq!(again, 1, "{key}");
    }
    assert_eq!(read(&server).await.entries, [7]);
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn an_output_that_is_no_longer_stored_leaves_its_key() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    let text = |n: usize| format!("{n:>20480}");
    for n in 0..900 {
        let key = n.to_string();
        let echoed = server.call_with_key(key, Echo { text: text(n) }).await;
        assert_eq!(echoed.unwrap(), text(n));
    }
    let bytes = (16 << 20) + 1;
    let large = server.call_with_key("large", Repeat { bytes }).await;
    assert_eq!(large.unwrap().len(), bytes, "the first caller gets it");
    for is_restarted in [false, true] {
        let server = if is_restarted {
            kill(server.clone()).await;
            start(book_on(memory.clone())).await
        } else {
            server.clone()
        };
        let arguments = json!({ "text": text(0) }).to_string();
        let errors = [
            server
                .call_with_key("large", Repeat { bytes })
                .await
                .map(drop)
                .unwrap_err()
                .map(drop),
            server
                .call_with_key("0", Echo { text: text(0) })
                .await
                .map(drop)
                .unwrap_err()
                .map(drop),
            server
                .call_json_with_key("0", "echo", &arguments)
                .await
                .map(drop)
                .unwrap_err()
                .map(drop),
        ];
        for error in errors {
            assert!(matches!(error, ServeError::AnswerGone), "{error:?}");
            assert_eq!(error.applied(), Applied::Yes);
        }
        assert_eq!(
            ServeError::<IsClosed>::AnswerGone.to_string(),
            "the command was applied before under its key, and its output is no longer stored"
        );
        let other = Echo { text: "x".into() };
        let mismatch = server.call_with_key("0", other).await.unwrap_err();
        assert!(
            matches!(mismatch, ServeError::IdempotencyMismatch { .. }),
            "{mismatch:?}"
        );
        let kept = server.call_with_key("899", Echo { text: text(899) }).await;
        assert_eq!(kept.unwrap(), text(899));
        kill(server).await;
    }
    let rows = rows(&memory, "call_keys").await;
    let bytes = rows.iter().map(|(key, value)| key.len() + value.len());
    let bytes: usize = bytes.sum();
    assert!(bytes < (17 << 20), "{bytes} bytes of outputs are stored");
    assert_eq!(rows.len(), 901);
}

#[timed_test::test]
async fn keys_sources_and_ids_have_at_most_1024_bytes() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    let longest = "k".repeat(MAX_KEY_BYTES);
    let called = server.call_with_key(&*longest, Write { n: 1 }).await;
    assert_eq!(called.unwrap(), 1);
    server.request(heard(&longest, &longest)).await.unwrap();
    for too_long in [format!("{longest}k"), "k".repeat(1 << 20)] {
        let error = server
            .call_with_key(&*too_long, Write { n: 2 })
            .await
            .unwrap_err();
        assert!(
            matches!(
                error,
                ServeError::Limit {
                    what: Limit::KeyBytes,
                    max: 1_024,
                    ..
                }
            ),
            "{error:?}"
        );
        assert_eq!(
            error.to_string(),
            "the idempotency key has more than 1024 bytes; nothing of the command was applied"
        );
        let named = server
            .call_json_with_key(&*too_long, "write", r#"{"n":2}"#)
            .await;
        assert!(matches!(named, Err(ServeError::Limit { .. })), "{named:?}");
        for (source, id) in [(&*too_long, "1"), ("/a", &*too_long)] {
            let refused = server.request(heard(source, id)).await.unwrap_err();
            let refused: ServeError<SignalError> = refused;
            assert_eq!(
                refused.to_string(),
                "the source or the id of the signal has more than 1024 bytes; nothing of the command was applied"
            );
        }
    }
    let book = read(&server).await;
    assert_eq!((book.entries, book.heard), (vec![1], 1));
    kill(server).await;
    let stored: Vec<Row> = [
        rows(&memory, "call_keys").await,
        rows(&memory, "signal_keys").await,
    ]
    .concat();
    assert_eq!(stored.len(), 2);
    for (key, value) in stored {
        assert!(key.len() + value.len() <= 84, "a row is small");
    }
}

/// Adds the keys of calls to the store of a server that has stopped; the first `old` of them are two days old.
async fn add_keys(store: &Memory, count: usize, old: usize, is_foreign: bool) {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64;
    let mut log = store.open("lib-1").unwrap();
    let seq = log.recover().await.unwrap().last_seq();
    let mut commit = Commit::default();
    for n in 0..count {
        let at = if n < old { now - 2 * DAY } else { now };
        let key = row_key(seq, n as u64, 36);
        let value = [&at.to_be_bytes()[..], &[u8::from(is_foreign)]].concat();
        commit = commit.put("call_keys", key, value);
    }
    log.commit(commit).await.unwrap();
}

#[timed_test::test]
async fn with_a_million_keys_of_a_day_a_new_one_runs_nothing() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call_with_key("k", Write { n: 1 }).await.unwrap();
    kill(server).await;
    add_keys(&memory, MAX_KEYS - 1, 0, false).await;
    let server = start(book_on(memory.clone())).await;
    let error = server
        .call_with_key("new", Write { n: 2 })
        .await
        .unwrap_err();
    assert_eq!(error.applied(), Applied::No);
    assert_eq!(
        error.to_string(),
        "1000000 idempotency keys were used in the last 24 hours, and there is no room for another one; call without a key, or try again \
         later; nothing of the command was applied"
    );
    // The known key and commands without one are as before.
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
    assert_eq!(server.call(Write { n: 3 }).await.unwrap(), 2);
    kill(server).await;
}

#[timed_test::test]
async fn foreign_callers_cannot_take_the_keys_of_the_program() {
    let memory = Memory::default();
    kill(start(book_on(memory.clone())).await).await;
    add_keys(&memory, MAX_KEYS / 2, 0, true).await;
    let server = start(book_on(memory)).await;
    let model = server.on_behalf_of(ForeignCaller::Model.with_principal("alice"));
    let error = model.call_json_with_key("k", "length", "{}").await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "models, MCP clients and documents used 500000 idempotency keys in the last 24 hours, and have no room for another one; call without \
         a key, or try again later; nothing of the command was applied"
    );
    assert_eq!(model.call_json("length", "{}").await.unwrap(), "0");
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
}

#[timed_test::test]
async fn the_keys_of_signals_have_bounds_of_their_own() {
    let memory = Memory::default();
    kill(start(book_on(memory.clone())).await).await;
    let mut log = memory.open("lib-1").unwrap();
    let seq = log.recover().await.unwrap().last_seq();
    let mut commit = Commit::default();
    for n in 0..50_003_u64 {
        let source = 7_u64;
        commit = commit.put("signal_keys", row_key(seq, n, 32), source.to_be_bytes());
    }
    log.commit(commit).await.unwrap();
    drop(log);
    let server = start(book_on(memory.clone())).await;
    for _ in 0..2 {
        server.request(heard("/a", "1")).await.unwrap();
    }
    assert_eq!(read(&server).await.heard, 1);
    kill(server).await;
    assert_eq!(
        rows(&memory, "signal_keys").await.len(),
        50_001,
        "one source has 50,000, and the other one its own"
    );
}

#[timed_test::test]
async fn a_repeated_signal_whose_output_is_gone_is_not_handled_again() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.request(heard("/a", "1")).await.unwrap();
    kill(server).await;
    let mut log = memory.open("lib-1").unwrap();
    log.recover().await.unwrap();
    let rows = log.scan("signal_keys", b"", 2).await.unwrap();
    let (key, value) = &rows[0];
    let without_output = Commit::default().put("signal_keys", &**key, &value[..8]);
    log.commit(without_output).await.unwrap();
    drop(log);
    let server = start(book_on(memory)).await;
    let error = server.request(heard("/a", "1")).await.unwrap_err();
    assert!(matches!(error, ServeError::AnswerGone), "{error:?}");
    assert_eq!(read(&server).await.heard, 1);
}

#[timed_test::test]
async fn a_key_of_an_unknown_form_is_not_deleted() {
    let memory = Memory::default();
    kill(start(book_on(memory.clone())).await).await;
    let mut log = memory.open("lib-1").unwrap();
    log.recover().await.unwrap();
    let unknown = Commit::default().put("call_keys", [7; 35], [0; 17]);
    log.commit(unknown).await.unwrap();
    drop(log);
    let error = book_on(memory.clone()).start().await.unwrap_err();
    assert_eq!(
        chain(&error),
        "the store of `lib-1` cannot be used: `the store` is damaged: its table `call_keys` has a row of an unknown form; deleting the \
         table forgets its rows"
    );
    assert_eq!(rows(&memory, "call_keys").await.len(), 1);
    // The way out.
    let mut log = memory.open("lib-1").unwrap();
    log.recover().await.unwrap();
    let deleted = Commit::default().delete_range("call_keys", ..);
    log.commit(deleted).await.unwrap();
    drop(log);
    let server = start(book_on(memory)).await;
    assert_eq!(server.call_with_key("k", Write { n: 1 }).await.unwrap(), 1);
}

#[timed_test::test]
async fn the_keys_of_a_batch_that_is_refused_together_are_stored_with_their_records() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let mut pause = store.pause_commit(0);
    store.on_commit(1, Fault::Refuse);
    let call = |n: u64| {
        let server = server.clone();
        tokio::spawn(async move {
            let key = n.to_string();
            server.call_with_key(key, Write { n }).await
        })
    };
    let first = call(0);
    pause.reached().await;
    let calls: Vec<_> = (1..=3).map(call).collect();
    tokio::task::yield_now().await;
    pause.resume();
    first.await.unwrap().unwrap();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    kill(server).await;
    let server = start(book_on(store)).await;
    for n in 0..=3 {
        let key = n.to_string();
        server.call_with_key(key, Write { n }).await.unwrap();
    }
    assert_eq!(read(&server).await.entries.len(), 4);
}

#[timed_test::test]
async fn old_keys_beyond_the_last_hundred_thousand_are_deleted_from_the_store() {
    let memory = Memory::default();
    kill(start(book_on(memory.clone())).await).await;
    add_keys(&memory, 100_020, 15, false).await;
    let server = start(book_on(memory.clone())).await;
    server.call_with_key("k", Write { n: 1 }).await.unwrap();
    kill(server).await;
    let kept = rows(&memory, "call_keys").await;
    assert_eq!(
        kept.len(),
        100_006,
        "the fifteen old ones are gone, and the new one is there"
    );
}

#[timed_test::test]
async fn the_key_of_a_record_that_is_lost_runs_again() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    server.call_with_key("a", Write { n: 1 }).await.unwrap();
    server.call_with_key("b", Write { n: 2 }).await.unwrap();
    kill(server).await;
    memory.tear("lib-1", 3);
    let server = start(book_on(memory)).await;
    assert!(server.recovery().damage.is_some());
    assert_eq!(server.call_with_key("a", Write { n: 1 }).await.unwrap(), 1);
    assert_eq!(server.call_with_key("b", Write { n: 2 }).await.unwrap(), 2);
    assert_eq!(read(&server).await.entries, [1, 2]);
}
