//! Conversations that outlive their process and their caller.
//!
//! A [`Chat`](skill_agent_chat::Chat) lives as long as the value that holds it. [`Conversations`] keep chats in the log of an
//! agent's server. A turn continues even if its caller stops waiting, and can be resumed after a restart.

mod cell;
mod conversation;
mod conversations;
mod entries;
mod events;
mod info;
mod open;
mod rewind;
mod rows;
mod running;
mod stored;

pub use conversations::Conversations;
pub use entries::MAX_ID_BYTES;
pub use events::{ChatEvent, KEPT_EVENT_BYTES, KEPT_EVENTS};
pub use info::{ConversationInfo, ConversationPage, ConversationStatus, TurnStart};
pub use open::{MAX_CONVERSATION_BYTES, MAX_CONVERSATIONS, OpenConversations, RUNNING_TURNS};
pub use rewind::{LastingEffect, Rewind, RewindError, RewindPreview, Rewound, RewoundState};
pub use running::{ConversationEvents, RunningTurn};
