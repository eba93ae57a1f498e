//! The turns of a conversation: their rows, and the tools that they called.

use super::storage::{Change, size};
use super::{Conversation, Loaded, State};
use crate::info::TurnStart;
use crate::rows::{FIRST, Head, Place, QUEUE, REDO, TURNS, TurnRow, write};
use skill_agent_chat::__private::BegunTool;
use skill_agent_server::__private::TurnsChange;

/// The maximum number of turns that can be taken back.
pub(super) const KEPT_TURNS: usize = 50;

impl Loaded {
    /// Returns the beginnings of the turns in the history.
    pub(super) fn starts(&self) -> Vec<TurnStart> {
        let turns = self.turns.iter();
        turns
            .map(|(turn, row)| TurnStart {
                turn: *turn,
                message: index(row.first),
            })
            .collect()
    }

    /// Returns the first turn that can be taken back, unless its states are too large.
    pub(super) fn first_kept(&self) -> Option<u64> {
        self.first_of(KEPT_TURNS)
    }

    /// Returns the first of the last `count` turns.
    fn first_of(&self, count: usize) -> Option<u64> {
        let earlier = self.turns.len().saturating_sub(count);
        self.turns.keys().nth(earlier).copied()
    }
}

/// Returns the index in the history of the message in a row.
pub(super) fn index(row: u64) -> usize {
    usize::try_from(row - FIRST).unwrap_or(usize::MAX)
}

impl State {
    /// Returns the key under which a server holds the output of a call of the last turn.
    pub(super) fn key(&self, call_id: &str) -> String {
        self.head.origin.key(self.head.last_turn, call_id)
    }

    pub(super) fn forget_turns(&self, from: u64) -> TurnsChange {
        TurnsChange {
            conversation: self.head.origin.uid.clone(),
            forget_from: Some(from),
            ..TurnsChange::default()
        }
    }

    /// Adds tools to the row of the last turn. Returns `None` if the row does not change.
    pub(super) fn with_places(&self, places: Vec<(String, Place)>) -> Option<(u64, TurnRow)> {
        let (turn, row) = self.loaded.as_ref()?.turns.last_key_value()?;
        let mut new = row.clone();
        new.tools.extend(places);
        (new != *row).then_some((*turn, new))
    }
}

impl Conversation {
    /// Returns where tools have their effects. Leaves out the pure actions of the conversations' server, whose effects the server
    /// can undo.
    pub(super) fn places(&self, tools: Vec<BegunTool>) -> Vec<(String, Place)> {
        let place = |tool: BegunTool| {
            let place = match tool.server {
                Some(server) if server.is_same(&self.shared.server) => {
                    tool.is_async.then_some(Place::Outside(tool.source))
                }
                Some(server) if server.has_store() => Some(Place::Agent(tool.source)),
                _ => Some(Place::Outside(tool.source)),
            };
            Some((tool.name, place?))
        };
        tools.into_iter().filter_map(place).collect()
    }
}

impl Change {
    /// Numbers the turn that begins with the next message.
    pub(super) fn begin_turn(&mut self, state: &State, head: &mut Head) {
        head.turn += 1;
        head.last_turn = Some(head.turn);
        let row = TurnRow {
            first: head.next,
            ..TurnRow::default()
        };
        self.put_turn(Some(&(head.turn, row)));
        let kept = state.loaded.as_ref();
        let kept = kept.and_then(|loaded| loaded.first_of(KEPT_TURNS - 1));
        self.turns = Some(TurnsChange {
            conversation: head.origin.uid.clone(),
            begins: Some(head.turn),
            keep_from: kept.unwrap_or(head.turn),
            forget_from: None,
        });
    }

    pub(super) fn put_turn(&mut self, turn: Option<&(u64, TurnRow)>) {
        let rows = turn.map(|(turn, row)| (TURNS + turn, write(row)));
        self.put.extend(rows);
    }

    /// Returns whether the change adds or replaces messages of the history.
    pub(super) fn changes_history(&self) -> bool {
        let mut put = self.put.iter();
        put.any(|(number, _)| (FIRST..TURNS).contains(number))
    }

    /// Deletes the turns that were taken back, so that they can no longer be brought back.
    pub(super) fn forget_redo(&mut self, state: &State) {
        let Some(loaded) = &state.loaded else {
            return;
        };
        let Some(first) = loaded.redo.last() else {
            return;
        };
        let turns = loaded.taken_back.keys().map(|turn| TURNS + turn);
        self.delete.extend(turns.chain([REDO]));
        for redo in &loaded.redo {
            self.delete.extend(redo.first..redo.end);
            self.release.extend(redo.held.iter().cloned());
            let queued = redo.queued.iter().map(|(_, message)| size(message));
            self.freed += redo.bytes + queued.sum::<u64>();
        }
        let forgotten = state.forget_turns(first.turn);
        let change = self.turns.get_or_insert_default();
        change.conversation = forgotten.conversation;
        change.forget_from = forgotten.forget_from;
    }
}

const _: () = assert!(TURNS < REDO && REDO < QUEUE);
