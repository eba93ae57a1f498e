use super::*;
use crate::idempotency::KeyTables;
use crate::idempotency::decision::{KEPT, decision_key};

fn approved(request: &str) -> Keyed {
    Keyed {
        key: decision_key(request),
        answer: Vec::new(),
        arguments: None,
    }
}

fn id(number: usize) -> String {
    format!("{number:06}")
}

/// Returns the row of the newest evicted request in a commit's changes.
fn mark(changes: &[TableChange]) -> Option<String> {
    changes.iter().rev().find_map(|change| match change {
        TableChange::Put {
            table, key, value, ..
        } if table == APPROVALS && key == FORGOTTEN.as_bytes() => {
            Some(String::from_utf8(value[8..].to_vec()).unwrap())
        }
        _ => None,
    })
}

#[test]
fn the_newest_request_whose_decision_is_gone_is_what_is_stored() {
    let mut keys = UsedKeys::default();
    for number in 1..=KEPT {
        assert_eq!(mark(&keys.insert(approved(&id(number)), 1, 0)), None);
    }
    let changes = keys.insert(approved(&id(KEPT + 1)), 1, 0);
    assert_eq!(mark(&changes), Some(id(1)));
    // A late decision on an older request is evicted at once.
    let changes = keys.insert(approved(&id(0)), 1, 0);
    assert_eq!(mark(&changes), Some(id(1)));
    assert!(keys.may_be_forgotten(&id(1)) && !keys.may_be_forgotten(&id(2)));
}

#[test]
fn decisions_that_a_start_lets_go_of_are_marked() {
    let row = |number| {
        (
            id(number),
            ValueRow {
                seq: 1,
                value: Vec::new(),
            },
        )
    };
    let tables = KeyTables {
        decisions: (1..=KEPT + 1).map(row).collect(),
        ..KeyTables::default()
    };
    let (keys, changes) = UsedKeys::restore(tables, 1, 0);
    assert_eq!(mark(&changes), Some(id(1)));
    assert!(keys.may_be_forgotten(&id(1)));
    let forgotten = (
        FORGOTTEN.to_owned(),
        ValueRow {
            seq: 1,
            value: id(1).into_bytes(),
        },
    );
    let tables = KeyTables {
        approvals: vec![forgotten],
        ..KeyTables::default()
    };
    let (keys, changes) = UsedKeys::restore(tables, 1, 0);
    assert!(keys.may_be_forgotten(&id(1)) && changes.is_empty());
}
