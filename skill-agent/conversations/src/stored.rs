//! The rows of a conversation, as they are read.

use crate::rows::{FIRST, ORIGIN, QUEUE, REDO, Redo, TURNS, TurnRow, read};
use skill_agent_chat::Message;
use skill_agent_server::__private::Rows;
use std::collections::BTreeMap;

/// The rows of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    pub(crate) history: Vec<Message>,
    /// The messages that wait for a request, with their row numbers.
    pub(crate) queued: Vec<(u64, Message)>,
    /// The turns of the history, by number.
    pub(crate) turns: BTreeMap<u64, TurnRow>,
    /// The turns that were taken back, the last ones first.
    pub(crate) redo: Vec<Redo>,
    /// The rows of the turns that were taken back.
    pub(crate) taken_back: BTreeMap<u64, TurnRow>,
}

impl Stored {
    pub(crate) fn of(rows: &Rows) -> Result<Self, String> {
        let mut stored = Self::default();
        if let Some((_, redo)) = rows.iter().find(|(number, _)| *number == REDO) {
            stored.redo = read(redo)?;
        }
        let first = stored.redo.last().map(|redo| (redo.first, redo.turn));
        let (end, end_turn) = first.unwrap_or((TURNS, u64::MAX));
        for (number, value) in rows {
            match *number {
                ORIGIN | REDO => {}
                FIRST..TURNS if *number < end => stored.history.push(read(value)?),
                FIRST..TURNS => {}
                TURNS..QUEUE => _ = stored.turns.insert(*number - TURNS, read(value)?),
                QUEUE.. => stored.queued.push((*number, read(value)?)),
            }
        }
        stored.taken_back = stored.turns.split_off(&end_turn);
        // a damaged log may have lost the first message of a turn, and a later turn may have begun in its place
        let mut next = FIRST + stored.history.len() as u64;
        let turns = stored.turns.into_iter().rev();
        let begun = turns.filter(|(_, row)| {
            let has_message = row.first < next;
            next = next.min(row.first);
            has_message
        });
        stored.turns = begun.collect();
        Ok(stored)
    }
}
