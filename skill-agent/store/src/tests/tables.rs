//! The side tables of a log.

use super::*;

#[test]
fn a_refusal_names_the_table_and_the_sizes() {
    let (mut log, _) = opened(&Memory::default(), "a");
    let (name, key) = ("n".repeat(65), vec![b'k'; 4097]);
    let name_error = "the name of a table has 65 bytes, and must have 1 to 64";
    let key_error = "a key of table `t` has 4097 bytes, more than the limit of 4096";
    let value_error = "a value of table `t` has 67108865 bytes, more than the limit of 67108864";
    let (empty, value) = (Commit::default(), vec![0; (64 << 20) + 1]);
    assert_refused(log.commit(empty.clone().delete(name, "k")), name_error);
    assert_refused(log.commit(empty.clone().delete("t", &*key)), key_error);
    assert_refused(log.commit(empty.clone().put("t", "k", value)), value_error);
    assert_refused(
        log.commit(empty.delete_range("t", ..=key.clone())),
        key_error,
    );
    assert_refused(log.read("t", &key), key_error);
    assert_refused(log.scan("t", &[&*key, b"k"].concat(), 1), "4098 bytes");
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

/// Reading a damaged row fails, and nothing else does.
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
