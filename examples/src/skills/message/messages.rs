//! Actions on messages. They require a logged-in user.

use super::{Message, MessageContent, MessageError, SentMessage, ids};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use skill_agent::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The result of sending a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Delivery {
    /// Always true.
    pub sent_status: bool,
    /// The id of the message.
    pub message_id: MessageId,
    /// A sentence that describes the result.
    pub message: String,
}

/// The id of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageId {
    /// A number of five digits.
    pub new_id: u32,
}

/// Send a message to a person.
#[action]
pub fn send_message(
    messages: &mut Message,
    /// Id of the receiver.
    receiver_id: String,
    /// The text.
    message: String,
) -> Result<Delivery, MessageError> {
    messages.check_login()?;
    if !messages.has_user(&receiver_id) {
        return Err(MessageError::UnknownReceiver { receiver_id });
    }
    let new_id =
        ids::next(messages.random_seed, &messages.generated_ids).ok_or(MessageError::NoIdLeft)?;
    let sentence = format!("Message sent to '{receiver_id}' successfully.");
    messages.generated_ids.push(new_id);
    messages.message_count = messages.message_count.saturating_add(1);
    messages.inbox.push(SentMessage {
        receiver_id,
        message: message.into(),
        other_receivers: Map::new(),
    });
    Ok(Delivery {
        sent_status: true,
        message_id: MessageId { new_id },
        message: sentence,
    })
}

/// The result of deleting a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deletion {
    /// Always true.
    pub deleted_status: bool,
    /// Id of the receiver.
    pub receiver_id: String,
    /// A sentence that describes the result.
    pub message: String,
}

/// Delete the latest message to a person.
#[action]
pub fn delete_message(
    messages: &mut Message,
    /// Id of the receiver.
    receiver_id: String,
) -> Result<Deletion, MessageError> {
    messages.check_login()?;
    let mut inbox = messages.inbox.iter();
    match inbox.rposition(|sent| sent.receiver_id == receiver_id) {
        Some(latest) => {
            messages.inbox.remove(latest);
            Ok(Deletion {
                deleted_status: true,
                message: format!("Receiver {receiver_id}'s latest message deleted successfully."),
                receiver_id,
            })
        }
        None => Err(MessageError::NothingSent { receiver_id }),
    }
}

/// The sent messages.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SentMessages {
    /// The messages sent to each receiver, by id, oldest first.
    pub messages: BTreeMap<String, Vec<MessageContent>>,
}

/// Show all sent messages, grouped by receiver.
#[action]
pub fn view_messages_sent(messages: &Message) -> Result<SentMessages, MessageError> {
    messages.check_login()?;
    let mut by_receiver: BTreeMap<String, Vec<MessageContent>> = BTreeMap::new();
    for sent in &messages.inbox {
        let messages = by_receiver.entry(sent.receiver_id.clone()).or_default();
        messages.push(sent.message.clone());
    }
    Ok(SentMessages {
        messages: by_receiver,
    })
}

/// The messages found by a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// The messages, oldest first.
    pub results: Vec<SentMessage>,
}

/// Find messages that contain a word, ignoring case.
#[action]
pub fn search_messages(
    messages: &Message,
    /// The word, or any other part of the text.
    keyword: String,
) -> Result<SearchResults, MessageError> {
    messages.check_login()?;
    let keyword = keyword.to_lowercase();
    let inbox = messages.inbox.iter();
    Ok(SearchResults {
        results: inbox
            .filter(|sent| sent.message.contains(&keyword))
            .cloned()
            .collect(),
    })
}

/// Statistics of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageStats {
    /// The counts.
    pub stats: Stats,
}

/// Counts of messages and receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stats {
    /// The number of messages.
    pub received_count: usize,
    /// The number of people who were sent a message.
    pub total_contacts: usize,
}

/// Count the messages and their receivers.
#[action]
pub fn get_message_stats(messages: &Message) -> Result<MessageStats, MessageError> {
    messages.check_login()?;
    let inbox = messages.inbox.iter();
    let receivers: BTreeSet<&str> = inbox.map(|sent| sent.receiver_id.as_str()).collect();
    Ok(MessageStats {
        stats: Stats {
            received_count: messages.inbox.len(),
            total_contacts: receivers.len(),
        },
    })
}
