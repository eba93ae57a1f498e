//! The faults of side tables.

use skill_agent::store::{Commit, Log, Memory, Record, RecordKind, Store, StoreError};
use skill_agent::testing::{Fault, FaultyStore};

/// Whether the rows of a failed commit are written depends on the fault, as for its records. A failed read changes nothing.
#[tokio::test]
async fn tables_share_the_faults_of_their_log() {
    for (fault, is_written) in [
        (Fault::Refuse, false),
        (Fault::FailBefore, false),
        (Fault::FailAfter, true),
    ] {
        let store = FaultyStore::new(Memory::default());
        let mut log = opened(&store).await.0;
        store.on_commit(0, fault);
        let record = Record::new(1, RecordKind::Command, 0, "a");
        let commit = Commit::new([record]).put("t", "k", "v");
        log.commit(commit).await.unwrap_err();
        store.on_read(1, Fault::Refuse);
        let is_usable = log.read("t", b"k").await.is_ok();
        assert_eq!(is_usable, fault == Fault::Refuse);
        assert_refused_or_failed(log.scan("t", b"", 1).await, is_usable);
        let reads = store.reads();
        assert_eq!((reads, log.read("t", b"k").await.is_ok()), (2, is_usable));
        drop(log);
        let (mut log, records) = opened(&store).await;
        assert_eq!(records, usize::from(is_written));
        let rows = log.scan("t", b"", usize::MAX).await.unwrap();
        assert_eq!(rows.len(), usize::from(is_written));
        store.on_read(0, Fault::FailAfter);
        assert_refused_or_failed(log.read("t", b"k").await, false);
        assert_refused_or_failed(log.read("t", b"k").await, false);
    }
}

/// A log, and the number of its records.
async fn opened(store: &FaultyStore) -> (Box<dyn Log>, usize) {
    let mut log = store.open("a").unwrap();
    let recovered = log.recover().await.unwrap();
    (log, recovered.records.len())
}

fn assert_refused_or_failed<T: std::fmt::Debug>(result: Result<T, StoreError>, is_refused: bool) {
    match (result.unwrap_err(), is_refused) {
        (StoreError::Refused { .. }, true) | (StoreError::Failed { .. }, false) => {}
        (error, _) => panic!("{error}"),
    }
}
