//! A file with changed bytes.

use super::*;
use std::path::Path;

/// The undamaged logs of the file: id, first record and last record. Earlier records are in a snapshot.
const LOGS: [(&str, u64, u64); 3] = [("a", 1, 9), ("b", 4, 6), ("c", 1, 1)];

fn write_logs(path: &Path) -> Redb {
    let store = Redb::open(path).unwrap();
    for (id, first, last) in LOGS {
        let (mut log, _) = opened(&store, id);
        for seq in 0..last {
            log.append(&plain(seq, 1)).unwrap();
        }
        if first > 1 {
            log.compact(&snapshot(first - 1)).unwrap();
        }
    }
    store
}

/// Opens a damaged file. Every recovery must fail or return a prefix of the written records. Returns how many records are missing
/// without being reported as damage.
fn silently_missing(path: &Path, bytes: &[u8], what: &str) -> u64 {
    std::fs::write(path, bytes).unwrap();
    let Ok(store) = Redb::open(path) else {
        return 0;
    };
    let mut missing = 0;
    for (id, first, last) in LOGS {
        let Ok(found) = open(&store, id).recover() else {
            continue;
        };
        for (seq, record) in (first..).zip(&found.records) {
            assert_eq!(*record, plain(seq - 1, 1)[0], "{what}, `{id}`");
        }
        if let Some(snapshot) = &found.snapshot {
            assert_eq!(
                (first, snapshot),
                (first, &super::snapshot(first - 1)),
                "{what}, `{id}`"
            );
        }
        if found.damage.is_none() {
            missing += last - found.last_seq();
        }
    }
    missing
}

/// Returns copies of the file with one damaged byte or page: one bit of every byte of redb's header, every bit of the byte that
/// selects the current commit, some bytes of every used page, and each used page zeroed.
fn damaged(whole: &[u8]) -> Vec<(String, Vec<u8>)> {
    const PAGE: usize = 4096;
    let used = |page: &usize| whole[page * PAGE..][..PAGE].iter().any(|byte| *byte != 0);
    let pages = (0..whole.len() / PAGE).filter(used).collect::<Vec<_>>();
    let header = (0..320).map(|at| (at, 1 << (at % 8)));
    let which = (0..8).map(|bit| (9, 1 << bit));
    let inside = pages.iter().flat_map(|page| {
        let step = |at: &usize| (page * PAGE + at, 0x10);
        (0..PAGE)
            .step_by(509)
            .map(|at| step(&at))
            .collect::<Vec<_>>()
    });
    let flipped = header
        .chain(which)
        .chain(inside)
        .map(|(at, mask): (usize, u8)| {
            let mut bytes = whole.to_vec();
            bytes[at] ^= mask;
            (format!("byte {at} ^ {mask:#x}"), bytes)
        });
    let emptied = pages.iter().map(|page| {
        let mut bytes = whole.to_vec();
        bytes[page * PAGE..][..PAGE].fill(0);
        (format!("page {page} is empty"), bytes)
    });
    flipped.chain(emptied).collect()
}

#[test]
fn damage_to_a_closed_file_is_an_error_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    drop(write_logs(&path));
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(silently_missing(&path, &whole, "whole"), 0);
    for (what, bytes) in damaged(&whole) {
        assert_eq!(silently_missing(&path, &bytes, &what), 0, "{what}");
    }
}

/// The newest commit of a killed process may look unfinished, and redb then restores the commit before it.
#[test]
fn damage_to_the_file_of_a_killed_process_costs_the_newest_commit_or_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let store = write_logs(&path);
    let whole = std::fs::read(&path).unwrap();
    drop(store);
    assert_eq!(silently_missing(&path, &whole, "whole"), 0);
    for (what, bytes) in damaged(&whole) {
        assert!(silently_missing(&path, &bytes, &what) <= 1, "{what}");
    }
}

#[test]
fn a_file_that_was_cut_short_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let store = write_logs(&path);
    let killed = std::fs::read(&path).unwrap();
    drop(store);
    let closed = std::fs::read(&path).unwrap();
    for whole in [killed, closed] {
        for length in (1..whole.len()).step_by(1021) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let error = Redb::open(&path).unwrap_err();
            let named = error.to_string();
            assert!(named.contains(path.to_str().unwrap()), "{length}: {named}");
        }
    }
}
