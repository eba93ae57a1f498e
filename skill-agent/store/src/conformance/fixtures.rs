//! Records, snapshots and rows for tests.

use crate::{ChangedSkill, Logged, LoggedCause, Record, RecordKind, Row, SkillSnapshot, Snapshot};
use serde_json::json;
use skill_core::Instruction;

/// Creates `count` distinct records after `last`.
pub(crate) fn plain(last: u64, count: usize) -> Vec<Record> {
    let record = |(seq, at): (u64, usize)| {
        let id = format!("c-{last}-{at}");
        let mut record = Record::new(seq, RecordKind::Command, at as u64, id);
        record.states = vec![ChangedSkill {
            key: "calculator".to_owned(),
            // 0xc1 is not valid MessagePack, because a store does not interpret states
            state: [&[0xc1, at as u8][..], &last.to_le_bytes()].concat(),
        }];
        record
    };
    (last + 1..).zip(0..count).map(record).collect()
}

/// Creates a record with every field set.
pub(super) fn full(seq: u64) -> Record {
    let mut record = Record::new(seq, RecordKind::Set, u64::MAX, "c-\0-é-\u{1f600}");
    record.instructions = vec![Instruction::new("pay", json!({ "cents": [1, null] }))];
    record.states = plain(seq, 1).remove(0).states;
    record.hops = u32::MAX;
    record.directives = vec![Logged {
        n: u64::MAX,
        directive: vec![0, 0xff],
        due: Some(0),
        hops: 7,
        cause: Some(LoggedCause {
            id: 1,
            follow_ups: u64::MAX,
        }),
        turn: Some("t".to_owned()),
    }];
    record.done = vec![0, u64::MAX];
    record.turn = Some("t".to_owned());
    record
}

pub(crate) fn snapshot(seq: u64) -> Snapshot {
    let mut snapshot = Snapshot::new(seq, "build-1");
    snapshot.skills = vec![SkillSnapshot {
        key: "calculator".to_owned(),
        name: "calculator".to_owned(),
        declared: "calculator".to_owned(),
        version: Some("1.2.0".to_owned()),
        schema: u64::MAX,
        config: vec![0, 1, 0xff],
        state: seq.to_le_bytes().to_vec(),
    }];
    snapshot.next_directive = seq;
    snapshot
}

pub(crate) fn rows(rows: &[(&str, &str)]) -> Vec<Row> {
    let row = |(key, value): &(&str, &str)| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
    rows.iter().map(row).collect()
}
