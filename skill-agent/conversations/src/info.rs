//! Descriptions of conversations for programs.

use serde::{Deserialize, Serialize};
use skill_agent_chat::{Message, PendingCall};
use std::time::SystemTime;

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationInfo {
    /// The id that the program chose.
    pub id: String,
    /// The first line of the first message, or the title from [`rename`](crate::Conversations::rename).
    pub title: String,
    /// The number of messages that began a turn.
    pub turns: u64,
    /// The number of the last turn, for [`rewind`](crate::Conversations::rewind). `None` if the history has no turn that can be
    /// taken back.
    pub last_turn: Option<u64>,
    /// When the conversation began.
    pub began: SystemTime,
    /// When the conversation last changed.
    pub changed: SystemTime,
    /// Whether a turn is running, or what the conversation waits for.
    pub status: ConversationStatus,
}

/// Whether a turn of a conversation is running, or what the conversation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ConversationStatus {
    /// The conversation waits for a message.
    Idle,
    /// The conversation's turn waits until fewer turns are running.
    Queued,
    /// The conversation's turn is running.
    Running,
    /// Calls wait for approval. Continue with [`decide`](crate::Conversations::decide).
    Waiting,
    /// The last turn ended early, for example because of a restart, an error or a cancellation, or messages still wait for a
    /// request. Continue with [`resume`](crate::Conversations::resume).
    Interrupted,
}

/// A conversation at one point in time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConversationPage {
    /// The conversation's entry in the list.
    pub info: ConversationInfo,
    /// The messages of all complete steps, and the message that began the running turn.
    pub history: Vec<Message>,
    /// The turns of the history, in order. Imported turns are left out.
    pub turns: Vec<TurnStart>,
    /// The calls waiting for approval.
    pub pending: Vec<PendingCall>,
    /// The messages that wait for the next request.
    pub queued: Vec<Message>,
    /// The number of the last event that `history` covers, for [`events`](crate::Conversations::events). `None` if this process
    /// has sent no event.
    pub last_event: Option<u64>,
}

/// The beginning of a turn in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnStart {
    /// The number of the turn. Numbers rise within a conversation and are never used again, so some may be missing.
    pub turn: u64,
    /// The index of the turn's first message in the history.
    pub message: usize,
}

/// The number of the exported form. A build refuses to import a higher number than [`FORM`](crate::rows::FORM).
pub(crate) const EXPORTED_FORM: u32 = 1;

/// A conversation as JSON, written by [`export`](crate::Conversations::export).
#[derive(Serialize, Deserialize)]
pub(crate) struct Exported {
    pub(crate) form: u32,
    pub(crate) title: String,
    /// When the conversation began, in milliseconds since the Unix epoch.
    pub(crate) began: u64,
    pub(crate) messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) activations: Option<serde_json::Value>,
}
