//! Writes the rows of a conversation.

use super::{Conversation, State};
use crate::events::KEPT_EVENTS;
use crate::rewind::RewindError;
use crate::rows::{FORM, Head, ORIGIN, write};
use skill_agent_chat::{ChatError, Message};
use skill_agent_server::__private::{GroupChange, Rows, TurnsChange, millis};
use skill_agent_server::BoxFuture;
use std::time::SystemTime;

/// How many event numbers a head reserves when it is written.
const RESERVED: u64 = KEPT_EVENTS as u64;

/// The rows of a change, in addition to the head.
#[derive(Debug, Default)]
pub(super) struct Change {
    pub(super) put: Rows,
    pub(super) delete: Vec<u64>,
    pub(super) release: Vec<String>,
    pub(super) turns: Option<TurnsChange>,
    /// The size of the rows that are deleted or replaced, in bytes.
    pub(super) freed: u64,
    /// Whether the rows are the results of calls that have run. Such rows are recorded even if the conversation exceeds its size
    /// limit.
    pub(super) has_happened: bool,
}

impl Change {
    /// Adds messages at the end of the history.
    pub(super) fn append<'a>(
        &mut self,
        head: &mut Head,
        messages: impl IntoIterator<Item = &'a Message>,
    ) {
        for message in messages {
            self.put.push((head.next, write(message)));
            head.next += 1;
        }
        head.recorded = millis(SystemTime::now());
    }

    /// Makes the next message that is added replace the last message of the history.
    pub(super) fn replace_last(&mut self, head: &mut Head, last: Option<&Message>) {
        head.next -= 1;
        self.freed += last.map_or(0, size);
    }

    /// Adds a message at the end of the queue, and returns its number.
    pub(super) fn enqueue(&mut self, head: &mut Head, message: &Message) -> u64 {
        let number = head.next_queued;
        head.next_queued += 1;
        self.put.push((number, write(message)));
        number
    }

    /// Deletes queued messages.
    pub(super) fn dequeue<'a>(&mut self, queued: impl IntoIterator<Item = &'a (u64, Message)>) {
        for (number, message) in queued {
            self.delete.push(*number);
            self.freed += size(message);
        }
    }
}

pub(super) fn size(message: &Message) -> u64 {
    write(message).len() as u64
}

impl Conversation {
    /// Writes a change of the rows and the head. `change` changes a copy of the head and returns the change of the rows, with a
    /// value. After the write, `apply` gets this value. The rows are loaded before. If the write fails, they are read again at the
    /// next use.
    pub(super) async fn write<T>(
        &self,
        change: impl FnOnce(&State, &mut Head) -> Result<(Change, T), ChatError>,
        apply: impl FnOnce(&mut State, &T),
    ) -> Result<T, ChatError> {
        let server = self.shared.server.clone();
        let send = |change| -> BoxFuture<'static, Result<(), ChatError>> {
            Box::pin(async move { server.change_rows(change).await.map_err(ChatError::store) })
        };
        let change = |state: &State, head: &mut Head| {
            let (mut change, value) = change(state, head)?;
            let forgets = change.changes_history();
            if forgets {
                change.forget_redo(state);
            }
            Ok((change, (forgets, value)))
        };
        let apply = |state: &mut State, (forgets, value): &(bool, T)| {
            if let Some(loaded) = state.loaded.as_mut().filter(|_| *forgets) {
                loaded.redo.clear();
                loaded.taken_back.clear();
            }
            apply(state, value);
        };
        let (_, value) = self.write_by(change, send, apply).await?;
        Ok(value)
    }

    /// Like [`write`](Self::write), but `send` writes the change, and turns that were taken back are not forgotten.
    pub(super) async fn write_by<T, E: WriteError>(
        &self,
        change: impl FnOnce(&State, &mut Head) -> Result<(Change, T), E>,
        send: impl FnOnce(GroupChange) -> BoxFuture<'static, Result<(), E>>,
        apply: impl FnOnce(&mut State, &T),
    ) -> Result<T, E> {
        let _in_order = self.writes.lock().await;
        let (head, change, value, generation) = loop {
            // the change depends on the rows, for example on the turns that were taken back
            self.load().await?;
            let state = self.state();
            if state.is_gone {
                return Err(self.unknown().into());
            }
            if state.loaded.is_none() {
                continue;
            }
            let mut head = state.head.clone();
            let (mut change, value) = change(&state, &mut head)?;
            if head.next_event_is_new(self.events.next()) {
                head.events = self.events.next() + RESERVED;
            }
            head.changed = millis(SystemTime::now());
            head.origin.form = FORM;
            if head.bytes == 0 {
                change.put.push((ORIGIN, write(&head.origin)));
            }
            let size = change.put.iter().map(|(_, value)| value.len() as u64);
            head.bytes = (head.bytes + size.sum::<u64>()).saturating_sub(change.freed);
            let most = self.shared.most_bytes;
            let is_limited = !change.put.is_empty() && !change.has_happened;
            if head.bytes > most && is_limited {
                let limit = format!(
                    "the conversation `{}` would have more than {most} bytes; begin another one, or raise `max_bytes`",
                    self.id
                );
                return Err(ChatError::Limit(limit).into());
            }
            break (head, change, value, state.generation);
        };
        let group = GroupChange {
            group: self.group,
            head: Some(write(&head)),
            put: change.put,
            delete: change.delete,
            release: change.release,
            turns: change.turns,
        };
        match send(group).await {
            Ok(()) => {
                let mut state = self.state();
                state.head = head;
                apply(&mut state, &value);
                if state.generation != generation {
                    // the rows may have been read before the change, or after it
                    state.unload();
                }
                Ok(value)
            }
            Err(error) => {
                if error.may_have_written() {
                    self.forget(self.state());
                }
                Err(error)
            }
        }
    }

    /// Reserves more event numbers if few are left.
    pub(super) async fn reserve_events(&self) -> Result<(), ChatError> {
        let left = self.state().head.events.saturating_sub(self.events.next());
        if left > RESERVED / 2 {
            return Ok(());
        }
        self.write(|_, _| Ok((Change::default(), ())), |_, ()| {})
            .await
    }
}

/// An error of a write.
pub(super) trait WriteError: From<ChatError> {
    /// Returns whether the change may be in the log.
    fn may_have_written(&self) -> bool;
}

impl WriteError for ChatError {
    fn may_have_written(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}

impl WriteError for RewindError {
    fn may_have_written(&self) -> bool {
        matches!(self, Self::Chat(error) if error.may_have_written())
    }
}

impl Head {
    /// Returns whether too few event numbers are reserved.
    fn next_event_is_new(&self, next: u64) -> bool {
        self.events.saturating_sub(next) < RESERVED
    }
}
