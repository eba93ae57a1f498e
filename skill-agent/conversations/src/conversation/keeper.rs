//! Records the steps of a running turn.

use super::storage::Change;
use super::{Conversation, State};
use crate::rows::{Head, Origin, Rest, TurnRow};
use skill_agent_chat::__private::{Recording, ReleasedKey, StepKeeper};
use skill_agent_chat::{ChatError, Message, Role};
use skill_agent_server::BoxFuture;
use std::sync::{Arc, Weak};

/// Records one conversation. The reference is weak, because the conversation owns the chat, which owns the keeper.
pub(super) struct Keeper {
    conversation: Weak<Conversation>,
    origin: Origin,
}

impl Keeper {
    pub(super) fn of(conversation: &Arc<Conversation>) -> Self {
        Self {
            conversation: Arc::downgrade(conversation),
            origin: conversation.state().head.origin.clone(),
        }
    }

    async fn record(&self, recording: Recording<'_>, replaces: bool) -> Result<(), ChatError> {
        let Some(conversation) = self.conversation.upgrade() else {
            return Err(ChatError::Ended);
        };
        let (here, elsewhere) = conversation.released(recording.released);
        let messages = recording.messages;
        let places = conversation.places(recording.tools);
        // the replaced message left the queue when its turn began
        let steered = if replaces {
            0
        } else {
            let of_user = messages.iter().filter(|message| message.is_of_user());
            of_user.count()
        };
        let change = |state: &State, head: &mut Head| {
            let has_results = messages
                .first()
                .is_some_and(|first| first.role == Role::Tool);
            let mut change = Change {
                release: here,
                has_happened: has_results,
                ..Change::default()
            };
            if replaces {
                let last = state.loaded.as_ref().and_then(|loaded| loaded.shown.last());
                change.replace_last(head, last);
            }
            change.append(head, messages);
            let turn = state.with_places(places);
            change.put_turn(turn.as_ref());
            let queued = state.queued();
            let (recorded, rest) = queued.split_at(steered.min(queued.len()));
            change.dequeue(recorded);
            if !messages.is_empty() {
                head.rest = Rest::of(messages).with_queue(!rest.is_empty());
                head.is_cut = false;
                head.verdict = None;
            }
            Ok((change, turn))
        };
        let apply = |state: &mut State, turn: &Option<(u64, TurnRow)>| {
            if let Some(loaded) = &mut state.loaded {
                loaded.turns.extend(turn.iter().cloned());
                loaded.queued.drain(..steered.min(loaded.queued.len()));
            }
            if let Some(turn) = &mut state.turn {
                turn.steered = turn.steered.saturating_sub(steered);
            }
        };
        conversation.write(change, apply).await?;
        release(elsewhere);
        Ok(())
    }
}

/// Keys whose outputs servers no longer have to hold.
type Released = Vec<ReleasedKey>;

impl Conversation {
    /// Separates the keys of the conversations' own server from the keys of other servers. The own keys are released together
    /// with the record.
    fn released(&self, keys: Released) -> (Vec<String>, Released) {
        let is_here = |key: &ReleasedKey| key.server.is_same(&self.shared.server);
        let (here, elsewhere): (Vec<_>, Vec<_>) = keys.into_iter().partition(is_here);
        (here.into_iter().map(|key| key.key).collect(), elsewhere)
    }
}

/// Releases keys of other servers. If this fails, the server forgets the key after thirty days.
fn release(keys: Released) {
    if keys.is_empty() {
        return;
    }
    tokio::spawn(async move {
        for ReleasedKey { server, key } in keys {
            if let Err(error) = server.release(vec![key]).await {
                tracing::debug!(%error, "a key is not released");
            }
        }
    });
}

impl StepKeeper for Keeper {
    fn key(&self, call_id: &str) -> String {
        let conversation = self.conversation.upgrade();
        let turn = conversation.and_then(|conversation| conversation.state().head.last_turn);
        self.origin.key(turn, call_id)
    }

    fn append<'a>(&'a self, recording: Recording<'a>) -> BoxFuture<'a, Result<(), ChatError>> {
        Box::pin(self.record(recording, false))
    }

    fn replace_last<'a>(
        &'a self,
        recording: Recording<'a>,
    ) -> BoxFuture<'a, Result<(), ChatError>> {
        Box::pin(self.record(recording, true))
    }

    fn take_steered(&self) -> Vec<Message> {
        let Some(conversation) = self.conversation.upgrade() else {
            return Vec::new();
        };
        let mut state = conversation.state();
        let state = &mut *state;
        let (Some(loaded), Some(turn)) = (&state.loaded, &mut state.turn) else {
            return Vec::new();
        };
        let new = loaded.queued.iter().skip(turn.steered);
        let new: Vec<_> = new.map(|(_, message)| message.clone()).collect();
        turn.steered += new.len();
        new
    }
}
