//! Snapshots, which keep the log short.

use super::library_agent::*;
use super::{book_on, kill, read, records, recovered, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::FaultyStore;

/// Records between two snapshots.
const RECORDS: usize = 1_000;

#[timed_test::test]
async fn a_stop_leaves_one_snapshot() {
    let memory = Memory::default();
    let server = start(book_on(memory.clone())).await;
    for n in 0..10 {
        server.call(Chain { n }).await.unwrap();
    }
    server.stop().await.unwrap();
    let found = recovered(&memory).await;
    assert!(found.records.is_empty() && found.damage.is_none());
    let snapshot = found.snapshot.unwrap();
    // each call and each run, and `on_mount`
    assert_eq!((snapshot.seq, snapshot.pending.len()), (21, 0));
    let keys: Vec<&str> = snapshot.skills.iter().map(|skill| &*skill.key).collect();
    assert_eq!(keys, ["", "book"]);
}

#[timed_test::test]
async fn a_snapshot_is_made_after_a_thousand_records() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let first = store.compactions();
    let started = server.stats().records as usize;
    for n in started..RECORDS {
        assert_eq!(store.compactions(), first, "after {n} records");
        server.call(Large { bytes: n % 100 }).await.unwrap();
    }
    server.agent().await.unwrap();
    assert_eq!(store.compactions(), first + 1);
    server.call(Write { n: 0 }).await.unwrap();
    kill(server).await;
    assert_eq!(records(&store).await.len(), 1);
    let book = read(&start(book_on(store)).await).await;
    assert_eq!((book.text.len(), book.entries), (99, vec![0]));
}

#[timed_test::test]
async fn records_of_killed_servers_count_towards_the_next_snapshot() {
    let store = FaultyStore::new(Memory::default());
    let mut most = 0;
    for _ in 0..5 {
        let server = start(book_on(store.clone())).await;
        for _ in 0..400 {
            server.call(Large { bytes: 1 }).await.unwrap();
        }
        kill(server).await;
        most = most.max(records(&store).await.len());
    }
    assert!(most <= RECORDS, "{most} records without a snapshot");
}

#[timed_test::test]
async fn a_snapshot_is_made_after_a_mebibyte() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let first = store.compactions();
    for _ in 0..3 {
        server.call(Large { bytes: 400_000 }).await.unwrap();
    }
    server.agent().await.unwrap();
    assert_eq!(store.compactions(), first + 1);
}

#[timed_test::test]
async fn instructions_count_towards_the_size_of_records_like_states() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let first = store.compactions();
    for _ in 0..3 {
        let text = "x".repeat(400_000);
        server.call(Remark { text }).await.unwrap();
    }
    server.agent().await.unwrap();
    assert_eq!(store.compactions(), first + 1);
}

/// A skill with a large state that is seldom changed.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "vault", actions(Deposit))]
pub struct Vault {
    content: String,
}

/// Store a text of `bytes` bytes.
#[action]
pub fn deposit(vault: &mut Vault, bytes: usize) {
    vault.content = "x".repeat(bytes);
}

agent! {
    /// Keeps a book and a vault.
    pub struct Bank {
        name: "bank",
        skills: [Book, Vault],
    }
}

#[timed_test::test]
async fn a_snapshot_is_made_when_the_records_weigh_as_much_as_the_last_one() {
    let store = FaultyStore::new(Memory::default());
    let bank = || AgentServer::builder(Bank::with_id("bank-1")).store(store.clone());
    let server = start(bank()).await;
    let call_until = async |server: &AgentServer<Bank>, compactions: usize| {
        let mut calls = 0;
        while store.compactions() < compactions {
            server.call(Large { bytes: 10_000 }).await.unwrap();
            calls += 1;
        }
        calls
    };
    let next = store.compactions() + 1;
    server.call(Deposit { bytes: 8 << 20 }).await.unwrap();
    call_until(&server, next).await;
    // The last snapshot has eight mebibytes, and a record 10,000 bytes.
    let calls = call_until(&server, next + 1).await;
    assert!((800..900).contains(&calls), "{calls}");
    kill(server).await;
    let server = start(bank()).await;
    let calls = call_until(&server, next + 2).await;
    assert!((800..900).contains(&calls), "{calls} after a restart");
}

#[timed_test::test]
async fn outputs_under_keys_bring_no_snapshot_forward() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone())).await;
    let first = store.compactions();
    for n in 0..8 {
        let text = "x".repeat(400_000);
        let echoed = server.call_with_key(n.to_string(), Repeat { bytes: 400_000 });
        assert_eq!(echoed.await.unwrap(), text);
    }
    server.agent().await.unwrap();
    assert_eq!(store.compactions(), first);
}
