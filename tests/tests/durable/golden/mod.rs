//! Stores written by an earlier build open with everything that was in them.
//!
//! `tests/golden` holds a redb file and the contents of a `Memory` store, which
//! `new_golden_stores_have_every_directive_and_record_kind` wrote, and `store.json`, which shows the records. The names that serde
//! writes into a store are a file format: a change that makes one of these tests fail loses data. A new format gets new files
//! next to the old ones, which are never written again.

mod any;
mod archive;

use super::manual_sink::ManualSink;
use super::{kill, start};
use archive::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use skill_agent::core::Directive;
use skill_agent::core::directive::Origin;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Commit, Log, Logged, Memory, Record, RecordKind, Redb, Snapshot, Store};
use skill_agent::store::{decode, encode};
use skill_agent::testing::ManualClock;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The agent's id in both stores.
const ID: &str = "archive-1";

fn golden(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(file)
}

fn archive_on(store: impl Store, clock: &ManualClock) -> AgentServerBuilder<Archive> {
    AgentServer::builder(Archive::with_id(ID))
        .store(store)
        .clock(clock.clone())
        .grace(Duration::ZERO)
}

fn remind(n: u64, seconds: u64, key: Option<&str>) -> Remind {
    let key = key.map(str::to_owned);
    Remind { n, seconds, key }
}

/// Everything in a log as JSON, with directives and states decoded.
async fn shown(log: &mut dyn Log) -> Value {
    fn tree<T: Serialize>(value: &T) -> Value {
        let mut tree = serde_json::to_value(value).unwrap();
        decode_bytes(&mut tree);
        tree
    }
    /// Replaces each array of bytes under a name that holds MessagePack by the value in it.
    fn decode_bytes(tree: &mut Value) {
        match tree {
            Value::Array(list) => list.iter_mut().for_each(decode_bytes),
            Value::Object(object) => {
                for (key, value) in object {
                    match (key.as_str(), value.as_array()) {
                        ("state" | "config" | "directive" | "answer", Some(list)) => {
                            let bytes: Vec<u8> = list
                                .iter()
                                .map(|byte| byte.as_u64().unwrap() as u8)
                                .collect();
                            if !bytes.is_empty() {
                                // JSON has no infinity, so the debug form of the self-describing value is kept
                                *value = json!(format!("{:?}", decode_any(&bytes)));
                            }
                        }
                        _ => decode_bytes(value),
                    }
                }
            }
            _ => {}
        }
    }
    let recovered = log.recover().await.unwrap();
    json!({ "snapshot": tree(&recovered.snapshot), "records": tree(&recovered.records) })
}

/// MessagePack without a type: maps keep their order, and numbers that JSON cannot hold stay.
fn decode_any(bytes: &[u8]) -> impl std::fmt::Debug {
    decode::<any::Any>(bytes).unwrap()
}

/// The records of the golden `Memory` store, laid into a new one.
async fn golden_memory() -> Memory {
    fn lines<T: DeserializeOwned>(text: &str, kind: &str) -> Vec<T> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        lines
            .map(|hex| decode(&bytes_of_hex(hex.trim())).unwrap())
            .collect()
    }
    let text = std::fs::read_to_string(golden("memory.hex")).unwrap();
    let memory = Memory::default();
    let mut log = memory.open(ID).unwrap();
    log.recover().await.unwrap();
    let snapshots: Vec<Snapshot> = lines(&text, "snapshot ");
    let records: Vec<Record> = lines(&text, "record ");
    log.compact(snapshots[0].clone(), Commit::default())
        .await
        .unwrap();
    let mut commit = Commit::new(records);
    for line in text.lines().filter_map(|line| line.strip_prefix("row ")) {
        let [table, key, value] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("a row has a table, a key and a value: {line}");
        };
        commit = commit.put(table.to_owned(), bytes_of_hex(key), bytes_of_hex(value));
    }
    log.commit(commit).await.unwrap();
    drop(log);
    memory
}

/// The side tables of a server.
const TABLES: [&str; 11] = [
    "instances",
    "call_keys",
    "held_keys",
    "turn_states",
    "turn_marks",
    "turn_changers",
    "group_heads",
    "group_rows",
    "signal_keys",
    "decisions",
    "approvals",
];

/// A copy of the golden redb file, and the folder that holds it.
fn golden_redb() -> (tempfile::TempDir, Redb) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    std::fs::copy(golden("store.redb"), &path).unwrap();
    let redb = Redb::open(path).unwrap();
    (folder, redb)
}

fn hex_of_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Every directive that a log holds.
async fn directives(log: &mut dyn Log) -> Vec<Logged> {
    let recovered = log.recover().await.unwrap();
    let pending = recovered
        .snapshot
        .map_or(Vec::new(), |snapshot| snapshot.pending);
    let recorded = recovered
        .records
        .into_iter()
        .flat_map(|record| record.directives);
    pending.into_iter().chain(recorded).collect()
}

#[timed_test::test]
async fn golden_stores_read_as_they_were_written() {
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(golden("store.json")).unwrap()).unwrap();
    let (_folder, redb) = golden_redb();
    assert_eq!(shown(&mut *redb.open(ID).unwrap()).await, expected["redb"]);
    assert_eq!(
        shown(&mut *golden_memory().await.open(ID).unwrap()).await,
        expected["memory"]
    );
}

#[timed_test::test]
async fn every_directive_and_record_kind_of_the_golden_stores_reads_and_writes_the_same() {
    let (_folder, redb) = golden_redb();
    let memory = golden_memory().await;
    assert_has_every_kind([redb.open(ID).unwrap(), memory.open(ID).unwrap()]).await;
}

/// Checks that the logs together have every kind of directive and record, and that each directive is encoded as it was.
async fn assert_has_every_kind(logs: [Box<dyn Log>; 2]) {
    let mut kinds = std::collections::BTreeSet::new();
    for mut log in logs {
        for logged in directives(&mut *log).await {
            let directive: Directive = decode(&logged.directive).unwrap();
            assert_eq!(encode(&directive).unwrap(), logged.directive);
            let tree = serde_json::to_value(&directive).unwrap();
            kinds.insert(tree["directive"].as_str().unwrap().to_owned());
        }
        for record in log.recover().await.unwrap().records {
            kinds.insert(format!("{:?}", record.kind));
        }
    }
    let expected = [
        "Command",
        "Handled",
        "Mark",
        "Mounted",
        "OnMount",
        "Set",
        "Unmounted",
        "cancel",
        "deregister_action",
        "emit",
        "error",
        "register_action",
        "reply",
        "run",
        "schedule",
        "spawn",
        "stop",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}

#[timed_test::test]
async fn the_golden_redb_file_serves_on() {
    let (_folder, redb) = golden_redb();
    serves_on(redb).await;
}

#[timed_test::test]
async fn the_golden_memory_store_serves_on() {
    serves_on(golden_memory().await).await;
}

/// State, pending directives, schedules, mounted skills and keys are those of `store.json`.
async fn serves_on(store: impl Store) {
    let clock = ManualClock::at(std::time::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let (world, listener) = ManualSink::new();
    let server = start(archive_on(store, &clock).signal_sink(world)).await;
    let recovery = server.recovery();
    assert!(
        recovery.is_restored && recovery.damage.is_none(),
        "{recovery:?}"
    );
    assert!(recovery.other_configuration.is_empty() && recovery.migrated.is_empty());
    assert_eq!(recovery.directives, 4, "{recovery:?}");

    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().visits, 7);
    let ledger = &agent.state().ledger;
    assert_eq!(ledger.entries, [1, 2, 3, 44, 5, 6]);
    assert_eq!(ledger.by_number[&1], f64::INFINITY);
    assert_eq!(ledger.heard, 3);
    let starts = ["Fresh", "Restored", "Restored"];
    assert_eq!(ledger.starts, starts);
    assert_eq!(agent.mounted().names().collect::<Vec<_>>(), ["lamp"]);
    assert_eq!(agent.mounted().state::<Lamp>().unwrap().times, 2);
    let shone = server.call_json("shine", "{}").await.unwrap();
    assert_eq!(shone, r#""red 3""#);

    // a key that was used is answered from the log
    assert_eq!(
        server.call_with_key("first", Enter { n: 1 }).await.unwrap(),
        1
    );
    assert_eq!(
        server
            .call_with_key("second", Enter { n: 5 })
            .await
            .unwrap(),
        5
    );

    // what was not delivered is offered again, in order
    for n in [2, 6] {
        let given = listener.next().await;
        assert_eq!(given.n(), &json!(n));
        given.take();
    }
    // and what was scheduled comes when it is due
    assert_eq!(server.stats().scheduled, 2);
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(3600));
    let entries = async |count: usize| loop {
        let entries = server.agent().await.unwrap().state().ledger.entries.clone();
        if entries.len() >= count {
            break entries;
        }
    };
    assert_eq!(entries(7).await[6..], [10]);
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(3600));
    assert_eq!(entries(8).await[6..], [10, 20]);
    server.stop().await.unwrap();
}

/// The stores that this build writes have every kind too. With `GOLDEN_STORES`, the path of a new folder, they are kept there,
/// for a later format; the ones in `tests/golden` are never written again.
#[timed_test::test]
async fn new_golden_stores_have_every_directive_and_record_kind() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = match std::env::var_os("GOLDEN_STORES").map(PathBuf::from) {
        Some(folder) => {
            std::fs::create_dir(&folder).expect("`GOLDEN_STORES` names a new folder");
            folder
        }
        None => temporary.path().to_owned(),
    };
    let redb = Redb::open(folder.join("store.redb")).unwrap();
    fill(redb.clone(), true).await;
    let memory = Memory::default();
    fill(memory.clone(), false).await;

    let (mut in_file, mut in_memory) = (redb.open(ID).unwrap(), memory.open(ID).unwrap());
    let recovered = in_memory.recover().await.unwrap();
    let snapshot = encode(recovered.snapshot.as_ref().unwrap()).unwrap();
    let mut text = format!("snapshot {}\n", hex_of_bytes(&snapshot));
    for record in &recovered.records {
        text += &format!("record {}\n", hex_of_bytes(&encode(record).unwrap()));
    }
    for table in TABLES {
        for (key, value) in in_memory.scan(table, &[], 100).await.unwrap() {
            let (key, value) = (hex_of_bytes(&key), hex_of_bytes(&value));
            text += &format!("row {table} {key} {value}\n");
        }
    }
    std::fs::write(folder.join("memory.hex"), text).unwrap();
    let all = json!({ "redb": shown(&mut *in_file).await, "memory": shown(&mut *in_memory).await });
    let all = serde_json::to_string_pretty(&all).unwrap() + "\n";
    std::fs::write(folder.join("store.json"), all).unwrap();
    assert_has_every_kind([in_file, in_memory]).await;
}

/// Leaves every kind of record and directive behind. `compact` lets a clean stop write a snapshot in between.
async fn fill(store: impl Store + Clone, compact: bool) {
    let clock = ManualClock::at(std::time::UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    let (world, listener) = ManualSink::new();
    let server = start(archive_on(store.clone(), &clock).signal_sink(world)).await;
    assert_eq!(
        server.call_with_key("first", Enter { n: 1 }).await.unwrap(),
        1
    );
    server.call(Publish { n: 2 }).await.unwrap();
    server.call(remind(10, 3600, Some("kept"))).await.unwrap();
    server
        .call(remind(99, 60, Some("cancelled")))
        .await
        .unwrap();
    let key = "cancelled".to_owned();
    server.call(Forget { key }).await.unwrap();
    server.set(json!({ "visits": 7 })).await.unwrap();
    server.call(Light {}).await.unwrap();
    server.call_json("shine", "{}").await.unwrap();
    server.call(Darken {}).await.unwrap();
    server
        .mount("lamp", json!({ "colour": "blue" }))
        .await
        .unwrap();
    server.unmount("lamp").await.unwrap();
    server
        .mount("lamp", json!({ "colour": "red" }))
        .await
        .unwrap();
    server.call_json("shine", "{}").await.unwrap();
    server.call(Misname {}).await.unwrap();
    server.call(Help { n: 1 }).await.unwrap();
    server
        .request(Signal::new("ledger.heard", json!({})))
        .await
        .unwrap();
    if compact {
        server.call(Halt {}).await.unwrap();
        server.closed().await;
    } else {
        kill(server).await;
    }
    drop(listener);

    let (world, _listener) = ManualSink::new();
    let server = start(archive_on(store.clone(), &clock).signal_sink(world)).await;
    server.call(Enter { n: 3 }).await.unwrap();
    server.call(Repeat { n: 44 }).await.unwrap();
    while server.agent().await.unwrap().state().ledger.entries.len() < 4 {}
    assert_eq!(
        server
            .call_with_key("second", Enter { n: 5 })
            .await
            .unwrap(),
        5
    );
    server
        .request(Signal::new("ledger.ask", json!({})))
        .await
        .unwrap();
    server.call_json("shine", "{}").await.unwrap();
    server.call(Publish { n: 6 }).await.unwrap();
    server.call(remind(20, 7200, None)).await.unwrap();
    kill(server).await;

    // a server leaves no trace of a stop behind, and writes marks by themselves when there are a thousand
    let mut log = store.open(ID).unwrap();
    let last = log.recover().await.unwrap().last_seq();
    let mut halt = Record::new(last + 1, RecordKind::Command, 1_800_000_000_000, "halt");
    let stop = Directive::stop("closing time", Origin::new("ledger"));
    halt.directives.push(Logged {
        n: 1_000,
        directive: encode(&stop).unwrap(),
        due: None,
        hops: 0,
        cause: None,
        turn: None,
    });
    let mut mark = Record::new(last + 2, RecordKind::Mark, 1_800_000_000_000, "");
    mark.done.push(1_000);
    log.commit(Commit::new([halt, mark])).await.unwrap();
}
