//! The changes of a conversation's rows that take turns back or bring them back.

use crate::conversation::storage::{Change, size};
use crate::conversation::turns::index;
use crate::conversation::{Loaded, State};
use crate::rewind::Rewound;
use crate::rows::{Head, REDO, Redo, Rest, write};
use skill_agent_chat::Message;
use skill_agent_server::__private::TurnsRange;

/// Changes the head so that the turns are no longer in the history.
pub(super) fn take_back(
    state: &State,
    loaded: &Loaded,
    range: &TurnsRange,
    head: &mut Head,
) -> (Change, Rewound) {
    let rows = loaded.turns.range(range.from..);
    let turns = rows.clone().count();
    let first = rows.map(|(_, row)| row.first).next().unwrap_or(head.next);
    let (kept, taken) = loaded.shown.split_at(index(first).min(loaded.shown.len()));
    let begun = loaded.begun.iter();
    let redo = Redo {
        turn: range.from,
        to: range.to,
        first,
        end: head.next,
        bytes: taken.iter().chain(begun.clone()).map(size).sum(),
        queued: loaded.queued.clone(),
        held: begun
            .flat_map(Message::calls)
            .map(|call| state.key(&call.id))
            .collect(),
        turns: head.turns,
        last_turn: head.last_turn,
        title: head.title.clone(),
        recorded: head.recorded,
        rest: head.rest,
        is_cut: head.is_cut,
        verdict: head.verdict.take(),
    };
    head.next = first;
    head.turns = head.turns.saturating_sub(turns as u64);
    let earlier = loaded.turns.range(..range.from).next_back();
    head.last_turn = earlier.map(|(turn, _)| *turn);
    if kept.is_empty() && !head.is_named {
        head.title.clear();
    }
    head.rest = Rest::of(kept);
    head.is_cut = false;
    let mut change = Change::default();
    change.dequeue(&loaded.queued);
    let mut all = loaded.redo.clone();
    all.push(redo);
    change.put_redo(loaded, &all);
    let rewound = Rewound {
        turn: range.from,
        turns,
        message: taken.first().cloned().unwrap_or_else(|| Message::user("")),
        queued: loaded
            .queued
            .iter()
            .map(|(_, message)| message.clone())
            .collect(),
    };
    (change, rewound)
}

/// Changes the head so that turns that were taken back are in the history again.
pub(super) fn bring_back(
    loaded: &Loaded,
    last: &Redo,
    earlier: &[Redo],
    head: &mut Head,
) -> (Change, Rewound) {
    head.next = last.end;
    head.turns = last.turns;
    head.last_turn = last.last_turn;
    head.recorded = last.recorded;
    head.rest = last.rest;
    head.is_cut = last.is_cut;
    head.verdict.clone_from(&last.verdict);
    if !head.is_named {
        head.title.clone_from(&last.title);
    }
    let mut change = Change::default();
    let queued = last.queued.iter();
    change.put.extend(
        queued
            .clone()
            .map(|(number, message)| (*number, write(message))),
    );
    change.put_redo(loaded, earlier);
    let rewound = Rewound {
        turn: last.turn,
        turns: loaded.taken_back.range(last.turn..last.to).count(),
        message: Message::user(""),
        queued: queued.map(|(_, message)| message.clone()).collect(),
    };
    (change, rewound)
}

impl Change {
    /// Replaces the row with the turns that were taken back.
    fn put_redo(&mut self, before: &Loaded, redo: &[Redo]) {
        if !before.redo.is_empty() {
            self.freed += write(&before.redo).len() as u64;
        }
        if redo.is_empty() {
            self.delete.push(REDO);
        } else {
            self.put.push((REDO, write(&redo)));
        }
        // taking turns back needs no room for new messages
        self.has_happened = true;
    }
}
