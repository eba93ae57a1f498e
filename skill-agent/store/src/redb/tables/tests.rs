//! Crashes at any write, and changes of several logs.

use super::*;
use crate::{Commit, Redb, Store};
use ::redb::backends::InMemoryBackend;
use ::redb::{Builder, StorageBackend};
use std::io;
use std::sync::{Arc, Mutex};

/// A file in memory that keeps a copy of its contents after each write.
#[derive(Debug, Default)]
struct Recorded {
    file: InMemoryBackend,
    images: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Recorded {
    fn record(&self) -> io::Result<()> {
        let mut image = vec![0; self.file.len()? as usize];
        self.file.read(0, &mut image)?;
        self.images.lock().unwrap().push(image);
        Ok(())
    }
}

impl StorageBackend for Recorded {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)?;
        self.record()
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.write(offset, data)?;
        self.record()
    }
}

/// Creates a database in memory. Also returns the copies of its file.
fn recorded() -> (Database, Arc<Mutex<Vec<Vec<u8>>>>) {
    let backend = Recorded::default();
    let images = Arc::clone(&backend.images);
    let database = Builder::new().create_with_backend(backend).unwrap();
    (database, images)
}

/// Numbers frames consecutively from `first`.
fn frames(first: u64, frames: Vec<Vec<u8>>) -> Vec<(u64, Vec<u8>)> {
    (first..).zip(frames).collect()
}

/// Applies one change to the log `a`.
fn change(database: &Database, change: &Change) {
    write(database, [("a", change)].into_iter()).unwrap();
}

fn appended(first: u64, content: Vec<Vec<u8>>) -> Change {
    Change::Commit {
        snapshot: None,
        records: frames(first, content),
        commit: Commit::default(),
    }
}

/// Opens a file with these contents. On failure, returns the file's contents at that time.
fn open_image(image: &[u8]) -> Result<(), Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    std::fs::write(&path, image).unwrap();
    let opened = Redb::open(&path).map(|store| drop(store.open("a").unwrap()));
    opened.map_err(|_| std::fs::read(&path).unwrap())
}

#[test]
fn a_batch_is_one_transaction() {
    let (database, images) = recorded();
    prepare(&database).unwrap();
    let all = ["a", "b"].map(|id| (id, appended(1, vec![vec![7; 3_000]])));
    images.lock().unwrap().clear();
    write(&database, all.iter().map(|(id, change)| (*id, change))).unwrap();
    let count = |image: &[u8]| {
        let database = opened(image);
        ["a", "b"].map(|id| read(&database, id).unwrap().records.len())
    };
    let images = images.lock().unwrap().clone();
    let found: Vec<_> = images.iter().map(|image| count(image)).collect();
    assert!(found.contains(&[0, 0]) && found.ends_with(&[[1, 1]]));
    assert!(found.iter().all(|[a, b]| a == b), "{found:?}");
}

#[test]
fn a_file_whose_creation_was_cut_at_any_write_is_begun_anew() {
    let (database, images) = recorded();
    prepare(&database).unwrap();
    let images = images.lock().unwrap().clone();
    let unfinished = images.iter().filter(|image| !image.starts_with(b"redb"));
    assert!(unfinished.count() > 1);
    for (at, image) in images.iter().enumerate() {
        assert!(open_image(image).is_ok(), "after write {at}");
        // a system crash may lose data that was not synced
        if !image.starts_with(b"redb") {
            let middle = &image[..image.len() / 2];
            assert!(open_image(middle).is_ok(), "after half of write {at}");
        }
    }
}

#[test]
fn a_file_that_may_have_content_is_not_begun_anew() {
    let (database, images) = recorded();
    prepare(&database).unwrap();
    change(&database, &appended(1, vec![vec![7; 30]]));
    let mut damaged = images.lock().unwrap().last().unwrap().clone();
    damaged[..9].fill(0);
    let mut theirs = vec![0; 4096];
    theirs.extend(b"text");
    let too_long = vec![0; 5 << 20];
    for image in [damaged, theirs, too_long, b"text".to_vec()] {
        assert!(open_image(&image).unwrap_err() == image);
    }
}

fn opened(image: &[u8]) -> Database {
    let file = InMemoryBackend::new();
    file.set_len(image.len() as u64).unwrap();
    file.write(0, image).unwrap();
    Builder::new().create_with_backend(file).unwrap()
}

/// Returns the contents of a file after a crash.
fn content(image: &[u8]) -> (Option<Vec<u8>>, Vec<u64>) {
    let database = opened(image);
    let stored = read(&database, "a").unwrap();
    let numbers = stored.records.iter().map(|(seq, _)| *seq).collect();
    (stored.snapshot, numbers)
}

#[test]
fn a_crash_at_any_write_of_a_compaction_leaves_all_of_it_or_nothing() {
    let (database, images) = recorded();
    prepare(&database).unwrap();
    let frame = vec![7; 3_000];
    change(&database, &appended(1, vec![frame.clone(); 40]));
    images.lock().unwrap().clear();
    let compaction = Change::Commit {
        snapshot: Some((41, frame.clone())),
        records: frames(41, vec![frame.clone(); 3]),
        commit: Commit::default(),
    };
    change(&database, &compaction);
    let images = images.lock().unwrap().clone();
    let (before, after) = ((None, (1..=40).collect()), (Some(frame), vec![42, 43]));
    let found: Vec<_> = images.iter().map(|image| content(image)).collect();
    let written = found.iter().position(|content| *content == after).unwrap();
    for (at, content) in found.iter().enumerate() {
        let expected = if at < written { &before } else { &after };
        assert!(content == expected, "after write {at}: {:?}", content.1);
    }
    assert!(written > 0);
}

#[test]
fn a_crash_at_any_write_leaves_records_and_rows_or_neither() {
    let (database, images) = recorded();
    prepare(&database).unwrap();
    let frame = vec![7; 3_000];
    let first = Commit::default().put("t", "a", "1").put("t", "c", "3");
    let second = Commit::default()
        .put("t", "b", frame.clone())
        .delete("t", "a")
        .delete_range("t", b"c".to_vec()..)
        .put("u", "k", "v");
    for (commit, is_compaction) in [(first, false), (second, true)] {
        let state = |image: &[u8]| (content(image), keys_of(&opened(image)));
        let before = state(images.lock().unwrap().last().unwrap());
        images.lock().unwrap().clear();
        let last = before.0.1.last().copied().unwrap_or(0);
        let records = frames(last + 1, vec![frame.clone(); 3]);
        let snapshot = is_compaction.then(|| (last, frame.clone()));
        let written = Change::Commit {
            snapshot,
            records,
            commit,
        };
        change(&database, &written);
        let images = images.lock().unwrap().clone();
        let after = state(images.last().unwrap());
        let found: Vec<_> = images.iter().map(|image| state(image)).collect();
        let written = found.iter().position(|state| *state == after).unwrap();
        for (at, state) in found.iter().enumerate() {
            let expected = if at < written { &before } else { &after };
            assert!(state == expected, "after write {at}: {:?}", state.1);
        }
        assert!(written > 0 && before.1 != after.1 && before.0 != after.0);
    }
    assert_eq!(keys_of(&database), ["b", "k"]);
}

fn keys_of(database: &Database) -> Vec<String> {
    let scan = |table| rows::scan(database, "a", table, b"", 9).unwrap();
    let rows = [scan("t"), scan("u")].concat();
    rows.into_iter()
        .map(|(key, _)| String::from_utf8(key).unwrap())
        .collect()
}
