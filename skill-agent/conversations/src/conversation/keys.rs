//! Messages that are sent with a key, so that a client may send them again.

use super::{Conversation, State};
use crate::cell::TurnCell;
use crate::rows::{Rest, UsedKey};
use skill_agent_chat::{ChatError, Message};
use std::sync::Arc;
use tokio::sync::watch;

/// The key of a message.
#[derive(Clone, Debug)]
pub(crate) struct MessageKey {
    /// The key as the client chose it.
    given: String,
    pub(crate) used: UsedKey,
}

impl MessageKey {
    pub(crate) fn new(given: String, message: &Message) -> Result<Self, ChatError> {
        if given.is_empty() {
            return Err(ChatError::EmptyKey);
        }
        let used = UsedKey::new(&given, message);
        Ok(Self { given, used })
    }
}

/// The key with which the running turn began.
pub(super) struct TurnKey {
    pub(super) used: UsedKey,
    /// Set once the message is recorded. Dropped if it could not be recorded.
    pub(super) is_recorded: watch::Sender<bool>,
}

impl TurnKey {
    pub(super) fn new(key: &MessageKey) -> Self {
        Self {
            used: key.used.clone(),
            is_recorded: watch::Sender::new(false),
        }
    }
}

/// A turn that began with a key.
pub(super) struct KnownTurn {
    pub(super) cell: Arc<TurnCell>,
    /// Set once the message is recorded, or `None` if it was recorded before.
    is_recorded: Option<watch::Receiver<bool>>,
}

impl KnownTurn {
    /// Waits until the message is recorded.
    pub(super) async fn begun(self) -> Result<Arc<TurnCell>, ChatError> {
        if let Some(mut is_recorded) = self.is_recorded {
            let recorded = is_recorded.wait_for(|is_recorded| *is_recorded).await;
            recorded.map_err(|_| ChatError::Ended)?;
        }
        Ok(self.cell)
    }
}

impl Conversation {
    /// Returns the turn that began with a key, or `None` for a new key.
    ///
    /// # Errors
    /// Returns [`ChatError::UsedKey`] if the key belongs to a different message, or if its turn is no longer known.
    pub(super) fn turn_of(
        &self,
        state: &State,
        key: &MessageKey,
    ) -> Result<Option<KnownTurn>, ChatError> {
        let refused = |problem| Err(ChatError::used_key(&self.id, &key.given, problem));
        let running = state.turn.as_ref();
        let of_running = running.and_then(|turn| Some((turn, turn.key.as_ref()?)));
        let of_running = of_running.filter(|(_, of_turn)| of_turn.used.key == key.used.key);
        let mut recorded = state.head.keys.iter();
        let recorded = recorded.find(|used| used.key == key.used.key);
        let Some(used) = of_running.map(|(_, of_turn)| &of_turn.used).or(recorded) else {
            return Ok(None);
        };
        if used.message != key.used.message {
            return refused("for a different message; each message needs its own key");
        }
        if let Some((turn, of_turn)) = of_running {
            return Ok(Some(KnownTurn {
                cell: Arc::clone(&turn.cell),
                is_recorded: Some(of_turn.is_recorded.subscribe()),
            }));
        }
        let is_taken_back = state.head.has_taken_back(used.turn);
        let last = state.head.last_turn.unwrap_or(state.head.turn);
        let is_last = used.turn == last && !is_taken_back;
        let kept = state.keyed.as_ref();
        let kept = kept
            .filter(|(hash, _)| *hash == used.key)
            .map(|(_, cell)| cell);
        let resumed = running.filter(|_| is_last).map(|turn| &turn.cell);
        if let Some(cell) = kept.or(resumed) {
            return Ok(Some(KnownTurn {
                cell: Arc::clone(cell),
                is_recorded: None,
            }));
        }
        if is_taken_back {
            return refused("and its turn was taken back; send the message with a new key");
        }
        match state.head.rest {
            Rest::Waiting if is_last => refused("and its turn waits for a decision"),
            Rest::Interrupted if is_last => refused("and its turn was cut off; resume it"),
            _ => refused("and its turn has ended; read the history"),
        }
    }
}

impl State {
    /// Keeps the turn of a message with a key, which is recorded now.
    pub(super) fn keep_key(&mut self) {
        if let Some(turn) = &self.turn
            && let Some(key) = &turn.key
        {
            self.keyed = Some((key.used.key.clone(), Arc::clone(&turn.cell)));
            key.is_recorded.send_replace(true);
        }
    }
}
