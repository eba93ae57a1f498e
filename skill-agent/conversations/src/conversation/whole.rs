//! Renames, deletes, exports and imports a whole conversation.

use super::Conversation;
use super::storage::Change;
use crate::info::Exported;
use crate::rows::{FORM, Rest, read};
use skill_agent_chat::__private::{check_history, give_ids};
use skill_agent_chat::{ChatError, Message};
use skill_agent_server::__private::GroupChange;
use std::pin::pin;
use std::sync::Arc;

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

    /// Returns the keys of the calls whose results are missing, or no keys if the conversation cannot be read.
    async fn begun_keys(&self) -> Vec<String> {
        let _ = self.load().await;
        let state = self.state();
        let begun = state
            .loaded
            .as_ref()
            .and_then(|loaded| loaded.begun.as_ref());
        let calls = begun.into_iter().flat_map(Message::calls);
        let origin = &state.head.origin;
        calls.map(|call| origin.key(&call.id)).collect()
    }

    pub(crate) async fn export(&self) -> Result<String, ChatError> {
        self.load().await?;
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Err(self.unknown());
        };
        let exported = Exported {
            form: FORM,
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
        self.load().await?;
        let messages = &exported.messages;
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
                let said = messages.iter().filter(|message| message.is_of_user());
                head.turns = said.count() as u64;
                head.title = exported.title;
                if let Some(first) = messages.iter().find(|message| message.is_of_user()) {
                    head.take_title(first);
                }
                if exported.began > 0 {
                    head.origin.began = exported.began;
                }
                head.rest = Rest::of(messages);
                head.activations = exported.activations;
                Ok((change, ()))
            },
            |state, ()| {
                if let Some(loaded) = &mut state.loaded {
                    loaded.shown = Arc::new(messages.clone());
                }
            },
        )
        .await
    }
}

fn of_messages(messages: Vec<Message>) -> Exported {
    Exported {
        form: FORM,
        title: String::new(),
        began: 0,
        messages,
        activations: None,
    }
}
