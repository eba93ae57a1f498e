//! Sends messages into running turns.

use super::storage::Change;
use super::{Begin, Conversation};
use crate::cell::TurnCell;
use skill_agent_chat::__private::check_said;
use skill_agent_chat::{ChatError, Message};
use std::sync::{Arc, OnceLock};

impl Conversation {
    /// Sends a message into the running turn, or begins the next one with it.
    pub(crate) async fn steer(
        self: &Arc<Self>,
        message: Message,
    ) -> Result<Arc<TurnCell>, ChatError> {
        check_said(&message, 0)?;
        if self.state().reads_images == Some(false) && message.has_image() {
            return Err(ChatError::Images);
        }
        self.load().await?;
        let is_free = {
            let state = self.state();
            state.turn.is_none() && !state.has_open_calls()
        };
        let message = if is_free {
            match self.begin(Begin::Say(message, None)).await {
                Err(ChatError::Busy { message, .. }) => *message,
                begun => return begun,
            }
        } else {
            message
        };
        let (said, turn) = (&message, OnceLock::new());
        self.write(
            |_, head| {
                let mut change = Change::default();
                let number = change.enqueue(head, said);
                head.rest = head.rest.with_queue(true);
                Ok((change, number))
            },
            |state, number| {
                if let Some(loaded) = &mut state.loaded {
                    loaded.queued.push((*number, said.clone()));
                }
                let _ = turn.set(match &state.turn {
                    Some(turn) => (Arc::clone(&turn.cell), true),
                    None => (Arc::clone(&state.next), state.has_open_calls()),
                });
            },
        )
        .await?;
        let (cell, waits) = turn.into_inner().ok_or(ChatError::Ended)?;
        if !waits {
            // the turn has ended in the meantime; if another caller begins a turn first, that turn takes the message
            match self.begin(Begin::Queued).await {
                Err(ChatError::Busy { .. } | ChatError::NothingToResume) => {}
                begun => return begun,
            }
        }
        Ok(cell)
    }
}
