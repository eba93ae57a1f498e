//! Restores the used keys at a start.

use super::{UsedKeys, delete};
use crate::idempotency::decision::StoredDecision;
use crate::idempotency::row_key::{Instances, OutputKey};
use crate::idempotency::tables::{CALLS, DECISIONS, FORGOTTEN, HELD, KeyTables, SECRET, SIGNALS};
use skill_agent_store::TableChange;

impl UsedKeys {
    /// Restores the keys of a log whose last record is `seq`, at the time `now`, in milliseconds since the Unix epoch. Also returns
    /// the changes to the side tables: they delete rows without a record and rows beyond the limits, and remove evicted outputs.
    pub(crate) fn restore(tables: KeyTables, seq: u64, now: u64) -> (Self, Vec<TableChange>) {
        let mut keys = Self {
            instances: Instances::new(tables.instances.into_iter().collect()),
            ..Self::default()
        };
        let mut changes = Vec::new();
        let mut outputs = Vec::new();
        for (key, row, output) in tables.calls {
            if row.seq > seq {
                changes.push(delete(CALLS, row.seq, &key));
            } else {
                let replaced = keys.calls.restore(key, row);
                changes.extend(replaced.map(|seq| delete(CALLS, seq, &key)));
                outputs.push((row.seq, OutputKey::Call(key), output));
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
        for (key, row, output) in tables.signals {
            if row.seq > seq {
                changes.push(delete(SIGNALS, row.seq, &key));
                continue;
            }
            let gone = keys.signals.insert(key, row).into_iter();
            changes.extend(gone.map(|(gone, seq)| delete(SIGNALS, seq, &gone)));
            outputs.push((row.seq, OutputKey::Signal(key), output));
        }
        for (request, row) in tables.decisions {
            let gone = if row.seq > seq {
                Some(request)
            } else if StoredDecision::is_rejection(&row.value) {
                keys.decisions.insert(request, Some(row.value))
            } else {
                outputs.push((row.seq, OutputKey::Decision(request.clone()), row.value));
                keys.decisions.insert(request, None)
            };
            changes.extend(gone.map(|request| TableChange::delete(DECISIONS, request)));
        }
        changes.extend(keys.restore_outputs(outputs));
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

    /// Adds the outputs of the restored keys, each with its record number. Returns the changes that remove evicted outputs from
    /// their rows.
    fn restore_outputs(&mut self, mut outputs: Vec<(u64, OutputKey, Vec<u8>)>) -> Vec<TableChange> {
        outputs.retain(|(seq, key, output)| !output.is_empty() && self.is_of(key, *seq));
        outputs.sort_unstable_by_key(|(seq, ..)| *seq);
        let mut changes = Vec::new();
        for (seq, key, output) in outputs {
            let gone = self.answers.insert(key, seq, output).into_iter();
            changes.extend(gone.filter_map(|(key, seq)| self.row(&key, seq, &[])));
        }
        changes
    }

    /// Returns whether a key is known and belongs to this record. The record of a decision is not checked.
    fn is_of(&self, key: &OutputKey, seq: u64) -> bool {
        match key {
            OutputKey::Call(key) => self.calls.get(key).is_some_and(|row| row.seq == seq),
            OutputKey::Signal(key) => self.signals.get(key).is_some_and(|row| row.seq == seq),
            OutputKey::Decision(request) => self.decisions.get(request).is_some(),
        }
    }
}
