//! The effect of taking turns back.

use super::RewindError;
use serde_json::Value;
use skill_agent_chat::Message;
use std::fmt;

/// The turns that were taken back or brought back.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rewound {
    /// The number of the first turn.
    pub turn: u64,
    /// The number of turns.
    pub turns: usize,
    /// The message that began the first turn.
    pub message: Message,
    /// The messages from [`steer`](crate::Conversations::steer) that still waited. They left the conversation with the turns, or
    /// wait again.
    pub queued: Vec<Message>,
}

/// The effect that [`rewind`](crate::Conversations::rewind) or [`redo`](crate::Conversations::redo) would have.
#[derive(Debug)]
#[non_exhaustive]
pub struct RewindPreview {
    /// The states that would change.
    pub states: Vec<RewoundState>,
    /// The effects of the turns that stay.
    pub stays: Vec<LastingEffect>,
    /// The error that the method would return without `force`.
    pub refused: Option<RewindError>,
}

/// A state that taking turns back replaces.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RewoundState {
    /// The agent's name.
    pub agent: String,
    /// The state key of the skill, or the agent's name for the agent's own fields.
    pub skill: String,
    /// The present state, including secrets.
    pub now: Value,
    /// The state that would replace it, including secrets.
    pub then: Value,
}

/// An effect of a turn that stays if the turn is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LastingEffect {
    /// A call had effects outside the agent's state, or may have had some.
    #[non_exhaustive]
    Call {
        /// The name of the tool's source.
        source: String,
        /// The tool's name.
        tool: String,
    },
    /// A signal was sent.
    #[non_exhaustive]
    Signal {
        /// The signal's type.
        ty: String,
    },
    /// A scheduled signal was delivered, replaced or cancelled.
    #[non_exhaustive]
    Schedule {
        /// The signal's type.
        ty: String,
    },
    /// The signal that was scheduled under a key was replaced or cancelled.
    #[non_exhaustive]
    Cancelled {
        /// The key that `cx.schedule_as` gave.
        key: String,
    },
    /// A child was started.
    #[non_exhaustive]
    Child {
        /// The child's id.
        id: String,
    },
}

impl fmt::Display for LastingEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call { source, tool } => {
                write!(f, "the call of `{tool}` of `{source}` had effects outside")
            }
            Self::Signal { ty } => write!(f, "the signal `{ty}` was sent"),
            Self::Schedule { ty } => {
                write!(
                    f,
                    "the scheduled signal `{ty}` was delivered, replaced or cancelled"
                )
            }
            Self::Cancelled { key } => {
                write!(
                    f,
                    "the signal scheduled under `{key}` was replaced or cancelled"
                )
            }
            Self::Child { id } => write!(f, "the child `{id}` was started"),
        }
    }
}
