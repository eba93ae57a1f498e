//! Actions on messages. A user must be logged in.

use super::{Message, MessageError, SentMessage, ids};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The answer to a sent message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Delivery {
    /// True.
    pub sent_status: bool,
    /// The id of the message.
    pub message_id: MessageId,
    /// A sentence about it.
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
    /// Id of the person it goes to.
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
        message,
    });
    Ok(Delivery {
        sent_status: true,
        message_id: MessageId { new_id },
        message: sentence,
    })
}

/// The answer to a deleted message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deletion {
    /// True.
    pub deleted_status: bool,
    /// Id of the person it had gone to.
    pub receiver_id: String,
    /// A sentence about it.
    pub message: String,
}

/// Delete the latest message to a person.
#[action]
pub fn delete_message(
    messages: &mut Message,
    /// Id of the person it went to.
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

/// Everything that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SentMessages {
    /// For each person's id the texts that went to them, oldest first.
    pub messages: BTreeMap<String, Vec<String>>,
}

/// Show all messages that were sent, person by person.
#[action]
pub fn view_messages_sent(messages: &Message) -> Result<SentMessages, MessageError> {
    messages.check_login()?;
    let mut by_receiver: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for sent in &messages.inbox {
        let texts = by_receiver.entry(sent.receiver_id.clone()).or_default();
        texts.push(sent.message.clone());
    }
    Ok(SentMessages {
        messages: by_receiver,
    })
}

/// The messages found by a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// The messages, oldest first.
    pub results: Vec<SentMessage>,
}

/// Find messages that contain a word, in small or capital letters.
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
            .filter(|sent| sent.message.to_lowercase().contains(&keyword))
            .cloned()
            .collect(),
    })
}

/// The statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageStats {
    /// The counts.
    pub stats: Stats,
}

/// Counts over all messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stats {
    /// How many messages there are.
    pub received_count: usize,
    /// How many people they went to.
    pub total_contacts: usize,
}

/// Count the messages and the people they went to.
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
