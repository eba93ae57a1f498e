//! Restores the used keys at a start.

use super::{UsedKeys, delete};
use crate::idempotency::row_key::{Instances, RowKey};
use crate::idempotency::tables::{
    ANSWERS, CALLS, DECISIONS, FORGOTTEN, HELD, KeyTables, SECRET, SIGNALS,
};
use skill_agent_store::TableChange;

impl<W> UsedKeys<W> {
    /// Restores the keys of a log whose last record is `seq`, at the time `now`, in milliseconds since the Unix epoch. Also
    /// returns the changes that delete rows without a record and rows beyond the limits.
    pub(crate) fn restore(tables: KeyTables, seq: u64, now: u64) -> (Self, Vec<TableChange>) {
        let mut keys = Self {
            instances: Instances::new(tables.instances.into_iter().collect()),
            ..Self::default()
        };
        let mut changes = Vec::new();
        changes.extend(
            tables
                .damaged_answers
                .map(|_| TableChange::delete_all(ANSWERS)),
        );
        for (key, row) in tables.answers {
            if row.seq > seq {
                changes.push(delete(ANSWERS, row.seq, &key));
            } else {
                let gone = keys.answers.insert(key, row.seq, row.value);
                let gone = gone.into_iter();
                changes.extend(gone.map(|(key, seq)| delete(ANSWERS, seq, &key)));
            }
        }
        for (key, row) in tables.calls {
            if row.seq > seq {
                changes.push(delete(CALLS, row.seq, &key));
            } else {
                let replaced = keys.calls.restore(key, row);
                changes.extend(replaced.map(|seq| delete(CALLS, seq, &key)));
            }
        }
        keys.calls.set_back(now);
        for (key, row) in tables.held {
            if row.seq > seq {
                changes.push(delete(HELD, row.seq, &key));
            } else {
                let gone = keys.held.insert(key, row);
                keys.forget_held(gone, &mut changes);
            }
        }
        for (key, row) in tables.signals {
            if row.seq > seq {
                changes.push(delete(SIGNALS, row.seq, &key));
                continue;
            }
            for (gone, seq) in keys.signals.insert(key, row) {
                changes.push(delete(SIGNALS, seq, &gone));
                if gone != key {
                    keys.forget_answer(&RowKey::Signal(gone, row.source), &mut changes);
                }
            }
        }
        for (request, row) in tables.decisions {
            let gone = if row.seq > seq {
                Some(request)
            } else {
                let rejection = Some(row.value).filter(|value| !value.is_empty());
                keys.decisions.insert(request, rejection)
            };
            changes.extend(gone.map(|request| TableChange::delete(DECISIONS, request)));
        }
        // these rows are kept even if their record is lost, so that the seals of known requests stay valid and evicted decisions
        // stay evicted
        let mut stored_mark = None;
        for (name, row) in tables.approvals {
            match name.as_str() {
                SECRET => keys.approval_secret = Some(row.value),
                FORGOTTEN => {
                    let request = String::from_utf8_lossy(&row.value).into_owned();
                    keys.decisions.forget_up_to(request.clone());
                    stored_mark = Some(request);
                }
                _ => {}
            }
        }
        if keys.decisions.forgotten() != stored_mark.as_deref() {
            changes.extend(keys.forgotten_row(seq));
        }
        (keys, changes)
    }
}
