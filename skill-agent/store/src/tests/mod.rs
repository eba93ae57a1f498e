//! Properties of logs, and recovery after damage. The laws for all stores are in `conformance`.

mod blocking;
mod broken;
#[cfg(feature = "redb")]
mod damage;
mod encoding;
mod frames;
mod laws;
#[cfg(feature = "redb")]
mod redb;
mod tables;

use super::conformance::fixtures::{plain, rows, snapshot};
use super::*;
use proptest::prelude::*;
use serde_json::json;
use skill_core::Instruction;

/// Numbers the records consecutively after `last`.
fn numbered(last: u64, mut records: Vec<Record>) -> Vec<Record> {
    for (seq, record) in (last + 1..).zip(&mut records) {
        record.seq = seq;
    }
    records
}

/// Generates records with all fields set, numbered from 1.
fn records(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(record(), count).prop_map(|records| numbered(0, records))
}

fn record() -> impl Strategy<Value = Record> {
    let kind = prop::sample::select(vec![
        RecordKind::Command,
        RecordKind::Handled,
        RecordKind::OnMount,
        RecordKind::Set,
        RecordKind::Mounted,
        RecordKind::Unmounted,
        RecordKind::Approval,
        RecordKind::Mark,
    ]);
    let instruction = (any::<String>(), any::<i64>(), any::<String>())
        .prop_map(|(action, a, b)| Instruction::new(action, json!({ "a": a, "b": [b, null] })));
    let changed =
        (any::<String>(), any::<Vec<u8>>()).prop_map(|(key, state)| ChangedSkill { key, state });
    let logged = (
        any::<u64>(),
        any::<Vec<u8>>(),
        any::<Option<u64>>(),
        any::<u32>(),
        any::<Option<(u64, u64)>>(),
    )
        .prop_map(|(n, directive, due, hops, cause)| Logged {
            n,
            directive,
            due,
            hops,
            cause: cause.map(|(id, follow_ups)| LoggedCause { id, follow_ups }),
            turn: cause.map(|(id, _)| format!("ann/#{id}")),
        });
    (
        (kind, any::<u64>(), any::<String>(), any::<u32>()),
        prop::collection::vec(instruction, 0..3),
        prop::collection::vec(changed, 0..3),
        prop::collection::vec(logged, 0..3),
        prop::collection::vec(any::<u64>(), 0..3),
    )
        .prop_map(|(head, instructions, states, directives, done)| {
            let mut record = Record::new(0, head.0, head.1, head.2);
            record.hops = head.3;
            record.instructions = instructions;
            record.states = states;
            record.directives = directives;
            record.done = done;
            record
        })
}

/// A log whose methods block.
struct TestLog(Box<dyn Log>);

thread_local! {
    static RUNTIME: tokio::runtime::Runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.with(|runtime| runtime.block_on(future))
}

impl TestLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        wait(self.0.recover())
    }

    fn commit(&mut self, commit: Commit) -> Result<(), StoreError> {
        wait(self.0.commit(commit))
    }

    fn read(&mut self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        wait(self.0.read(table, key))
    }

    fn scan(&mut self, table: &str, from: &[u8], limit: usize) -> Result<Vec<Row>, StoreError> {
        wait(self.0.scan(table, from, limit))
    }

    fn rows(&mut self, table: &str) -> Vec<Row> {
        self.scan(table, b"", usize::MAX).unwrap()
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        self.commit(Commit::new(records))
    }

    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.append_and_compact(&[], snapshot)
    }

    fn append_and_compact(
        &mut self,
        records: &[Record],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        wait(self.0.compact(snapshot.clone(), Commit::new(records)))
    }
}

fn open(store: &dyn Store, id: &str) -> TestLog {
    TestLog(store.open(id).unwrap())
}

/// Opens a log and recovers it.
fn opened(store: &dyn Store, id: &str) -> (TestLog, Recovered) {
    let mut log = open(store, id);
    let recovered = log.recover().unwrap();
    (log, recovered)
}

/// Recovers a log that is not open.
fn recovered(store: &dyn Store, id: &str) -> Recovered {
    opened(store, id).1
}
