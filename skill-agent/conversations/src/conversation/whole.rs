//! Renames, deletes, exports and imports a whole conversation.

use super::Conversation;
use super::storage::Change;
use super::turns::index;
use crate::info::{EXPORTED_FORM, Exported};
use crate::rewind::RewindError;
use crate::rows::{Rest, TurnRow, read};
use serde_json::Value;
use skill_agent_chat::__private::{check_history, give_ids};
use skill_agent_chat::{ChatError, Message};
use skill_agent_server::__private::GroupChange;
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

/// The beginning of a new conversation, from another one.
#[derive(Clone)]
pub(crate) struct Begun {
    messages: Vec<Message>,
    title: String,
    /// When the conversation began, in milliseconds since the Unix epoch, or 0 for now.
    began: u64,
    activations: Option<Value>,
    /// The number of turns.
    turns: u64,
    /// The number of the last turn.
    turn: u64,
    rows: BTreeMap<u64, TurnRow>,
}

impl Conversation {
    /// Returns whether the conversation has stored rows.
    pub(crate) fn is_stored(&self) -> bool {
        self.state().head.bytes > 0
    }

    /// Marks the conversation as deleted if it has no stored rows and no turn, and returns whether it did.
    ///
    /// No turn can begin in a deleted conversation.
    pub(crate) fn retire_if_unused(&self) -> bool {
        let mut state = self.state();
        let is_unused = state.head.bytes == 0 && state.turn.is_none();
        state.is_deleted |= is_unused;
        state.is_gone |= is_unused;
        if is_unused {
            self.forget(state);
        }
        is_unused
    }

    /// Waits for the end of a deletion. Returns whether the conversation is deleted.
    pub(crate) async fn is_gone(&self) -> bool {
        loop {
            let mut ended = pin!(self.ended.notified());
            ended.as_mut().enable();
            {
                let state = self.state();
                if state.is_gone || !state.is_deleted {
                    return state.is_gone;
                }
            }
            ended.await;
        }
    }

    pub(crate) async fn rename(&self, title: String) -> Result<(), ChatError> {
        self.write(
            |_, head| {
                head.title = title;
                head.is_named = true;
                Ok((Change::default(), ()))
            },
            |_, ()| {},
        )
        .await
    }

    pub(crate) async fn delete(&self) -> Result<(), ChatError> {
        if std::mem::replace(&mut self.state().is_deleted, true) {
            return Err(self.unknown());
        }
        self.cancel_turn();
        self.ended().await;
        let _in_order = self.writes.lock().await;
        let change = GroupChange {
            group: self.group,
            release: self.begun_keys().await,
            turns: Some(self.state().forget_turns(0)),
            ..GroupChange::default()
        };
        let deleted = self.shared.server.change_rows(change).await;
        let mut state = self.state();
        if let Err(error) = deleted {
            state.is_deleted = false;
            self.ended.notify_waiters();
            return Err(ChatError::store(error));
        }
        state.is_gone = true;
        self.ended.notify_waiters();
        self.give_up_next(&mut state, self.unknown());
        self.forget(state);
        self.events.close();
        Ok(())
    }

    /// Returns the keys of the calls whose results are missing, also in turns that were taken back. Returns no keys if the
    /// conversation cannot be read.
    async fn begun_keys(&self) -> Vec<String> {
        let _ = self.load().await;
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Vec::new();
        };
        let calls = loaded.begun.iter().flat_map(Message::calls);
        let held = loaded.redo.iter().flat_map(|redo| redo.held.clone());
        calls.map(|call| state.key(&call.id)).chain(held).collect()
    }

    pub(crate) async fn export(&self) -> Result<String, ChatError> {
        self.load().await?;
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Err(self.unknown());
        };
        let exported = Exported {
            form: EXPORTED_FORM,
            title: state.head.title.clone(),
            began: state.head.origin.began,
            messages: loaded.shown.to_vec(),
            activations: state.head.activations.clone(),
        };
        serde_json::to_string(&exported).map_err(|error| self.unreadable(error.to_string()))
    }

    pub(crate) async fn import(&self, json: &str) -> Result<(), ChatError> {
        if self.is_stored() {
            return Err(ChatError::Exists(self.id.clone()));
        }
        let exported = if json.trim_start().starts_with('[') {
            let messages = serde_json::from_str(json);
            messages.map(of_messages).map_err(|error| error.to_string())
        } else {
            read(json.as_bytes())
        };
        let mut exported: Exported = exported.map_err(|problem| self.unreadable(problem))?;
        check_history(&exported.messages)?;
        give_ids(&mut exported.messages);
        let said = exported
            .messages
            .iter()
            .filter(|message| message.is_of_user());
        let turns = said.count() as u64;
        self.begin_with(Begun {
            turns,
            turn: turns,
            rows: BTreeMap::new(),
            title: exported.title,
            began: exported.began,
            activations: exported.activations,
            messages: exported.messages,
        })
        .await
    }

    /// Copies the history from before a turn.
    pub(crate) async fn copy_before(&self, turn: u64) -> Result<Begun, RewindError> {
        self.load().await?;
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Err(self.unknown().into());
        };
        if state.turn.is_some() {
            return Err(self.busy());
        }
        let last = state.head.last_turn.unwrap_or(state.head.turn);
        let end = match loaded.turns.get(&turn) {
            Some(row) => index(row.first),
            None if turn == last + 1 => loaded.shown.len(),
            None => return Err(self.no_turn(loaded, turn)),
        };
        let rows = loaded.turns.range(..turn);
        let rows: BTreeMap<_, _> = rows.map(|(turn, row)| (*turn, row.clone())).collect();
        let left_out = loaded.turns.len() - rows.len();
        Ok(Begun {
            turns: state.head.turns.saturating_sub(left_out as u64),
            turn: turn - 1,
            rows,
            title: state.head.title.clone(),
            began: 0,
            activations: state.head.activations.clone(),
            messages: loaded.shown[..end.min(loaded.shown.len())].to_vec(),
        })
    }

    /// Stores the beginning of a new conversation.
    pub(crate) async fn begin_with(&self, begun: Begun) -> Result<(), ChatError> {
        self.load().await?;
        let messages = &begun.messages;
        self.write(
            |state, head| {
                if state.is_deleted {
                    return Err(self.unknown());
                }
                if state.head.bytes > 0 || state.turn.is_some() {
                    return Err(ChatError::Exists(state.head.origin.id.clone()));
                }
                let mut change = Change::default();
                change.append(head, messages);
                (head.turns, head.turn) = (begun.turns, begun.turn);
                head.own_from = begun.turn + 1;
                head.last_turn = begun.rows.keys().next_back().copied();
                for row in begun.rows.clone() {
                    change.put_turn(Some(&row));
                }
                head.title = begun.title;
                if let Some(first) = messages.iter().find(|message| message.is_of_user()) {
                    head.take_title(first);
                }
                if begun.began > 0 {
                    head.origin.began = begun.began;
                }
                head.rest = Rest::of(messages);
                head.activations = begun.activations;
                Ok((change, ()))
            },
            |state, ()| {
                if let Some(loaded) = &mut state.loaded {
                    loaded.shown = Arc::new(messages.clone());
                    loaded.turns = begun.rows.clone();
                }
            },
        )
        .await
    }
}

fn of_messages(messages: Vec<Message>) -> Exported {
    Exported {
        form: EXPORTED_FORM,
        title: String::new(),
        began: 0,
        messages,
        activations: None,
    }
}
