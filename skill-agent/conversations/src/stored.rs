//! The rows of a conversation, as they are read.

use crate::rows::{FIRST, Head, ORIGIN, Origin, QUEUE, REDO, Redo, Rest, TURNS, TurnRow, read};
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

impl Head {
    /// Rebuilds a lost head from the rows. Returns `None` if the row with the origin is lost too.
    pub(crate) fn of_rows(rows: &Rows) -> Result<Option<Self>, String> {
        let Some((_, origin)) = rows.iter().find(|(number, _)| *number == ORIGIN) else {
            return Ok(None);
        };
        let origin: Origin = read(origin)?;
        let mut head = Self::new(origin);
        let stored = Stored::of(rows)?;
        for message in &stored.history {
            head.take_title(message);
            head.turns += u64::from(message.is_of_user());
        }
        head.last_turn = stored.turns.keys().next_back().copied();
        let taken_back = stored.redo.iter().map(|redo| redo.to - 1);
        let known = taken_back.chain(head.last_turn).max();
        // rows of turns may be lost while the server still has their states, so their numbers are not used again
        head.turn = known.unwrap_or(head.turns) + (1 << 20);
        head.own_from = head.turn + 1;
        head.next = FIRST + stored.history.len() as u64;
        if let Some((last, _)) = stored.queued.last() {
            head.next_queued = last + 1;
        }
        head.rest = Rest::of(&stored.history).with_queue(!stored.queued.is_empty());
        head.is_cut = true;
        head.bytes = rows.iter().map(|(_, value)| value.len() as u64).sum();
        // start far above the numbers of events that were sent before the loss
        head.events = head.next.saturating_mul(1 << 20);
        Ok(Some(head))
    }
}
