//! Properties that every engine must have.

use super::*;
use crate::bytes::frame::PayloadKind;
use crate::conformance::Medium;

/// An engine under test, which can reopen its store as after a restart.
trait Engine: Medium {
    fn new() -> Self;

    fn store(&self) -> Box<dyn Store> {
        self.open().unwrap()
    }
}

struct InMemory(Memory);

impl Engine for InMemory {
    fn new() -> Self {
        Self(Memory::default())
    }
}

impl Medium for InMemory {
    fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(self.0.clone()))
    }
}

#[cfg(feature = "redb")]
struct InFile(tempfile::TempDir);

#[cfg(feature = "redb")]
impl Engine for InFile {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

#[cfg(feature = "redb")]
impl Medium for InFile {
    fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        let store = Redb::open(self.0.path().join("agents.redb"))?;
        Ok(Box::new(store))
    }
}

/// Splits the records into groups of these sizes. The last group has the rest.
fn groups<'a>(records: &'a [Record], sizes: &[usize]) -> Vec<&'a [Record]> {
    let mut rest = records;
    let mut groups = Vec::new();
    for size in sizes {
        let (group, after) = rest.split_at((*size).min(rest.len()));
        groups.push(group);
        rest = after;
    }
    groups.push(rest);
    groups
}

fn appended_records_are_recovered_in_order<E: Engine>(records: &[Record], sizes: &[usize]) {
    let engine = E::new();
    let (mut log, found) = opened(&*engine.store(), "a");
    assert_eq!(found, Recovered::default());
    let (mut other, _) = opened(&*engine.store(), "ab");
    for group in groups(records, sizes) {
        log.append(group).unwrap();
    }
    other.append(&plain(0, 2)).unwrap();
    drop((log, other));
    let found = recovered(&*engine.store(), "a");
    assert_eq!(
        (&*found.records, found.snapshot, found.damage),
        (records, None, None)
    );
    assert_eq!(recovered(&*engine.store(), "ab").records, plain(0, 2));
}

fn a_compacted_log_has_the_snapshot_and_the_records_after_it<E: Engine>(
    records: &[Record],
    at: usize,
) {
    let engine = E::new();
    let (mut log, _) = opened(&*engine.store(), "a");
    let (mut other, _) = opened(&*engine.store(), "b");
    log.append(records).unwrap();
    other.append(&plain(0, 3)).unwrap();
    log.compact(&snapshot(at as u64)).unwrap();
    log.append(&plain(records.len() as u64, 1)).unwrap();
    drop((log, other));
    let (mut log, found) = opened(&*engine.store(), "a");
    assert_eq!(found.snapshot, Some(snapshot(at as u64)));
    assert_eq!(found.records[..records.len() - at], records[at..]);
    let last = records.len() as u64 + 1;
    assert_eq!((found.last_seq(), found.damage), (last, None));
    log.compact(&snapshot(last)).unwrap();
    drop(log);
    let found = recovered(&*engine.store(), "a");
    assert_eq!(
        (found.snapshot, &*found.records),
        (Some(snapshot(last)), &[][..])
    );
    assert_eq!(recovered(&*engine.store(), "b").records, plain(0, 3));
}

/// A compaction with a commit leaves the same log as the commit followed by the compaction.
fn a_compaction_appends_its_commit<E: Engine>(records: &[Record], split: usize, at: usize) {
    let engine = E::new();
    let (mut log, _) = opened(&*engine.store(), "a");
    log.append(&records[..split]).unwrap();
    log.append_and_compact(&records[split..], &snapshot(at as u64))
        .unwrap();
    let next = plain(records.len() as u64, 1);
    log.append(&next).unwrap();
    drop(log);
    let found = recovered(&*engine.store(), "a");
    assert_eq!(
        (found.snapshot, found.damage),
        (Some(snapshot(at as u64)), None)
    );
    assert_eq!(found.records, [&records[at..], &next].concat());
}

/// Runs the suite, and some histories with their own seeds.
fn it_conforms<E: Engine>(histories: u64) {
    wait(conformance::run(E::new)).unwrap();
    for seed in 2..2 + histories {
        wait(conformance::history(&E::new(), seed)).unwrap();
    }
}

/// Refused appends and snapshots change nothing, and the log stays usable.
fn a_refused_write_changes_nothing<E: Engine>() {
    let engine = E::new();
    let store = engine.store();
    let mut log = open(&*store, "a");
    let refused = |result: Result<(), StoreError>, text: &str| match result {
        Err(StoreError::Refused { source, .. }) => {
            let cause = source.to_string();
            assert!(cause.contains(text), "{cause}");
        }
        other => panic!("{text}: {other:?}"),
    };
    refused(log.append(&plain(0, 1)), "not been recovered");
    log.recover().unwrap();
    refused(
        log.append(&plain(1, 1)),
        "number 2 is out of sequence: the last record is 0, so a record must be 1 and a snapshot at most 0",
    );
    log.append(&plain(0, 2)).unwrap();
    let mut gap = plain(2, 3);
    gap.remove(1);
    refused(
        log.append(&gap),
        "number 5 is out of sequence: the last record is 3, so a record must be 4 and a snapshot at most 3",
    );
    let mut large = plain(2, 2);
    large[1].states[0].state = vec![0; PayloadKind::Record.limit()];
    refused(log.append(&large), "bytes, more than the limit of 67108864");
    let mut deep = plain(2, 1);
    deep[0].instructions = vec![Instruction::new(
        "a",
        (0..600).fold(json!(1), |nested, _| json!([nested])),
    )];
    refused(log.append(&deep), "number 3 cannot be encoded");
    refused(log.compact(&snapshot(3)), "number 3 is out of sequence");
    refused(
        log.append_and_compact(&plain(2, 1), &snapshot(4)),
        "number 4 is out of sequence: the last record is 3",
    );
    log.compact(&snapshot(1)).unwrap();
    refused(log.compact(&snapshot(0)), "number 0 is out of sequence");
    log.append(&[]).unwrap();
    log.append(&plain(2, 1)).unwrap();
    drop(log);
    let found = recovered(&*store, "a");
    assert_eq!((found.snapshot, found.damage), (Some(snapshot(1)), None));
    assert_eq!(
        found.records,
        [plain(0, 2).remove(1), plain(2, 1).remove(0)]
    );
}

macro_rules! test_engine {
    ($name:ident, $engine:ty, $cases:literal) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases($cases))]

                #[test]
                fn appended_records_are_recovered_in_order(
                    records in records(0..12),
                    sizes in prop::collection::vec(0..4usize, 0..4),
                ) {
                    super::appended_records_are_recovered_in_order::<$engine>(&records, &sizes);
                }

                #[test]
                fn a_compacted_log_has_the_snapshot_and_the_records_after_it(
                    records in records(1..8),
                    at in any::<prop::sample::Index>(),
                ) {
                    let at = at.index(records.len() + 1);
                    super::a_compacted_log_has_the_snapshot_and_the_records_after_it::<$engine>(&records, at);
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases($cases))]

                #[test]
                fn a_compaction_appends_its_commit(
                    records in records(1..8),
                    split in any::<prop::sample::Index>(),
                    at in any::<prop::sample::Index>(),
                ) {
                    let (split, at) = (split.index(records.len() + 1), at.index(records.len() + 1));
                    super::a_compaction_appends_its_commit::<$engine>(&records, split, at);
                }
            }

            #[test]
            fn it_conforms() {
                super::it_conforms::<$engine>($cases / 4);
            }

            #[test]
            fn a_refused_write_changes_nothing() {
                super::a_refused_write_changes_nothing::<$engine>();
            }
        }
    };
}

test_engine!(in_memory, InMemory, 64);
#[cfg(feature = "redb")]
test_engine!(in_file, InFile, 8);
