//! The store keeps the laws, and serves an agent.

use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::store::{Commit, Record, RecordKind, Store, StoreError, conformance};
use sqlite_store::SqliteStore;
use std::path::PathBuf;
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.sqlite");
    (folder, path)
}

#[tokio::test]
async fn it_conforms() {
    let new_medium = || {
        let (folder, path) = folder();
        move || {
            let _kept = &folder;
            SqliteStore::open(&path)
        }
    };
    conformance::run(new_medium).await.unwrap();
}

#[test]
fn a_file_is_open_once() {
    let (_folder, path) = folder();
    let store = SqliteStore::open(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    drop(store);
    SqliteStore::open(&path).unwrap();
}

#[tokio::test]
async fn damage_is_found() {
    let (_folder, path) = folder();
    let records = |numbers: std::ops::RangeInclusive<u64>| {
        let record = |seq| Record::new(seq, RecordKind::Command, 0, "c");
        numbers.map(record).collect::<Vec<_>>()
    };
    let store = SqliteStore::open(&path).unwrap();
    let mut log = store.open("a").unwrap();
    log.recover().await.unwrap();
    let commit = Commit::new(records(1..=4)).put("t", "k", "v");
    log.commit(commit).await.unwrap();
    drop((log, store));
    let file = Connection::open(&path).unwrap();
    let damage =
        "UPDATE records SET frame = x'00' WHERE seq = 3; UPDATE side_rows SET row = x'00';";
    file.execute_batch(damage).unwrap();
    drop(file);
    let store = SqliteStore::open(&path).unwrap();
    let mut log = store.open("a").unwrap();
    let found = log.recover().await.unwrap();
    assert_eq!(found.records, records(1..=2));
    assert_eq!(found.damage.unwrap().dropped_records, Some(2));
    let error = log.read("t", b"k").await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    log.commit(Commit::new(records(3..=3))).await.unwrap();
    drop(log);
    let found = store.open("a").unwrap().recover().await.unwrap();
    assert_eq!(found.records, records(1..=3));
}

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
pub struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
pub fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

#[tokio::test]
async fn a_served_agent_outlives_its_server() {
    let (_folder, path) = folder();
    for round in 1..=3 {
        let store = SqliteStore::open(&path).unwrap();
        let builder = AgentServer::builder(Clerk::with_id("clerk-1"));
        let server = builder.store(store).start().await.unwrap();
        assert_eq!(server.call(Increment { by: 2 }).await.unwrap(), 2 * round);
        server.kill();
        server.closed().await;
    }
}
