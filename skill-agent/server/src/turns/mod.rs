//! The turns of durable conversations: the state of each skill from before a turn changed it, so that the turn can be taken back.
//!
//! A call of a conversation runs under a held key that names its turn. The first time a turn changes a skill, the earlier state
//! becomes a row in the commit of the change. Another row, the turn's mark, lists these states with hashes, and the directives
//! that the turn queued. Commands of other callers write no row.

mod change;
mod effects;
mod index;
mod mark;
mod plan;
mod restored;
mod rows;
mod work;

pub use change::TurnsChange;
pub(crate) use index::{KeptTurns, TrackedTurn, TurnState, Turns};
pub use mark::TurnEffect;
pub(crate) use mark::{StateMark, TurnMark, Withdrawn};
pub(crate) use plan::{Planned, plan};
pub(crate) use restored::{read_kept, restored_turns};
pub(crate) use rows::{delete_turns, lost_turns, put_mark, put_state, read_state};
pub(crate) use work::TurnsWork;

use crate::idempotency::held_given;
use crate::rows::GroupChange;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum number of bytes of the states that are kept for one conversation.
pub const KEPT_TURN_BYTES: u64 = 16 << 20;

/// The mark of turns that were taken back has the number of their first turn with this bit.
pub(crate) const REDO: u64 = 1 << 63;

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnId {
    /// The unique id of the conversation. It contains no slash.
    pub conversation: String,
    /// The number of the turn.
    pub turn: u64,
}

impl TurnId {
    /// Returns the held key of a call in this turn.
    pub fn call_key(&self, call_id: &str) -> String {
        format!("{}/{call_id}", self.to_text())
    }

    pub(crate) fn to_text(&self) -> String {
        format!("{}/#{}", self.conversation, self.turn)
    }

    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let (conversation, turn) = text.split_once("/#")?;
        Some(Self {
            conversation: conversation.to_owned(),
            turn: turn.parse().ok()?,
        })
    }

    /// Returns the turn of a call by its held key.
    pub(crate) fn of_call(key: &str) -> Option<Self> {
        let (turn, _) = key.rsplit_once('/')?;
        Self::of_text(turn)
    }

    /// Returns the turn of a call by the stored form of its key.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        held_given(key).and_then(Self::of_call)
    }
}

/// The command that changed a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changer {
    /// The command in words, such as "the action `add_note`".
    pub command: String,
    /// The unique id of the conversation that made the call, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
}

impl Changer {
    pub(crate) fn unknown() -> Self {
        Self {
            command: "a command that is no longer known".to_owned(),
            conversation: None,
        }
    }

    fn is_of(&self, conversation: &str) -> bool {
        self.conversation.as_deref() == Some(conversation)
    }
}

/// Turns to take back, or to bring back.
#[derive(Clone, Debug)]
pub struct TurnsRange {
    /// The unique id of the conversation.
    pub conversation: String,
    /// The first turn.
    pub from: u64,
    /// The turn after the last one.
    pub to: u64,
    /// Whether turns that were taken back are brought back.
    pub is_redo: bool,
}

impl TurnsRange {
    /// Returns the numbers of the marks.
    pub(crate) fn marks(&self) -> std::ops::Range<u64> {
        if self.is_redo {
            (REDO | self.from)..(REDO | self.from) + 1
        } else {
            self.from..self.to
        }
    }
}

/// Takes turns back, or brings them back, in one commit with a change of rows.
#[derive(Debug)]
pub struct TurnsRestore {
    /// The turns to take back or to bring back.
    pub turns: TurnsRange,
    /// The change of the conversation's rows.
    pub change: GroupChange,
    /// Whether to restore states that were changed since.
    pub force: bool,
    /// The ids of the open approval requests to withdraw.
    pub requests: Vec<String>,
    /// The conversation's id, for people who read the log.
    pub name: String,
}

/// The effect of a [`TurnsRestore`] that is not carried out.
#[derive(Debug, Default)]
pub struct TurnsView {
    /// The states that would change.
    pub states: Vec<StateView>,
    /// The effects of the turns that stay.
    pub effects: Vec<TurnEffect>,
    /// The key of another signal that would be replaced, if any.
    pub replaced: Option<String>,
}

/// A state that a [`TurnsRestore`] would replace.
#[derive(Debug)]
pub struct StateView {
    /// The state key. It is empty for the agent's own fields.
    pub key: String,
    /// The present state as JSON.
    pub now: Value,
    /// The state that would replace it, as JSON.
    pub then: Value,
    /// The command of another caller that changed the state since, if any.
    pub changed: Option<Changer>,
}

/// Why turns cannot be taken back.
#[derive(Debug, thiserror::Error)]
pub enum TurnsError {
    /// The states from before the turns are no longer kept.
    #[error("the states are no longer kept")]
    TooOld,
    /// Another signal was scheduled under this key since the turns were taken back.
    #[error("another signal was scheduled under the key `{0}`")]
    Scheduled(String),
    /// This command of the turns has not run to its end.
    #[error("{0} still runs")]
    Running(String),
    /// Another command changed a skill since.
    #[error("another command changed `{key}`")]
    Changed {
        /// The state key. It is empty for the agent's own fields.
        key: String,
        /// The last command that changed it.
        by: Changer,
    },
}
