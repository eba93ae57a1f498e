//! The kept turns in memory.

use super::mark::{StateMark, TurnMark};
use super::rows::{delete_turns, put_first, put_mark, put_note, put_state};
use super::{Changer, KEPT_TURN_BYTES, REDO, TurnId, TurnsChange};
use skill_agent_store::{Record, RecordKind, TableChange};
use skill_core::Instruction;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

/// The turns of a conversation whose marks are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptTurns {
    pub(crate) turns: BTreeMap<u64, Arc<TurnMark>>,
    /// The first turn that is kept.
    pub(crate) first: u64,
    /// Alive while the conversation is in use.
    pub(crate) lease: Weak<()>,
}

impl KeptTurns {
    /// Returns the turns of a conversation whose marks are damaged.
    pub(super) fn lost() -> Self {
        Self {
            first: REDO,
            ..Self::default()
        }
    }

    /// Returns the first turn that is kept after a change, if the change drops some.
    fn first_after(&self, change: &TurnsChange) -> Option<u64> {
        if self.first == REDO {
            return change.begins;
        }
        let (first, _) = self.turns.first_key_value()?;
        (*first < change.keep_from).then_some(change.keep_from)
    }

    /// Drops the oldest turns until the states of the others have room. Returns whether it dropped any.
    fn limit(&mut self) -> bool {
        let marks = self.turns.range(..REDO);
        let mut bytes: u64 = marks.map(|(_, mark)| mark.bytes()).sum();
        let mut has_dropped = false;
        while bytes > KEPT_TURN_BYTES
            && let Some((turn, mark)) = self.turns.pop_first()
        {
            bytes -= mark.bytes();
            self.first = turn + 1;
            has_dropped = true;
        }
        has_dropped
    }
}

/// A conversation's kept turns from before a command, to undo the command.
#[derive(Debug)]
pub(crate) struct TrackedTurn {
    conversation: String,
    before: KeptTurns,
}

/// A skill that a command of a turn changed.
pub(crate) struct TurnState {
    pub(crate) key: &'static str,
    pub(crate) schema: u64,
    /// The hash of the state after the change.
    pub(crate) after: u64,
    /// The earlier state and its hash, if the state [is new](Turns::is_new) to the turn.
    pub(crate) before: Option<(Vec<u8>, u64)>,
}

/// The kept turns of the conversations in use.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    kept: HashMap<String, KeptTurns>,
    /// The last command that changed each skill, for the skills that a turn has changed.
    notes: HashMap<String, Changer>,
    /// Keeps the conversations whose directives were pending at the start.
    own_lease: Arc<()>,
    /// The schema hashes of the skills, by state key.
    pub(crate) schemas: HashMap<&'static str, u64>,
}

impl Turns {
    pub(crate) fn get(&self, conversation: &str) -> Option<&KeptTurns> {
        self.kept.get(conversation)
    }

    pub(crate) fn note(&self, key: &str) -> Option<&Changer> {
        self.notes.get(key)
    }

    /// Uses a conversation as long as the lease, and forgets those that are no longer in use, unless `is_pending`. Returns whether
    /// its marks must still be read.
    pub(crate) fn lease(
        &mut self,
        conversation: &str,
        lease: &Weak<()>,
        is_pending: impl Fn(&str) -> bool,
    ) -> bool {
        self.kept
            .retain(|name, kept| kept.lease.strong_count() > 0 || is_pending(name));
        match self.kept.get_mut(conversation) {
            Some(kept) => {
                kept.lease = lease.clone();
                false
            }
            None => true,
        }
    }

    /// Returns whether a conversation is in memory.
    pub(crate) fn are_in_use(&self) -> bool {
        let own = Arc::downgrade(&self.own_lease);
        let mut kept = self.kept.values();
        kept.any(|kept| kept.lease.strong_count() > 0 && !kept.lease.ptr_eq(&own))
    }

    pub(crate) fn insert(&mut self, conversation: String, kept: KeptTurns) {
        self.kept.insert(conversation, kept);
    }

    /// Keeps a conversation until the server ends.
    pub(crate) fn insert_pending(&mut self, conversation: String, mut kept: KeptTurns) {
        kept.lease = Arc::downgrade(&self.own_lease);
        self.insert(conversation, kept);
    }

    pub(crate) fn remember(&mut self, key: String, changer: Changer) {
        self.notes.insert(key, changer);
    }

    /// Returns whether the states that a command of the turn changes are kept.
    pub(crate) fn tracks(&self, turn: &TurnId) -> bool {
        let kept = self.kept.get(&turn.conversation);
        kept.is_some_and(|kept| turn.turn >= kept.first)
    }

    /// Returns whether the state from before a command of the turn is new to the turn: the turn has not changed the skill, or
    /// another caller has changed it since.
    pub(crate) fn is_new(&self, turn: &TurnId, key: &str) -> bool {
        let kept = self.kept.get(&turn.conversation);
        let mark = kept.and_then(|kept| kept.turns.get(&turn.turn));
        let is_known = mark.is_some_and(|mark| mark.state(key).is_some());
        let last = self.notes.get(key);
        !is_known || last.is_none_or(|last| !last.is_of(&turn.conversation))
    }

    /// Notes a command without a turn.
    pub(crate) fn see(&mut self, record: &Record) {
        if self.notes.is_empty() {
            return;
        }
        for changed in &record.states {
            if let Some(note) = self.notes.get_mut(&changed.key) {
                *note = changer(record);
            }
        }
    }

    /// Adds a command of a turn. `add_effects` adds its effects. Returns the rows for its commit.
    pub(crate) fn track(
        &mut self,
        turn: &TurnId,
        record: &Record,
        states: Vec<TurnState>,
        add_effects: impl FnOnce(&mut TurnMark),
    ) -> (Vec<TableChange>, Option<TrackedTurn>) {
        let (mut rows, seq, number) = (Vec::new(), record.seq, turn.turn);
        let conversation = &turn.conversation;
        let Some(kept) = self.kept.get_mut(conversation) else {
            return (rows, None);
        };
        let before = kept.clone();
        let mark = Arc::make_mut(kept.turns.entry(number).or_default());
        let found = mark.clone();
        let by = changer(record);
        for state in states {
            let earlier = self.notes.insert(state.key.to_owned(), by.clone());
            let known = mark.states.iter_mut().find(|known| known.key == state.key);
            if let Some(known) = known {
                let is_other = |(_, hash): &(Vec<u8>, u64)| *hash != known.after;
                if known.broken.is_none() && state.before.as_ref().is_some_and(is_other) {
                    known.broken = Some(earlier.unwrap_or_else(Changer::unknown));
                }
                known.after = state.after;
            } else if let Some((bytes, hash)) = state.before {
                rows.push(put_state(conversation, number, state.key, &bytes, seq));
                mark.states.push(StateMark {
                    key: state.key.to_owned(),
                    size: bytes.len() as u64,
                    schema: state.schema,
                    before: hash,
                    after: state.after,
                    found: Some(earlier.unwrap_or_else(Changer::unknown))
                        .filter(|earlier| !earlier.is_of(conversation)),
                    broken: None,
                });
            }
        }
        add_effects(mark);
        if *mark == found {
            if found == TurnMark::default() {
                kept.turns.remove(&number);
            }
            return (rows, None);
        }
        rows.push(put_mark(conversation, number, mark, seq));
        if kept.limit() {
            if kept.first > number {
                // the turn alone has too many bytes
                rows.clear();
            }
            rows.extend(delete_turns(conversation, 1, Some(kept.first)));
            rows.push(put_first(conversation, kept.first, seq));
        }
        let conversation = conversation.clone();
        let tracked = TrackedTurn {
            conversation,
            before,
        };
        (rows, Some(tracked))
    }

    /// Replaces the kept turns of a conversation, and returns the earlier ones for an undo.
    pub(crate) fn replace(&mut self, conversation: &str, kept: KeptTurns) -> Option<TrackedTurn> {
        let before = self.kept.insert(conversation.to_owned(), kept)?;
        let conversation = conversation.to_owned();
        Some(TrackedTurn {
            conversation,
            before,
        })
    }

    /// Undoes a command that was not recorded.
    pub(crate) fn undo(&mut self, tracked: TrackedTurn) {
        self.kept.insert(tracked.conversation, tracked.before);
    }

    /// Returns the rows of a change, for the record `seq`.
    pub(crate) fn change_rows(&self, change: &TurnsChange, seq: u64) -> Vec<TableChange> {
        let conversation = &change.conversation;
        let mut rows = Vec::new();
        if let Some(from) = change.forget_from {
            rows.extend(delete_turns(conversation, from, None));
        }
        if let Some(kept) = self.kept.get(conversation)
            && let Some(first) = kept.first_after(change)
        {
            rows.extend(delete_turns(conversation, 1, Some(first)));
            rows.push(put_first(conversation, first, seq));
        }
        rows
    }

    /// Applies a change whose rows are written.
    pub(crate) fn apply(&mut self, change: &TurnsChange) {
        if change.forget_from == Some(0) {
            // the conversation is deleted, and late commands of its turns keep no states
            self.kept.remove(&change.conversation);
        }
        let Some(kept) = self.kept.get_mut(&change.conversation) else {
            return;
        };
        if let Some(from) = change.forget_from {
            kept.turns.split_off(&from);
        }
        if let Some(first) = kept.first_after(change) {
            kept.turns = kept.turns.split_off(&first);
            kept.first = first;
        }
    }

    /// Returns the rows with the last changes of skills, for a snapshot that replaces the records up to `seq`.
    pub(crate) fn note_rows(&self, seq: u64) -> Vec<TableChange> {
        let notes = self.notes.iter();
        notes.map(|(key, note)| put_note(key, note, seq)).collect()
    }
}

/// Returns the command of a record in words.
pub(crate) fn changer(record: &Record) -> Changer {
    let actions: Vec<_> = record.instructions.iter().map(action).collect();
    let command = match (record.kind, &actions[..]) {
        (RecordKind::Set, _) => match record.instructions.first() {
            Some(instruction) => rewind(instruction),
            None => "`set`".to_owned(),
        },
        (RecordKind::OnMount, _) => "`on_mount` at a start".to_owned(),
        (RecordKind::Mounted | RecordKind::Unmounted, _) => "a mount operation".to_owned(),
        (_, []) => "a signal".to_owned(),
        (_, [only]) => format!("the action {only}"),
        (_, several) => format!("the actions {}", several.join(", ")),
    };
    let turn = record.turn.as_deref().and_then(TurnId::of_text);
    Changer {
        command,
        conversation: turn.map(|turn| turn.conversation),
    }
}

/// Names the conversation whose turns were taken back or brought back.
fn rewind(instruction: &Instruction) -> String {
    let conversation = instruction.params["conversation"].as_str();
    let conversation = conversation.unwrap_or_default();
    format!(
        "`{}` of the conversation `{conversation}`",
        instruction.action
    )
}

fn action(instruction: &Instruction) -> String {
    format!("`{}`", instruction.action)
}
