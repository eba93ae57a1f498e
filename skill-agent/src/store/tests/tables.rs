//! The side tables of a log.

use super::laws::{Engine, InMemory};
use super::*;
use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

fn rows(rows: &[(&str, &str)]) -> Vec<Row> {
    let row = |(key, value): &(&str, &str)| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
    rows.iter().map(row).collect()
}

const LOGS: [&str; 2] = ["a", "ab"];
const TABLES: [&str; 3] = ["t", "t\0", "table"];

type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

#[derive(Clone, Debug)]
enum Change {
    Put(usize, Vec<u8>, Vec<u8>),
    Delete(usize, Vec<u8>),
    DeleteRange(usize, Range),
}

/// What a step does with one of the logs.
#[derive(Clone, Debug)]
enum Step {
    Commit(Vec<Change>, usize),
    Compact(Vec<Change>, usize),
    /// A commit that must be refused, because a record is out of sequence.
    Refused(Vec<Change>),
    Reopen,
    Scan(usize, Vec<u8>, usize),
}

fn key() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(vec![0, 1, 0x7f, 0xff]), 0..3)
}

fn change() -> impl Strategy<Value = Change> {
    let bound = || {
        (0..3, key()).prop_map(|(kind, key)| match kind {
            0 => Bound::Included(key),
            1 => Bound::Excluded(key),
            _ => Bound::Unbounded,
        })
    };
    let table = 0..TABLES.len();
    let value = prop::collection::vec(any::<u8>(), 0..8);
    prop_oneof![
        4 => (table.clone(), key(), value).prop_map(|(table, key, value)| Change::Put(table, key, value)),
        1 => (table.clone(), key()).prop_map(|(table, key)| Change::Delete(table, key)),
        1 => (table, bound(), bound()).prop_map(|(table, from, to)| Change::DeleteRange(table, (from, to))),
    ]
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let changes = || prop::collection::vec(change(), 0..6);
    let step = prop_oneof![
        4 => (changes(), 0..3usize).prop_map(|(changes, records)| Step::Commit(changes, records)),
        1 => (changes(), 0..3usize).prop_map(|(changes, records)| Step::Compact(changes, records)),
        1 => changes().prop_map(Step::Refused),
        1 => Just(Step::Reopen),
        2 => (0..TABLES.len(), key(), 0..5usize).prop_map(|(table, from, limit)| Step::Scan(table, from, limit)),
    ];
    (0..LOGS.len(), step)
}

fn commit_of(records: Vec<Record>, changes: &[Change]) -> Commit {
    let commit = Commit::new(records);
    changes.iter().fold(commit, |commit, change| match change {
        Change::Put(table, key, value) => commit.put(TABLES[*table], &**key, &**value),
        Change::Delete(table, key) => commit.delete(TABLES[*table], &**key),
        Change::DeleteRange(table, range) => commit.delete_range(TABLES[*table], range.clone()),
    })
}

/// What the tables of a log must have.
#[derive(Default)]
struct Model {
    last: u64,
    tables: [BTreeMap<Vec<u8>, Vec<u8>>; TABLES.len()],
}

impl Model {
    fn change(&mut self, change: &Change) {
        match change {
            Change::Put(table, key, value) => {
                self.tables[*table].insert(key.clone(), value.clone());
            }
            Change::Delete(table, key) => drop(self.tables[*table].remove(key)),
            Change::DeleteRange(table, range) => {
                self.tables[*table].retain(|key, _| !range.contains(key));
            }
        }
    }

    /// The records of the next commit.
    fn next(&mut self, count: usize) -> Vec<Record> {
        let records = plain(self.last, count);
        self.last += count as u64;
        records
    }

    fn scan(&self, table: usize, from: &[u8], limit: usize) -> Vec<Row> {
        let rows = self.tables[table].iter().filter(|(key, _)| ***key >= *from);
        rows.take(limit)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    fn check(&self, log: &mut TestLog) {
        for (table, name) in TABLES.into_iter().enumerate() {
            assert_eq!(log.rows(name), self.scan(table, b"", usize::MAX));
            for key in [&b""[..], &[0], &[1, 0xff]] {
                let expected = self.tables[table].get(key);
                assert_eq!(log.read(name, key).unwrap().as_ref(), expected);
            }
        }
    }
}

fn tables_have_what_was_committed<E: Engine>(steps: &[(usize, Step)]) {
    let engine = E::new();
    let mut logs = LOGS.map(|id| Some(opened(&*engine.store(), id).0));
    let mut models = LOGS.map(|_| Model::default());
    for (at, step) in steps {
        let (slot, model) = (&mut logs[*at], &mut models[*at]);
        let log = slot.as_mut().unwrap();
        match step {
            Step::Commit(changes, count) => {
                log.commit(commit_of(model.next(*count), changes)).unwrap();
                changes.iter().for_each(|change| model.change(change));
            }
            Step::Compact(changes, count) => {
                let commit = commit_of(model.next(*count), changes);
                wait(log.0.compact(snapshot(model.last), commit)).unwrap();
                changes.iter().for_each(|change| model.change(change));
            }
            Step::Refused(changes) => {
                let error = log.commit(commit_of(plain(model.last + 1, 1), changes));
                assert!(matches!(error, Err(StoreError::Refused { .. })));
            }
            Step::Reopen => {
                *slot = None;
                let (log, found) = opened(&*engine.store(), LOGS[*at]);
                assert_eq!((found.last_seq(), found.damage), (model.last, None));
                *slot = Some(log);
            }
            Step::Scan(table, from, limit) => {
                let found = log.scan(TABLES[*table], from, *limit).unwrap();
                assert_eq!(found, model.scan(*table, from, *limit));
            }
        }
        for (log, model) in logs.iter_mut().zip(&models) {
            model.check(log.as_mut().unwrap());
        }
    }
}

/// Names and keys of the largest size are taken; larger ones are refused, with all of their commit.
fn larger_names_keys_and_values_are_refused<E: Engine>() {
    let engine = E::new();
    let (mut log, _) = opened(&*engine.store(), "a");
    let (name, key) = ("n".repeat(64), vec![b'k'; 4096]);
    log.commit(Commit::default().put(name.clone(), &*key, "v"))
        .unwrap();
    let (long, long_key) = ("n".repeat(65), vec![b'k'; 4097]);
    let next = || Commit::new(plain(0, 1)).put("t", "k", "v");
    let name_error = "the name of a table has 65 bytes, and must have 1 to 64";
    let key_error = "a key of table `t` has 4097 bytes, more than the limit of 4096";
    for (commit, text) in [
        (next().put(long.clone(), "k", "v"), name_error),
        (next().delete("", "k"), "the name of a table has 0 bytes"),
        (next().delete_range(long.clone(), ..), name_error),
        (next().put("t", &*long_key, "v"), key_error),
        (next().delete("t", &*long_key), key_error),
        (next().delete_range("t", long_key.clone()..), key_error),
        (
            next().put("t", "k", vec![0; (64 << 20) + 1]),
            "a value of table `t` has 67108865 bytes, more than the limit of 67108864",
        ),
    ] {
        assert_refused(log.commit(commit.clone()), text);
        assert_refused(wait(log.0.compact(snapshot(1), commit)), text);
    }
    assert_refused(log.read(&long, b"k"), name_error);
    assert_refused(log.scan("t", &[&*long_key, b"k"].concat(), 1), "4098 bytes");
    // The range of one key, the largest.
    let only = key.clone()..=key.clone();
    log.commit(Commit::default().delete_range(name.clone(), only))
        .unwrap();
    drop(log);
    let (mut log, found) = opened(&*engine.store(), "a");
    assert_eq!((found, log.rows("t")), (Recovered::default(), vec![]));
    assert_eq!(log.read(&name, &key).unwrap(), None);
}

fn tables_are_read_after_recovery_only<E: Engine>() {
    let engine = E::new();
    let mut log = open(&*engine.store(), "a");
    let text = "the log has not been recovered yet";
    assert_refused(log.read("t", b"k"), text);
    assert_refused(log.scan("t", b"", 1), text);
    assert_refused(log.commit(Commit::default().put("t", "k", "v")), text);
    log.recover().unwrap();
    assert_eq!(log.rows("t"), []);
}

fn assert_refused<T: std::fmt::Debug>(result: Result<T, StoreError>, text: &str) {
    match result {
        Err(StoreError::Refused { source, .. }) => {
            let cause = source.to_string();
            assert!(cause.contains(text), "{cause}");
        }
        other => panic!("{text}: {other:?}"),
    }
}

macro_rules! test_engine {
    ($name:ident, $engine:ty, $cases:literal) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases($cases))]

                #[test]
                fn tables_have_what_was_committed(steps in prop::collection::vec(step(), 1..25)) {
                    super::tables_have_what_was_committed::<$engine>(&steps);
                }
            }

            #[test]
            fn larger_names_keys_and_values_are_refused() {
                super::larger_names_keys_and_values_are_refused::<$engine>();
            }

            #[test]
            fn tables_are_read_after_recovery_only() {
                super::tables_are_read_after_recovery_only::<$engine>();
            }
        }
    };
}

test_engine!(in_memory, InMemory, 256);
#[cfg(feature = "redb")]
test_engine!(in_file, super::super::laws::InFile, 32);

#[test]
fn a_commit_without_records_is_not_empty_if_it_changes_tables() {
    assert!(!Commit::default().put("t", "k", "v").is_empty());
    assert!(!Commit::default().delete("t", "k").is_empty());
    assert!(!Commit::default().delete_range("t", ..).is_empty());
    let (k, l) = (|| b"k".to_vec(), || b"l".to_vec());
    assert!(Commit::default().delete_range("t", k()..k()).is_empty());
    assert!(Commit::default().delete_range("t", l()..k()).is_empty());
    assert!(!Commit::default().delete_range("t", k()..=k()).is_empty());
}

#[test]
fn a_value_may_be_as_large_as_a_record() {
    let (mut log, _) = opened(&Memory::default(), "a");
    let value = vec![7; 64 << 20];
    log.commit(Commit::default().put("t", "k", &*value))
        .unwrap();
    assert!(log.read("t", b"k").unwrap() == Some(value));
}

#[test]
fn a_changed_copy_of_a_commit_leaves_the_other_as_it_was() {
    let one = Commit::default().put("t", "k", "v");
    let two = one.clone().delete("t", "k");
    assert_eq!((one.changes().len(), two.changes().len()), (1, 2));
}

#[test]
fn tables_outlive_a_torn_end_of_the_records() {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    log.commit(Commit::new(plain(0, 2)).put("t", "k", "v"))
        .unwrap();
    drop(log);
    store.tear("a", 3);
    let (mut log, found) = opened(&store, "a");
    assert_eq!(found.damage.unwrap().at_seq, 2);
    assert_eq!(log.rows("t"), rows(&[("k", "v")]));
}

/// A damaged row is an error when it is read, and nothing else is.
#[test]
fn a_damaged_row_is_reported_and_can_be_replaced() {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    let commit = Commit::default().put("t", "j", "v").put("t", "k", "value");
    log.commit(commit).unwrap();
    let whole = store.tamper("a", |bytes| bytes.tables["t"][&b"k"[..]].clone());
    let mut damaged: Vec<Vec<u8>> = (0..whole.len()).map(|len| whole[..len].to_vec()).collect();
    damaged.push(store.tamper("a", |bytes| bytes.tables["t"][&b"j"[..]].clone()));
    damaged.extend((0..whole.len() * 8).map(|bit| {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    }));
    for row in damaged {
        store.tamper("a", |bytes| {
            *bytes.tables.get_mut("t").unwrap() = [(b"k".to_vec(), row)].into();
        });
        for error in [
            log.read("t", b"k").unwrap_err(),
            log.scan("t", b"", 9).unwrap_err(),
        ] {
            assert_eq!(
                error.to_string(),
                "`memory` is damaged: the log of `a`: a row of its table `t` has a wrong checksum"
            );
        }
        assert_eq!(log.read("t", b"l").unwrap(), None);
    }
    log.commit(Commit::default().put("t", "k", "new")).unwrap();
    assert_eq!(log.rows("t"), rows(&[("k", "new")]));
}

/// What a commit has when it went wrong in each way, and what a failed read leaves.
#[test]
fn tables_share_the_faults_of_their_log() {
    use crate::testing::{Fault, FaultyStore};
    for (fault, is_written) in [
        (Fault::Refuse, false),
        (Fault::FailBefore, false),
        (Fault::FailAfter, true),
    ] {
        let store = FaultyStore::new(Memory::default());
        let (mut log, _) = opened(&store, "a");
        store.on_commit(0, fault);
        log.commit(Commit::new(plain(0, 1)).put("t", "k", "v"))
            .unwrap_err();
        store.on_read(1, Fault::Refuse);
        let is_usable = log.read("t", b"k").is_ok();
        assert_eq!(is_usable, fault == Fault::Refuse);
        assert_refused_or_failed(log.scan("t", b"", 1), is_usable);
        assert_eq!((store.reads(), log.read("t", b"k").is_ok()), (2, is_usable));
        drop(log);
        let (mut log, found) = opened(&store, "a");
        assert_eq!(found.records.len(), usize::from(is_written));
        assert_eq!(log.rows("t").len(), usize::from(is_written));
        store.on_read(0, Fault::FailAfter);
        assert_refused_or_failed(log.read("t", b"k"), false);
        assert_refused_or_failed(log.read("t", b"k"), false);
    }
}

fn assert_refused_or_failed<T: std::fmt::Debug>(result: Result<T, StoreError>, is_refused: bool) {
    match (result.unwrap_err(), is_refused) {
        (StoreError::Refused { .. }, true) | (StoreError::Failed { .. }, false) => {}
        (error, _) => panic!("{error}"),
    }
}
