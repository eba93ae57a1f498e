//! Logs on threads for blocking work.

use super::*;
use std::sync::{Arc, Barrier};
use tokio::sync::oneshot;

/// A log whose first commit waits for the test at a barrier. Records what it wrote.
struct Slow {
    barrier: Arc<Barrier>,
    written: Arc<std::sync::Mutex<Vec<u64>>>,
    began: Option<oneshot::Sender<()>>,
}

impl BlockingLog for Slow {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        panic!("no file")
    }

    fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        if let Some(began) = self.began.take() {
            began.send(()).unwrap();
            self.barrier.wait();
        }
        let mut written = self.written.lock().unwrap();
        written.extend(commit.records().iter().map(|record| record.seq));
        Ok(())
    }

    fn compact(&mut self, _: &Snapshot, _: &Commit) -> Result<(), StoreError> {
        Err(StoreError::refused("a", Refusal::other("no room")))
    }

    fn read(&mut self, _: &str, _: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn scan(&mut self, _: &str, _: &[u8], _: usize) -> Result<Vec<Row>, StoreError> {
        Ok(Vec::new())
    }
}

#[test]
fn a_write_whose_future_is_dropped_ends_before_the_next_one_begins() {
    let (barrier, written) = (Arc::new(Barrier::new(2)), Arc::default());
    let (began_tx, began) = oneshot::channel();
    let mut log = blocking(
        "a",
        "nowhere",
        Slow {
            barrier: barrier.clone(),
            written: Arc::clone(&written),
            began: Some(began_tx),
        },
    );
    wait(async {
        tokio::select! {
            biased;
            result = log.commit(Commit::new(plain(0, 1))) => panic!("it cannot end: {result:?}"),
            result = began => result.unwrap(),
        }
    });
    assert!(written.lock().unwrap().is_empty());
    std::thread::scope(|scope| {
        scope.spawn(|| barrier.wait());
        wait(log.commit(Commit::new(plain(1, 1)))).unwrap();
    });
    assert_eq!(*written.lock().unwrap(), [1, 2]);
}

#[test]
fn a_write_that_was_never_polled_writes_nothing() {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    drop(log.0.commit(Commit::new(plain(0, 1))));
    log.append(&plain(0, 2)).unwrap();
    drop(log);
    assert_eq!(recovered(&store, "a").records, plain(0, 2));
}

#[test]
fn a_panic_fails_the_log_and_names_it() {
    let mut log = TestLog(blocking(
        "a",
        "nowhere",
        Slow {
            barrier: Arc::new(Barrier::new(1)),
            written: Arc::default(),
            began: None,
        },
    ));
    assert!(matches!(
        log.compact(&snapshot(0)),
        Err(StoreError::Refused { .. })
    ));
    let error = log.recover().unwrap_err();
    let text = skill_core::process::full_text(&error);
    assert!(
        text.starts_with("an access to the log of `a` in `nowhere` failed: task "),
        "{text}"
    );
    assert!(text.contains("no file"), "{text}");
    let error = log.append(&plain(0, 1)).unwrap_err();
    assert!(matches!(error, StoreError::Failed { .. }), "{error}");
}
