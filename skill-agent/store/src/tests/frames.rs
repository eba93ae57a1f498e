//! Damage to a run of frames, as `Memory` keeps it.

use super::*;
use crate::bytes::frame;
use crate::bytes::frame::{FORMAT, HEADER, PayloadKind};

/// Writes these records to the log `a` of a new store. Also returns the end offset of each record.
fn written(records: &[Record]) -> (Memory, Vec<usize>) {
    let store = Memory::default();
    let (mut log, _) = opened(&store, "a");
    let mut ends = Vec::new();
    for record in records {
        log.append(std::slice::from_ref(record)).unwrap();
        ends.push(store.tamper("a", |bytes| bytes.records.len()));
    }
    (store, ends)
}

/// Changes a frame and updates its checksum.
fn reframe(id: &str, frame: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut frame = frame.to_vec();
    change(&mut frame);
    let mut sum = crc32fast::Hasher::new();
    sum.update(id.as_bytes());
    sum.update(&frame[..16]);
    sum.update(&frame[HEADER..]);
    frame[16..20].copy_from_slice(&sum.finalize().to_le_bytes());
    frame
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_log_torn_at_any_byte_gives_the_records_before_it(records in records(1..4)) {
        let (store, ends) = written(&records);
        let whole = store.tamper("a", |bytes| bytes.records.clone());
        for length in 0..=whole.len() {
            store.tamper("a", |bytes| bytes.records = whole[..length].to_vec());
            let found = recovered(&store, "a");
            let kept = ends.iter().filter(|end| **end <= length).count();
            prop_assert_eq!(&found.records, &records[..kept]);
            let end = kept.checked_sub(1).map_or(0, |last| ends[last]);
            let lost = found.damage.map(|damage| (damage.at_seq, damage.dropped_bytes));
            let expected = (end < length).then(|| (kept as u64 + 1, (length - end) as u64));
            prop_assert_eq!(lost, expected);
            prop_assert_eq!(store.tamper("a", |bytes| bytes.records.len()), end);
            prop_assert_eq!(recovered(&store, "a").damage, None);
        }
    }

    #[test]
    fn a_flipped_bit_never_gives_a_record_that_was_not_written(records in records(1..4)) {
        let (store, ends) = written(&records);
        let whole = store.tamper("a", |bytes| bytes.records.clone());
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            store.tamper("a", |bytes| bytes.records = flipped);
            let found = recovered(&store, "a");
            let kept = ends.iter().filter(|end| **end <= bit / 8).count();
            prop_assert_eq!(&found.records, &records[..kept]);
            prop_assert_eq!(found.damage.unwrap().at_seq, kept as u64 + 1);
        }
    }

    #[test]
    fn a_flipped_bit_in_a_snapshot_is_an_error_that_changes_nothing(bit in any::<prop::sample::Index>()) {
        let (store, _) = written(&plain(0, 3));
        let (mut log, _) = opened(&store, "a");
        log.compact(&snapshot(2)).unwrap();
        drop(log);
        let before = store.tamper("a", |bytes| {
            let frame = bytes.snapshot.as_mut().unwrap();
            let bit = bit.index(frame.len() * 8);
            frame[bit / 8] ^= 1 << (bit % 8);
            (frame.clone(), bytes.records.clone())
        });
        let error = open(&store, "a").recover().unwrap_err();
        prop_assert!(matches!(error, StoreError::Corrupt { .. }), "{}", error);
        let after = store.tamper("a", |bytes| (bytes.snapshot.clone().unwrap(), bytes.records.clone()));
        prop_assert_eq!(before, after);
    }
}

#[test]
fn a_newer_format_is_an_error_and_stays_unchanged() {
    let (store, ends) = written(&plain(0, 2));
    let newer = store.tamper("a", |bytes| {
        let second = bytes.records.split_off(ends[0]);
        bytes
            .records
            .extend(reframe("a", &second, |frame| frame[1] = FORMAT + 1));
        bytes.records.clone()
    });
    let error = open(&store, "a").recover().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`memory` has format 2, but this build reads formats up to 1"
    );
    assert_eq!(store.tamper("a", |bytes| bytes.records.clone()), newer);
}

#[test]
fn an_intact_payload_that_cannot_be_decoded_is_an_error_and_stays_unchanged() {
    let (store, _) = written(&plain(0, 1));
    let unknown = frame::write("a", PayloadKind::Record, 2, &json!({ "kind": "Dreamt" })).unwrap();
    store.tamper("a", |bytes| bytes.records.extend(&unknown));
    let before = store.tamper("a", |bytes| bytes.records.clone());
    let error = open(&store, "a").recover().unwrap_err();
    assert!(
        error.to_string().contains("record 2 cannot be decoded"),
        "{error}"
    );
    assert_eq!(store.tamper("a", |bytes| bytes.records.clone()), before);
}

#[test]
fn a_record_of_another_log_has_a_wrong_checksum() {
    let (store, _) = written(&plain(0, 1));
    let frame = store.tamper("a", |bytes| bytes.records.clone());
    store.tamper("b", |bytes| bytes.records = frame);
    let found = recovered(&store, "b");
    assert_eq!(found.records, []);
    assert_eq!(found.damage.unwrap().reason, Flaw::Checksum);
}

#[test]
fn a_missing_record_ends_the_log_and_is_reported() {
    let (store, ends) = written(&plain(0, 3));
    store.tamper("a", |bytes| bytes.records.drain(ends[0]..ends[1]).count());
    let found = recovered(&store, "a");
    assert_eq!(found.records, plain(0, 3)[..1]);
    let (damage, size) = (found.damage.unwrap(), ends[2] - ends[1]);
    assert_eq!(
        damage.to_string(),
        format!(
            "the log of `a` was cut off before record 2, which is missing (record 3 follows): {size} bytes lost"
        )
    );
}

#[test]
fn a_log_without_its_first_record_is_an_error_and_stays_unchanged() {
    let (store, ends) = written(&plain(0, 3));
    store.tamper("a", |bytes| bytes.records.drain(..ends[0]).count());
    let error = open(&store, "a").recover().unwrap_err();
    assert!(
        error.to_string().contains("begins with record 2"),
        "{error}"
    );
    assert_eq!(
        store.tamper("a", |bytes| bytes.records.len()),
        ends[2] - ends[0]
    );
}
