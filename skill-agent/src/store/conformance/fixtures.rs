//! Records, snapshots and rows for tests.

use crate::store::{ChangedSkill, Keyed, Logged, Record, RecordKind, Row, SkillSnapshot, Snapshot};

/// `count` distinct records after `last`.
pub(in crate::store) fn plain(last: u64, count: usize) -> Vec<Record> {
    let record = |(seq, at): (u64, usize)| {
        let id = format!("c-{last}-{at}");
        let mut record = Record::new(seq, RecordKind::Command, at as u64, id);
        record.states = vec![ChangedSkill {
            key: "calculator".to_owned(),
            // 0xc1 is no MessagePack: a store does not interpret a state.
            state: [&[0xc1, at as u8][..], &last.to_le_bytes()].concat(),
        }];
        record
    };
    (last + 1..).zip(0..count).map(record).collect()
}

/// A record with every field set.
pub(super) fn full(seq: u64) -> Record {
    let mut record = Record::new(seq, RecordKind::Set, u64::MAX, "c-\0-é-\u{1f600}");
    record.hops = u32::MAX;
    record.directives = vec![Logged {
        n: u64::MAX,
        directive: vec![0, 0xff],
        due: Some(0),
        hops: 7,
        cause: None,
    }];
    record.done = vec![0, u64::MAX];
    record.keyed = Some(Keyed {
        key: "order 7".to_owned(),
        answer: (0..=255).collect(),
        arguments: None,
    });
    record
}

pub(in crate::store) fn snapshot(seq: u64) -> Snapshot {
    let mut snapshot = Snapshot::new(seq, "build-1");
    snapshot.skills = vec![SkillSnapshot {
        key: "calculator".to_owned(),
        name: "calculator".to_owned(),
        version: Some("1.2.0".to_owned()),
        schema: u64::MAX,
        config: vec![0, 1, 0xff],
        state: seq.to_le_bytes().to_vec(),
    }];
    snapshot.next_directive = seq;
    snapshot
}

pub(in crate::store) fn rows(rows: &[(&str, &str)]) -> Vec<Row> {
    let row = |(key, value): &(&str, &str)| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
    rows.iter().map(row).collect()
}
