//! The stored form of a conversation: a head, and rows by number.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent_chat::__private::{is_unfinished, open_calls};
use skill_agent_chat::Message;
use skill_agent_server::__private::{TurnId, hex};
use skill_agent_server::Verdict;
use std::collections::BTreeMap;

/// The number of the stored form. A build refuses a conversation with a higher number.
pub(crate) const FORM: u32 = 2;

/// The row with the conversation's origin, in case the head is lost.
pub(crate) const ORIGIN: u64 = 0;
/// The row of the first message.
pub(crate) const FIRST: u64 = 1;
/// The row of a turn has the turn's number plus this number.
pub(crate) const TURNS: u64 = 1 << 61;
/// The row with the turns that were taken back.
pub(crate) const REDO: u64 = QUEUE - 1;
/// The row of the first queued message.
pub(crate) const QUEUE: u64 = 1 << 62;

/// The most keys of messages that a conversation remembers.
const KEYS: usize = 16;

/// The maximum number of characters in a title from the first message.
const TITLE: usize = 80;

/// The facts about a conversation that never change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub(crate) form: u32,
    pub(crate) id: String,
    /// The prefix of the keys of the conversation's calls. No other conversation has the same prefix.
    pub(crate) uid: String,
    /// When it began, in milliseconds since the Unix epoch.
    pub(crate) began: u64,
}

impl Origin {
    /// Returns the key under which a server holds the output of a call. The number of a turn is never used again, so that no call
    /// finds the output of a call with the same id in a turn that was taken back.
    pub(crate) fn key(&self, turn: Option<u64>, call_id: &str) -> String {
        match turn {
            Some(turn) => {
                let conversation = self.uid.clone();
                TurnId { conversation, turn }.call_key(call_id)
            }
            // the calls of an imported history, and of an earlier build
            None => format!("{}/{call_id}", self.uid),
        }
    }
}

/// The head of a conversation, rewritten with each change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    #[serde(flatten)]
    pub(crate) origin: Origin,
    pub(crate) title: String,
    /// Whether [`rename`](crate::Conversations::rename) has set the title.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_named: bool,
    pub(crate) turns: u64,
    /// The number of the turn that began last. It never falls.
    #[serde(default)]
    pub(crate) turn: u64,
    /// The number of the last turn of the history, if it has a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_turn: Option<u64>,
    /// The first turn that can be taken back. Turns that were copied from another conversation cannot.
    #[serde(default)]
    pub(crate) own_from: u64,
    /// When the conversation last changed, in milliseconds since the Unix epoch.
    pub(crate) changed: u64,
    /// When the last message was recorded, in milliseconds since the Unix epoch.
    pub(crate) recorded: u64,
    /// The number of the next message's row.
    pub(crate) next: u64,
    /// The number of the next queued message's row.
    pub(crate) next_queued: u64,
    /// The first event number that a later process may use.
    pub(crate) events: u64,
    pub(crate) rest: Rest,
    /// The size of all rows, in bytes.
    pub(crate) bytes: u64,
    /// Whether the log lost rows of the last step. The server may then have forgotten which calls it ran.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_cut: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) activations: Option<Value>,
    /// The keys of the latest messages that were sent with one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<UsedKey>,
    /// A verdict that is not carried out yet, and the id of its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<(String, Verdict)>,
}

/// A key that a message was sent with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UsedKey {
    /// The beginning of the key's hash.
    pub(crate) key: String,
    /// The beginning of the message's hash.
    pub(crate) message: String,
    /// The number of the turn that began with the message.
    pub(crate) turn: u64,
}

impl UsedKey {
    /// Returns the key of a message that is not recorded yet.
    pub(crate) fn new(key: &str, message: &Message) -> Self {
        Self {
            key: digest(key.as_bytes()),
            message: digest(&write(message)),
            turn: 0,
        }
    }

    /// Returns whether a message was sent with this key.
    pub(crate) fn is_of(&self, message: &Message) -> bool {
        self.message == digest(&write(message))
    }
}

fn digest(bytes: &[u8]) -> String {
    hex(&hmac_sha256::Hash::hash(bytes)[..8])
}

/// The status of a conversation without a running turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rest {
    Idle,
    Waiting,
    Interrupted,
}

impl Rest {
    /// Returns the status of a history, which may end with a completion whose results are missing.
    pub(crate) fn of(history: &[Message]) -> Self {
        let Some(last) = history.last() else {
            return Self::Idle;
        };
        if !open_calls(history).is_empty() {
            Self::Waiting
        } else if is_unfinished(history) || last.calls().next().is_some() {
            Self::Interrupted
        } else {
            Self::Idle
        }
    }

    /// Returns the status for a queue with or without messages. Queued messages interrupt an idle conversation, because they are
    /// sent only when the next turn begins.
    pub(crate) fn with_queue(self, has_some: bool) -> Self {
        match self {
            Self::Idle if has_some => Self::Interrupted,
            rest => rest,
        }
    }
}

impl Head {
    pub(crate) fn new(origin: Origin) -> Self {
        Self {
            title: String::new(),
            is_named: false,
            turns: 0,
            turn: 0,
            last_turn: None,
            own_from: 0,
            changed: origin.began,
            recorded: origin.began,
            next: FIRST,
            next_queued: QUEUE,
            events: 0,
            rest: Rest::Idle,
            bytes: 0,
            is_cut: false,
            activations: None,
            keys: Vec::new(),
            verdict: None,
            origin,
        }
    }

    /// Adds the key of the message that begins the present turn.
    pub(crate) fn use_key(&mut self, key: &UsedKey) {
        if self.keys.len() >= KEYS {
            self.keys.remove(0);
        }
        let turn = self.turn;
        self.keys.push(UsedKey {
            turn,
            ..key.clone()
        });
    }

    /// Returns whether the newest turns were taken back, with this one among them.
    pub(crate) fn has_taken_back(&self, turn: u64) -> bool {
        turn >= self.own_from && self.last_turn.is_none_or(|last| turn > last)
    }

    /// Sets the title to the first line of the message, unless the conversation has a title.
    pub(crate) fn take_title(&mut self, message: &Message) {
        if self.title.is_empty() && !self.is_named {
            let text = message.text();
            let line = text.trim().lines().next().unwrap_or_default();
            self.title = line.chars().take(TITLE).collect();
        }
    }
}

/// The row of a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TurnRow {
    /// The row of the turn's first message.
    pub(crate) first: u64,
    /// The tools that the turn called and whose effects the conversation's server cannot undo, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) tools: BTreeMap<String, Place>,
}

/// Where a tool has its effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    /// In the log of another agent.
    Agent(String),
    /// Outside, through this source.
    Outside(String),
}

/// Turns that were taken back. Their messages stay in their rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Redo {
    /// The first turn.
    pub(crate) turn: u64,
    /// The turn after the last one.
    pub(crate) to: u64,
    /// The row of the first message.
    pub(crate) first: u64,
    /// The row after the last message.
    pub(crate) end: u64,
    /// The size of the messages in bytes.
    pub(crate) bytes: u64,
    /// The messages that were queued.
    pub(crate) queued: Vec<(u64, Message)>,
    /// The held keys of the calls whose results are missing.
    pub(crate) held: Vec<String>,
    /// The fields of the head from before.
    pub(crate) turns: u64,
    pub(crate) last_turn: Option<u64>,
    pub(crate) title: String,
    pub(crate) recorded: u64,
    pub(crate) rest: Rest,
    pub(crate) is_cut: bool,
    pub(crate) verdict: Option<(String, Verdict)>,
}

/// Reads a stored value.
///
/// # Errors
/// Returns why it cannot be read, such as the number of a newer form.
pub(crate) fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Form {
        form: Option<u32>,
    }
    if let Ok(Form { form: Some(form) }) = serde_json::from_slice(bytes)
        && form > FORM
    {
        return Err(format!(
            "it has form {form}, and this build reads up to form {FORM}; a newer build wrote it"
        ));
    }
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

/// Writes a value. Our own types have no value that JSON cannot express.
pub(crate) fn write(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
