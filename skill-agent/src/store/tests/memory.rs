//! The faults that a test can inject.

use super::*;

#[test]
fn a_refused_append_leaves_the_log_unchanged_and_usable() {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    store.refuse_next(2);
    for _ in 0..2 {
        let error = log.append(&plain(0, 2)).unwrap_err();
        assert!(
            matches!(
                error,
                StoreError::Refused {
                    source: Refusal::Injected,
                    ..
                }
            ),
            "{error}"
        );
    }
    log.append(&plain(0, 1)).unwrap();
    drop(log);
    let found = recovered(&store, "a");
    assert_eq!((found.records, found.damage), (plain(0, 1), None));
}

#[test]
fn after_a_failed_append_a_log_refuses_everything_until_it_is_opened_again() {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    log.append(&plain(0, 1)).unwrap();
    store.fail_next();
    for _ in 0..2 {
        let error = log.append(&plain(1, 1)).unwrap_err();
        assert!(matches!(error, StoreError::Failed { .. }), "{error}");
    }
    assert!(matches!(log.recover(), Err(StoreError::Failed { .. })));
    assert!(matches!(
        log.compact(&snapshot(1)),
        Err(StoreError::Failed { .. })
    ));
    drop(log);
    let (mut log, found) = opened(&store, "a");
    assert_eq!(found.records, plain(0, 1));
    assert_eq!(found.damage.unwrap().at_seq, 2);
    log.append(&plain(1, 1)).unwrap();
}
