//! Messages to the people of a workspace.
//!
//! Message ids look random but are deterministic: [`ids`] derives them from a seed in the state.

mod contacts;
pub mod ids;
mod messages;

pub use contacts::*;
pub use messages::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent::prelude::*;

/// Find people in a workspace and exchange messages with them.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "message",
    state_key = "message",
    version = "0.1.0",
    category = "communication",
    actions(
        ListUsers, GetUserId, AddContact, MessageLogin, MessageGetLoginStatus, // people
        SendMessage, DeleteMessage, ViewMessagesSent, SearchMessages, GetMessageStats
    )
)]
pub struct Message {
    /// The people, in the order in which they were added.
    #[skill(default = first_contacts())]
    pub contacts: Vec<Contact>,
    /// The number of ids assigned so far.
    #[skill(default = 4)]
    pub user_count: u32,
    /// All messages, oldest first.
    #[skill(default = first_messages())]
    pub inbox: Vec<SentMessage>,
    /// The number of messages sent so far.
    #[skill(default = 3)]
    pub message_count: u32,
    /// Id of the logged-in user.
    #[skill(default)]
    pub current_user: Option<String>,
    /// The seed of the message ids.
    #[skill(default = 200_191)]
    pub random_seed: u32,
    /// The ids of all messages.
    #[skill(default)]
    pub generated_ids: Vec<u32>,
}

/// A person of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contact {
    /// The name of the person.
    pub name: String,
    /// The id of the person.
    pub user_id: String,
}

/// A sent message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SentMessage {
    /// Id of the receiver.
    pub receiver_id: String,
    /// The content of the message.
    pub message: MessageContent,
    /// Further receivers that another program stored in the same entry, with their messages. No action reads them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub other_receivers: Map<String, Value>,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MessageContent {
    /// A text, as the skill sends it.
    Text(String),
    /// Several texts that another program stored as one message.
    Texts(Vec<String>),
    /// Any other content that another program stored.
    Other(Value),
}

impl MessageContent {
    /// Whether one of the texts contains a word in lower case, ignoring case.
    fn contains(&self, keyword: &str) -> bool {
        let has = |text: &String| text.to_lowercase().contains(keyword);
        match self {
            Self::Text(text) => has(text),
            Self::Texts(texts) => texts.iter().any(has),
            Self::Other(_) => false,
        }
    }
}

impl From<String> for MessageContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

fn first_contacts() -> Vec<Contact> {
    [
        ("Alice", "USR001"),
        ("Bob", "USR002"),
        ("Catherine", "USR003"),
        ("Daniel", "USR004"),
    ]
    .map(|(name, user_id)| Contact {
        name: name.to_owned(),
        user_id: user_id.to_owned(),
    })
    .into()
}

fn first_messages() -> Vec<SentMessage> {
    [
        ("USR002", "My name is Alice. I want to connect."),
        ("USR003", "Could you upload the file?"),
        ("USR004", "Could you upload the file?"),
    ]
    .map(|(receiver_id, message)| SentMessage {
        receiver_id: receiver_id.to_owned(),
        message: message.to_owned().into(),
        other_receivers: Map::new(),
    })
    .into()
}

impl Message {
    fn has_user(&self, user_id: &str) -> bool {
        self.contacts
            .iter()
            .any(|contact| contact.user_id == user_id)
    }

    /// Fails if no user is logged in.
    fn check_login(&self) -> Result<(), MessageError> {
        match self.current_user.as_deref() {
            None | Some("") => Err(MessageError::NotLoggedIn),
            Some(_) => Ok(()),
        }
    }
}

/// An error of the message actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// No user is logged in.
    #[error("No user is currently logged in.")]
    NotLoggedIn,
    /// No person has this name.
    #[error("User '{name}' not found in the workspace.")]
    UnknownUser {
        /// The name.
        name: String,
    },
    /// The name is taken.
    #[error("User name '{name}' already exists.")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// No person has this id.
    #[error("Receiver ID '{receiver_id}' not found.")]
    UnknownReceiver {
        /// The id.
        receiver_id: String,
    },
    /// No message was sent to this id.
    #[error("Receiver ID {receiver_id} not found.")]
    NothingSent {
        /// The id.
        receiver_id: String,
    },
    /// All ids are used.
    #[error("There is no ID left.")]
    NoIdLeft,
}
