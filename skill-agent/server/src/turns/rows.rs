//! The rows of turns, in three side tables. The values begin with the number of their record, so that they can be dropped if the
//! log loses the record.

use super::mark::TurnMark;
use super::{Changer, REDO};
use crate::numbered::{numbered, read_rows, split_number, unknown_row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skill_agent_store::{Log, LogFuture, Row, StoreError, TableChange, decode, encode};
use std::collections::BTreeMap;

/// The states from before each turn, by conversation, turn and state key.
const STATES: &str = "turn_states";
/// The marks of turns, by conversation and turn. The number 0 has the first turn that is kept.
pub(super) const MARKS: &str = "turn_marks";
/// The last change of each skill that a turn has changed, by state key. Written with snapshots, which replace the records.
pub(super) const NOTES: &str = "turn_changers";

/// Returns the key of a mark's row. With a state key appended, it is the key of a state's row.
pub(super) fn mark_key(conversation: &str, turn: u64) -> Vec<u8> {
    [conversation.as_bytes(), &[0], &turn.to_be_bytes()].concat()
}

pub(crate) fn state_key(conversation: &str, turn: u64, key: &str) -> Vec<u8> {
    [&mark_key(conversation, turn), key.as_bytes()].concat()
}

/// Writes a value. Our own types have no value that cannot be encoded.
fn value(seq: u64, value: &impl Serialize) -> Vec<u8> {
    numbered(seq, &encode(value).unwrap_or_default())
}

pub(crate) fn put_mark(conversation: &str, turn: u64, mark: &TurnMark, seq: u64) -> TableChange {
    TableChange::put(MARKS, mark_key(conversation, turn), value(seq, mark))
}

pub(crate) fn put_first(conversation: &str, first: u64, seq: u64) -> TableChange {
    TableChange::put(MARKS, mark_key(conversation, 0), value(seq, &first))
}

pub(crate) fn put_state(
    conversation: &str,
    turn: u64,
    key: &str,
    state: &[u8],
    seq: u64,
) -> TableChange {
    let row = state_key(conversation, turn, key);
    TableChange::put(STATES, row, numbered(seq, state))
}

pub(super) fn put_note(key: &str, changer: &Changer, seq: u64) -> TableChange {
    TableChange::put(NOTES, key, value(seq, changer))
}

/// Deletes the rows of a conversation's turns from one turn up to another (exclusive), or to the end.
pub(crate) fn delete_turns(conversation: &str, from: u64, to: Option<u64>) -> Vec<TableChange> {
    let from = mark_key(conversation, from);
    let to = match to {
        Some(to) => mark_key(conversation, to),
        None => [conversation.as_bytes(), &[1]].concat(),
    };
    let tables = [MARKS, STATES].into_iter();
    let changes =
        tables.map(|table| TableChange::delete_range(table.into(), &(from.clone()..to.clone())));
    changes.flatten().collect()
}

pub(super) fn read_value<T: DeserializeOwned>(
    table: &str,
    bytes: &[u8],
) -> Result<(u64, T), StoreError> {
    let read = split_number(bytes).and_then(|(seq, value)| Some((seq, decode(value).ok()?)));
    read.ok_or_else(|| unknown_row(table))
}

/// Splits the key of a row into the conversation, the turn and the state key.
pub(super) fn turn_of(key: &[u8]) -> Option<(&str, u64, &[u8])> {
    let end = key.iter().position(|byte| *byte == 0)?;
    let (turn, rest) = split_number(&key[end + 1..])?;
    Some((std::str::from_utf8(&key[..end]).ok()?, turn, rest))
}

/// Reads a kept state. Returns `None` if its row is lost or damaged.
pub(crate) async fn read_state(
    log: &mut dyn Log,
    key: &[u8],
) -> Result<Option<Vec<u8>>, StoreError> {
    match log.read(STATES, key).await {
        Ok(row) => Ok(row.and_then(|row| Some(split_number(&row)?.1.to_vec()))),
        Err(StoreError::Corrupt { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the changes that drop rows whose record is newer than `seq`, the last record of a damaged log. A turn whose mark is
/// lost is no longer kept, and no earlier one. If the first turn that is kept is lost, no turn is kept.
pub(crate) fn lost_turns(log: &mut dyn Log, seq: u64) -> LogFuture<'_, Vec<TableChange>> {
    // The future is boxed, so that its code is compiled here and not with each agent.
    Box::pin(async move {
        let mut changes = Vec::new();
        let mut firsts: BTreeMap<String, u64> = BTreeMap::new();
        let parse = |(key, value): Row| {
            let is_lost = split_number(&value).is_none_or(|(written, _)| written > seq);
            Ok(is_lost.then_some(key))
        };
        for table in [STATES, MARKS] {
            for key in read_rows(log, table, Vec::new(), None, parse).await? {
                if let Some((conversation, turn @ ..REDO, _)) = turn_of(&key)
                    && table == MARKS
                {
                    let first = firsts.entry(conversation.to_owned()).or_default();
                    *first = (*first).max(if turn == 0 { REDO } else { turn + 1 });
                }
                changes.push(TableChange::delete(table, key));
            }
        }
        let firsts = firsts.iter();
        changes.extend(firsts.map(|(conversation, first)| put_first(conversation, *first, seq)));
        Ok(changes)
    })
}
