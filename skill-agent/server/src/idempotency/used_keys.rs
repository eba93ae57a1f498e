//! The idempotency keys that were used, and the outputs of their commands.

mod held;
mod restore;
mod waiting;

use super::answers::Answers;
use super::call_keys::{CallKeys, CallRow};
use super::decision::{Decisions, StoredDecision};
use super::held_keys::{HeldKeys, HeldRow};
use super::row_key::{CallKey, Instances, RowKey, is_foreign, is_held};
use super::signal_keys::SignalKeys;
use super::tables::{
    ANSWERS, APPROVALS, CALLS, DECISIONS, FORGOTTEN, HELD, INSTANCES, SECRET, SIGNALS, SignalRow,
    ValueRow,
};
use crate::limits::Limit;
use crate::numbered::numbered;
use skill_agent_store::{ArgumentsHash, Keyed, TableChange};
use std::cell::RefCell;
use std::collections::HashMap;

/// Creates the change that deletes a row of the record `seq`.
fn delete(table: &'static str, seq: u64, key: &[u8]) -> TableChange {
    TableChange::delete(table, numbered(seq, key))
}

/// A command that ran under a key.
pub(crate) struct UsedKey<'a> {
    /// The command's encoded output, or `None` if it is no longer stored.
    pub(crate) answer: Option<&'a [u8]>,
    arguments: Option<ArgumentsHash>,
}

impl UsedKey<'_> {
    /// Returns whether the command had different arguments.
    pub(crate) fn has_other_arguments(&self, present: Option<ArgumentsHash>) -> bool {
        match (self.arguments, present) {
            (Some(stored), Some(present)) => {
                stored.schema == present.schema && stored.value != present.value
            }
            _ => false,
        }
    }
}

/// The keys of calls and signals that were used, the decisions on approval requests, and the newest outputs. Each has its own
/// limit. `W` is the type of a waiting repeated command.
pub(crate) struct UsedKeys<W> {
    instances: Instances,
    /// The last key with its row's key, which a command needs twice.
    last_row: RefCell<Option<(String, RowKey)>>,
    calls: CallKeys,
    held: HeldKeys,
    signals: SignalKeys,
    decisions: Decisions,
    answers: Answers,
    approval_secret: Option<Vec<u8>>,
    /// The repeated commands whose first command is still running, by key.
    waiting: HashMap<String, Vec<W>>,
    /// The number of repeated commands in `waiting`.
    waiting_count: usize,
}

impl<W> Default for UsedKeys<W> {
    fn default() -> Self {
        Self {
            instances: Instances::default(),
            last_row: RefCell::default(),
            calls: CallKeys::default(),
            held: HeldKeys::default(),
            signals: SignalKeys::default(),
            decisions: Decisions::default(),
            answers: Answers::default(),
            approval_secret: None,
            waiting: HashMap::new(),
            waiting_count: 0,
        }
    }
}

impl<W> UsedKeys<W> {
    /// Moves the keys of adopted instances. Each pair contains the old and the new state key.
    pub(crate) fn adopt_instances(&mut self, adopted: &[(String, String)]) -> Vec<TableChange> {
        self.last_row.take();
        let taken = self.instances.adopt(adopted);
        let deleted = adopted
            .iter()
            .map(|(old, _)| TableChange::delete(INSTANCES, old.as_str()));
        let deleted: Vec<_> = deleted.collect();
        let rows = taken.into_iter().filter_map(|key| self.instance_row(&key));
        deleted.into_iter().chain(rows).collect()
    }

    /// Assigns a number to an instance, unless it already has one.
    pub(crate) fn add_instance(&mut self, state_key: &str) -> Option<TableChange> {
        self.last_row.take();
        self.instances.add(state_key)?;
        self.instance_row(state_key)
    }

    fn instance_row(&self, state_key: &str) -> Option<TableChange> {
        let number = self.instances.number(state_key)?;
        Some(TableChange::put(
            INSTANCES,
            state_key,
            number.to_be_bytes().to_vec(),
        ))
    }

    fn row_key(&self, key: &str) -> RowKey {
        let mut last = self.last_row.borrow_mut();
        let known = last.take_if(|(known, _)| known == key);
        let known = known.unwrap_or_else(|| (key.to_owned(), self.instances.row_key(key)));
        last.insert(known).1.clone()
    }

    /// Returns the command that ran under a key.
    pub(crate) fn get(&self, key: &str) -> Option<UsedKey<'_>> {
        let row = self.row_key(key);
        let arguments = match &row {
            RowKey::Call(key) => self.calls.get(key)?.arguments,
            RowKey::Held(key) => {
                let row = self.held.get(key)?;
                return Some(UsedKey {
                    answer: Some(&row.answer),
                    arguments: row.arguments,
                });
            }
            RowKey::Signal(key, _) => {
                self.signals.contains(key).then_some(())?;
                None
            }
            RowKey::Decision(request) => match self.decisions.get(request)? {
                Some(rejection) => {
                    return Some(UsedKey {
                        answer: Some(rejection),
                        arguments: None,
                    });
                }
                None => None,
            },
            RowKey::ApprovalSecret => return None,
        };
        Some(UsedKey {
            answer: self.answers.get(&row.of_answer()),
            arguments,
        })
    }

    /// Returns whether a command ran under a key.
    pub(crate) fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the secret that seals approval requests.
    pub(crate) fn approval_secret(&self) -> Option<&[u8]> {
        self.approval_secret.as_deref()
    }

    /// Checks that there is room for the key of another call. `now` is in milliseconds since the Unix epoch.
    pub(crate) fn check_room(&self, key: &str, now: u64) -> Result<(), Limit> {
        if is_held(key) {
            let has_room = self.held.has_room(now);
            return has_room.then_some(()).ok_or(Limit::HeldKeys);
        }
        if is_foreign(key) && !self.calls.has_foreign_room(now) {
            return Err(Limit::ForeignKeys);
        }
        if !self.calls.has_room(now) {
            return Err(Limit::Keys);
        }
        Ok(())
    }

    /// Adds the key of a command whose record has the number `seq` and the time `at`. Returns the changes to side tables for the
    /// record's commit.
    pub(crate) fn insert(&mut self, keyed: Keyed, seq: u64, at: u64) -> Vec<TableChange> {
        let Keyed {
            key,
            answer,
            arguments,
        } = keyed;
        let mut changes = Vec::new();
        let row = self.row_key(&key);
        let is_foreign = is_foreign(&key);
        match &row {
            RowKey::Call(key) => {
                let call = CallRow {
                    seq,
                    at,
                    is_foreign,
                    arguments,
                };
                changes.push(TableChange::put(CALLS, numbered(seq, key), call.to_bytes()));
                let gone = self.calls.insert(*key, call);
                self.forget_calls(gone, &mut changes);
            }
            RowKey::Held(key) => {
                let row = HeldRow {
                    seq,
                    at,
                    arguments,
                    answer,
                };
                let put = TableChange::put(HELD, numbered(seq, key), row.to_bytes());
                changes.push(put);
                let gone = self.held.insert(*key, row);
                self.forget_held(gone, &mut changes);
                return changes;
            }
            RowKey::Signal(key, source) => {
                let source = *source;
                let row = SignalRow { seq, source };
                changes.push(TableChange::put(
                    SIGNALS,
                    numbered(seq, key),
                    row.to_bytes(),
                ));
                for (gone, seq) in self.signals.insert(*key, row) {
                    changes.push(delete(SIGNALS, seq, &gone));
                    self.forget_answer(&RowKey::Signal(gone, source), &mut changes);
                }
            }
            RowKey::Decision(request) => {
                let rejection = StoredDecision::is_rejection(&answer).then(|| answer.clone());
                let in_row = rejection.as_deref().unwrap_or_default();
                changes.push(TableChange::put(
                    DECISIONS,
                    request.as_str(),
                    ValueRow::to_bytes(seq, in_row),
                ));
                let is_rejection = rejection.is_some();
                if let Some(gone) = self.decisions.insert(request.clone(), rejection) {
                    changes.push(TableChange::delete(DECISIONS, gone.as_str()));
                    changes.extend(self.forgotten_row(seq));
                    self.forget_answer(&RowKey::Decision(gone), &mut changes);
                }
                if is_rejection {
                    return changes;
                }
            }
            RowKey::ApprovalSecret => {
                changes.push(TableChange::put(
                    APPROVALS,
                    SECRET,
                    ValueRow::to_bytes(seq, &answer),
                ));
                self.approval_secret = Some(answer);
                return changes;
            }
        }
        self.insert_answer(row.of_answer(), answer, seq, &mut changes);
        changes
    }

    /// Returns the row with the newest request whose decision was evicted.
    fn forgotten_row(&self, seq: u64) -> Option<TableChange> {
        let request = self.decisions.forgotten()?;
        Some(TableChange::put(
            APPROVALS,
            FORGOTTEN,
            ValueRow::to_bytes(seq, request.as_bytes()),
        ))
    }

    fn insert_answer(
        &mut self,
        key: Vec<u8>,
        answer: Vec<u8>,
        seq: u64,
        changes: &mut Vec<TableChange>,
    ) {
        if self.answers.takes(&key, &answer) {
            let row = numbered(seq, &key);
            changes.push(TableChange::put(ANSWERS, row, answer.clone()));
            let gone = self.answers.insert(key, seq, answer).into_iter();
            changes.extend(gone.map(|(key, seq)| delete(ANSWERS, seq, &key)));
        }
    }

    fn forget_calls(&mut self, gone: Vec<(CallKey, u64)>, changes: &mut Vec<TableChange>) {
        for (key, seq) in gone {
            changes.push(delete(CALLS, seq, &key));
            self.forget_answer(&RowKey::Call(key), changes);
        }
    }

    fn forget_answer(&mut self, row: &RowKey, changes: &mut Vec<TableChange>) {
        let key = row.of_answer();
        let seq = self.answers.remove(&key);
        changes.extend(seq.map(|seq| delete(ANSWERS, seq, &key)));
    }

    /// Removes the key of a command that was undone, so that the command can be repeated.
    pub(crate) fn remove(&mut self, key: &str) {
        let row = self.row_key(key);
        match &row {
            RowKey::Call(key) => drop(self.calls.remove(key)),
            RowKey::Held(key) => drop(self.held.remove(key)),
            RowKey::Signal(key, _) => drop(self.signals.remove(key)),
            RowKey::Decision(request) => self.decisions.remove(request),
            RowKey::ApprovalSecret => self.approval_secret = None,
        }
        self.answers.remove(&row.of_answer());
    }

    /// Returns whether the decision on a request may have been evicted.
    pub(crate) fn may_be_forgotten(&self, request: &str) -> bool {
        self.decisions.may_be_forgotten(request)
    }
}

#[cfg(test)]
mod tests;
