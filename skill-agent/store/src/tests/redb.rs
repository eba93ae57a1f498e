//! Files that are reopened, in use by other processes, or changed by other programs.

use super::*;
use ::redb::{Database, ReadableDatabase, TableDefinition, TableHandle};
use std::path::PathBuf;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    (folder, path)
}

#[test]
fn a_file_can_be_opened_again_while_an_old_handle_exists() {
    let (_folder, path) = folder();
    let old = Redb::open(&path).unwrap();
    let (mut log, _) = opened(&old, "a");
    log.append(&plain(0, 1)).unwrap();
    let new = Redb::open(&path).unwrap();
    assert!(matches!(
        new.open("a").map(drop),
        Err(StoreError::Owned { .. })
    ));
    drop(log);
    assert_eq!(recovered(&new, "a").records, plain(0, 1));
    drop(old);
    assert_eq!(recovered(&new.clone(), "a").records, plain(0, 1));
}

#[test]
fn threads_that_open_and_close_one_file_never_see_it_half_closed() {
    let (_folder, path) = folder();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for count in 0..10 {
                    let store = Redb::open(path).unwrap();
                    let (mut log, found) = opened(&store, &format!("agent-{thread}"));
                    assert_eq!(found.last_seq(), count);
                    log.append(&plain(count, 1)).unwrap();
                }
            });
        }
    });
}

#[test]
#[cfg(unix)]
fn a_deleted_and_recreated_file_is_a_different_file() {
    let (_folder, path) = folder();
    let old = Redb::open(&path).unwrap();
    opened(&old, "a").0.append(&plain(0, 1)).unwrap();
    std::fs::remove_file(&path).unwrap();
    let new = Redb::open(&path).unwrap();
    assert_eq!(recovered(&new, "a"), Recovered::default());
}

#[test]
fn a_file_opened_by_another_program_is_in_use() {
    let (_folder, path) = folder();
    let theirs = Database::create(&path).unwrap();
    let error = Redb::open(&path).unwrap_err();
    assert!(
        matches!(&error, StoreError::InUse { path: named, .. } if *named == path),
        "{error}"
    );
    drop(theirs);
    Redb::open(&path).unwrap();
}

#[test]
fn a_file_of_another_program_or_a_newer_build_is_refused() {
    let (_folder, path) = folder();
    let theirs = Database::create(&path).unwrap();
    let change = theirs.begin_write().unwrap();
    change
        .open_table(TableDefinition::<u8, u8>::new("theirs"))
        .unwrap();
    change.commit().unwrap();
    drop(theirs);
    let error = Redb::open(&path).unwrap_err();
    assert!(
        error.to_string().contains("another program created it"),
        "{error}"
    );

    let (_folder, path) = folder();
    drop(Redb::open(&path).unwrap());
    let ours = Database::create(&path).unwrap();
    let change = ours.begin_write().unwrap();
    let metadata = TableDefinition::<&str, u64>::new("facts");
    change
        .open_table(metadata)
        .unwrap()
        .insert("format", 2)
        .unwrap();
    change.commit().unwrap();
    drop(ours);
    let error = Redb::open(&path).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Format {
                found: 2,
                known: 1,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn an_error_for_an_impossible_path_names_it() {
    let (folder, _) = folder();
    for path in [
        folder.path().join("none/agents.redb"),
        folder.path().to_owned(),
    ] {
        let error = Redb::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Open { .. }), "{error}");
        assert!(
            error.to_string().contains(path.to_str().unwrap()),
            "{error}"
        );
    }
}

#[test]
fn a_record_changed_in_the_file_is_cut_off_with_all_records_after_it() {
    let (_folder, path) = folder();
    let store = Redb::open(&path).unwrap();
    opened(&store, "a").0.append(&plain(0, 4)).unwrap();
    drop(store);
    let ours = Database::create(&path).unwrap();
    let change = ours.begin_write().unwrap();
    let records = TableDefinition::<(&str, u64), &[u8]>::new("records");
    change
        .open_table(records)
        .unwrap()
        .insert(("a", 3), &b"torn"[..])
        .unwrap();
    change.commit().unwrap();
    drop(ours);
    let store = Redb::open(&path).unwrap();
    let (mut log, found) = opened(&store, "a");
    assert_eq!(found.records, plain(0, 2));
    let damage = found.damage.unwrap();
    assert_eq!((damage.at_seq, damage.dropped_records), (3, Some(2)));
    let text = damage.to_string();
    assert!(
        text.contains("before record 3, which has 4 bytes instead of 20: 2 records ("),
        "{text}"
    );
    log.append(&plain(2, 1)).unwrap();
    drop(log);
    assert_eq!(
        recovered(&store, "a").records,
        [plain(0, 2), plain(2, 1)].concat()
    );
}

#[test]
fn a_file_of_an_earlier_build_gets_tables_when_it_is_written() {
    let (_folder, path) = folder();
    opened(&Redb::open(&path).unwrap(), "a")
        .0
        .append(&plain(0, 1))
        .unwrap();
    let names = || {
        let file = Database::open(&path).unwrap();
        let read = file.begin_read().unwrap();
        let tables = read.list_tables().unwrap();
        let mut names: Vec<_> = tables.map(|table| table.name().to_owned()).collect();
        names.sort();
        names
    };
    // Earlier builds write this too.
    assert_eq!(names(), ["facts", "records", "snapshots"]);
    let store = Redb::open(&path).unwrap();
    let (mut log, _) = opened(&store, "a");
    assert_eq!(log.read("t", b"k").unwrap(), None);
    assert_eq!(log.scan("t", b"", 9).unwrap(), []);
    log.commit(Commit::default().delete("t", "k").put("t", "l", "v"))
        .unwrap();
    assert_eq!(log.read("t", b"l").unwrap().unwrap(), b"v");
    drop((log, store));
    assert_eq!(names(), ["facts", "records", "rows", "snapshots"]);
}

#[test]
fn a_row_changed_in_the_file_is_an_error_when_it_is_read() {
    let (_folder, path) = folder();
    let commit = Commit::new(plain(0, 1))
        .put("t", "k", "v")
        .put("t", "l", "w");
    opened(&Redb::open(&path).unwrap(), "a")
        .0
        .commit(commit)
        .unwrap();
    let ours = Database::create(&path).unwrap();
    let change = ours.begin_write().unwrap();
    let rows = TableDefinition::<(&str, &str, &[u8]), &[u8]>::new("rows");
    change
        .open_table(rows)
        .unwrap()
        .insert(("a", "t", &b"k"[..]), &b"torn"[..])
        .unwrap();
    change.commit().unwrap();
    drop(ours);
    let store = Redb::open(&path).unwrap();
    let (mut log, found) = opened(&store, "a");
    assert_eq!(found.records, plain(0, 1));
    for error in [
        log.read("t", b"k").unwrap_err(),
        log.scan("t", b"", 9).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(
            text.ends_with("a row of its table `t` has a wrong checksum"),
            "{text}"
        );
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
    assert_eq!(log.read("t", b"l").unwrap().unwrap(), b"w");
    log.commit(Commit::default().delete("t", "k")).unwrap();
    assert_eq!(log.scan("t", b"", 9).unwrap().len(), 1);
}

const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

#[test]
fn a_write_whose_log_is_dropped_ends_before_the_log_is_opened_again() {
    let (_folder, path) = folder();
    let store = Redb::open(&path).unwrap();
    for count in 0..50 {
        let began = std::time::Instant::now();
        let mut log = loop {
            match store.open("a") {
                Ok(log) => break log,
                // the write is still running
                Err(StoreError::Owned { .. }) if began.elapsed() > LIMIT => {
                    panic!("the id is never free")
                }
                Err(StoreError::Owned { .. }) => std::thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        };
        wait(async {
            let found = log.recover().await.unwrap();
            assert_eq!(found.last_seq(), count);
            let mut commit = log.commit(Commit::new(plain(count, 1)));
            let mut polled = std::task::Context::from_waker(std::task::Waker::noop());
            let _ = commit.as_mut().poll(&mut polled);
        });
    }
}

#[test]
fn a_write_whose_future_is_dropped_comes_before_the_next_one() {
    let (_folder, path) = folder();
    let store = Redb::open(&path).unwrap();
    wait(async {
        let mut log = store.open("a").unwrap();
        log.recover().await.unwrap();
        for count in 0..50 {
            let row = Commit::new(plain(2 * count, 1)).put("t", "k", count.to_string());
            let mut dropped = log.commit(row);
            let mut polled = std::task::Context::from_waker(std::task::Waker::noop());
            let _ = dropped.as_mut().poll(&mut polled);
            drop(dropped);
            let read = log.read("t", b"k").await.unwrap();
            assert_eq!(read, Some(count.to_string().into_bytes()));
            let next = Commit::new(plain(2 * count + 1, 1));
            log.commit(next).await.unwrap();
        }
    });
    assert_eq!(recovered(&store, "a").last_seq(), 100);
}

#[test]
fn many_logs_of_one_file_write_at_once() {
    let (_folder, path) = folder();
    let store = Redb::open(&path).unwrap();
    std::thread::scope(|scope| {
        for log in 0..16 {
            let store = &store;
            scope.spawn(move || {
                let (mut log, _) = opened(store, &format!("agent-{log}"));
                for count in 0..20 {
                    log.append(&plain(count, 1)).unwrap();
                }
            });
        }
    });
    drop(store);
    let store = Redb::open(&path).unwrap();
    for log in 0..16 {
        assert_eq!(recovered(&store, &format!("agent-{log}")).last_seq(), 20);
    }
}
