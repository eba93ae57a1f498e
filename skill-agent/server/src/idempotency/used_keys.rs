//! The idempotency keys that were used, and the outputs of their commands.

mod held;
mod restore;

use super::answers::Answers;
use super::call_keys::{CallKeys, CallRow};
use super::decision::{Decisions, StoredDecision};
use super::held_keys::{HeldKeys, HeldRow};
use super::row_key::{Instances, OutputKey, RowKey, is_foreign, is_held};
use super::signal_keys::SignalKeys;
use super::tables::{
    APPROVALS, CALLS, DECISIONS, FORGOTTEN, HELD, INSTANCES, SECRET, SIGNALS, SignalRow, ValueRow,
};
use crate::limits::Limit;
use crate::numbered::numbered;
use skill_agent_store::{ArgumentsHash, Keyed, TableChange};
use std::cell::RefCell;

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
/// limit.
#[derive(Default)]
pub(crate) struct UsedKeys {
    instances: Instances,
    /// The last key and its row key, cached because a command needs the row key twice.
    last_row: RefCell<Option<(String, RowKey)>>,
    calls: CallKeys,
    held: HeldKeys,
    signals: SignalKeys,
    decisions: Decisions,
    answers: Answers,
    approval_secret: Option<Vec<u8>>,
}

impl UsedKeys {
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
        let (output, arguments) = match self.row_key(key) {
            RowKey::Call(key) => {
                let arguments = self.calls.get(&key)?.arguments;
                (OutputKey::Call(key), arguments)
            }
            RowKey::Held(key) => {
                let row = self.held.get(&key)?;
                return Some(UsedKey {
                    answer: Some(&row.answer),
                    arguments: row.arguments,
                });
            }
            RowKey::Signal(key, _) => {
                self.signals.get(&key)?;
                (OutputKey::Signal(key), None)
            }
            RowKey::Decision(request) => match self.decisions.get(&request)? {
                Some(rejection) => {
                    return Some(UsedKey {
                        answer: Some(rejection),
                        arguments: None,
                    });
                }
                None => (OutputKey::Decision(request), None),
            },
            RowKey::ApprovalSecret => return None,
        };
        Some(UsedKey {
            answer: self.answers.get(&output),
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
        let is_foreign = is_foreign(&key);
        let output = match self.row_key(&key) {
            RowKey::Call(key) => {
                let row = CallRow {
                    seq,
                    at,
                    is_foreign,
                    arguments,
                };
                for (gone, seq) in self.calls.insert(key, row) {
                    changes.push(delete(CALLS, seq, &gone));
                    self.answers.remove(&OutputKey::Call(gone));
                }
                OutputKey::Call(key)
            }
            RowKey::Held(key) => {
                let row = HeldRow {
                    seq,
                    at,
                    arguments,
                    answer,
                };
                let put = TableChange::put(HELD, numbered(seq, &key), row.to_bytes());
                changes.push(put);
                let gone = self.held.insert(key, row);
                self.forget_held(gone, &mut changes);
                return changes;
            }
            RowKey::Signal(key, source) => {
                for (gone, seq) in self.signals.insert(key, SignalRow { seq, source }) {
                    changes.push(delete(SIGNALS, seq, &gone));
                    self.answers.remove(&OutputKey::Signal(gone));
                }
                OutputKey::Signal(key)
            }
            RowKey::Decision(request) => {
                let is_rejection = StoredDecision::is_rejection(&answer);
                let rejection = is_rejection.then(|| answer.clone());
                let gone = self.decisions.insert(request.clone(), rejection);
                let is_gone = gone.as_ref() == Some(&request);
                if let Some(gone) = gone {
                    changes.push(TableChange::delete(DECISIONS, gone.as_str()));
                    changes.extend(self.forgotten_row(seq));
                    self.answers.remove(&OutputKey::Decision(gone));
                }
                if is_gone {
                    return changes;
                }
                if is_rejection {
                    let row = ValueRow::to_bytes(seq, &answer);
                    changes.push(TableChange::put(DECISIONS, request, row));
                    return changes;
                }
                OutputKey::Decision(request)
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
        };
        if self.answers.takes(&answer) {
            changes.extend(self.row(&output, seq, &answer));
            let gone = self.answers.insert(output, seq, answer).into_iter();
            changes.extend(gone.filter_map(|(key, seq)| self.row(&key, seq, &[])));
        } else {
            changes.extend(self.row(&output, seq, &[]));
        }
        changes
    }

    /// Returns the change that writes the row of a key with an output, or without one if `output` is empty.
    fn row(&self, key: &OutputKey, seq: u64, output: &[u8]) -> Option<TableChange> {
        Some(match key {
            OutputKey::Call(key) => {
                let row = self.calls.get(key)?;
                TableChange::put(CALLS, numbered(seq, key), row.to_bytes(output))
            }
            OutputKey::Signal(key) => {
                let row = self.signals.get(key)?;
                TableChange::put(SIGNALS, numbered(seq, key), row.to_bytes(output))
            }
            OutputKey::Decision(request) => {
                let row = ValueRow::to_bytes(seq, output);
                TableChange::put(DECISIONS, request.as_str(), row)
            }
        })
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

    /// Removes the key of a command that was undone, so that the command can be repeated.
    pub(crate) fn remove(&mut self, key: &str) {
        let output = match self.row_key(key) {
            RowKey::Call(key) => {
                self.calls.remove(&key);
                OutputKey::Call(key)
            }
            RowKey::Signal(key, _) => {
                self.signals.remove(&key);
                OutputKey::Signal(key)
            }
            RowKey::Decision(request) => {
                self.decisions.remove(&request);
                OutputKey::Decision(request)
            }
            RowKey::Held(key) => {
                self.held.remove(&key);
                return;
            }
            RowKey::ApprovalSecret => {
                self.approval_secret = None;
                return;
            }
        };
        self.answers.remove(&output);
    }

    /// Returns whether the decision on a request may have been evicted.
    pub(crate) fn may_be_forgotten(&self, request: &str) -> bool {
        self.decisions.may_be_forgotten(request)
    }
}

#[cfg(test)]
mod tests;
