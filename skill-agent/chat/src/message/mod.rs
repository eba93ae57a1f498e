//! Messages from a person, a model and its tools.

mod context;
mod identity;
mod media;
mod parts;

pub(crate) use context::escaped;
pub use context::{ContextOrigin, ContextPart};
pub(crate) use identity::Identity;
pub use media::{FilePart, ImagePart};
pub use parts::{CallPart, KeptItem, MessagePart, OpaquePart, ResultPart, TextPart};

use serde::de::{Error, IgnoredAny, IntoDeserializer, value};
use serde::{Deserialize, Deserializer, Serialize};

/// One message of a conversation.
///
/// A struct literal is a compile error (E0639). Use [`Message::new`], or [`Message::user`] and [`Message::assistant`] for text.
///
/// Messages implement `Serialize` and `Deserialize`, so that another process can continue a stored conversation.
///
/// ```
/// use skill_agent::chat::{Message, Role};
///
/// let message = Message::from("Remember to buy milk.");
/// assert_eq!(message.role, Role::User);
/// let text = serde_json::to_string(&message)?;
/// assert_eq!(text, r#"{"role":"user","parts":[{"type":"text","text":"Remember to buy milk."}]}"#);
/// assert_eq!(serde_json::from_str::<Message>(&text)?, message);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredMessage")]
#[non_exhaustive]
pub struct Message {
    /// The author of the message.
    pub role: Role,
    /// Parts of the message, in order.
    pub parts: Vec<MessagePart>,
    /// `true` if the model paused within a completion. The model continues when it receives the message again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_paused: bool,
    /// `true` if the chat sent this message to ask for a corrected answer. The message then belongs to the turn before it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_repair: bool,
    /// `true` if the user sent this message into a running turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_steered: bool,
}

/// A stored message. Another library may have written it in a different form.
#[derive(Deserialize)]
struct StoredMessage {
    /// The role as a string. The message's form is checked before the role, because an error about the form is more helpful.
    role: String,
    #[serde(default, deserialize_with = "stored_parts")]
    parts: Option<Vec<MessagePart>>,
    /// The text of a message in OpenAI's or Anthropic's format. Our own messages lack this field.
    content: Option<IgnoredAny>,
    #[serde(default)]
    is_paused: bool,
    #[serde(default)]
    is_repair: bool,
    #[serde(default)]
    is_steered: bool,
}

impl TryFrom<StoredMessage> for Message {
    type Error = value::Error;

    fn try_from(stored: StoredMessage) -> Result<Self, value::Error> {
        let is_system = matches!(stored.role.as_str(), "system" | "developer");
        let parts = match (stored.parts, stored.content) {
            (Some(_), _) if is_system => return Err(value::Error::custom(OF_THE_SYSTEM)),
            (Some(parts), _) => parts,
            (None, Some(_)) if is_system => {
                let both = format!("{OF_A_PROVIDER}; {OF_THE_SYSTEM}");
                return Err(value::Error::custom(both));
            }
            (None, Some(_)) => return Err(value::Error::custom(OF_A_PROVIDER)),
            (None, None) => return Err(value::Error::missing_field("parts")),
        };
        Ok(Self {
            role: Role::deserialize(stored.role.into_deserializer())?,
            parts,
            is_paused: stored.is_paused,
            is_repair: stored.is_repair,
            is_steered: stored.is_steered,
        })
    }
}

const OF_A_PROVIDER: &str = "a message with `content` has the form of a provider, and a message of a chat has `parts`; write it anew: \
     `Message::user(\"Note milk.\")` for what the user said, and `Message::assistant(\"Noted.\")` for what the model said";

const OF_THE_SYSTEM: &str =
    "a history has no message of the role `system`: `ChatBuilder::system` takes its text";

/// Reads the parts of a message. If the message has an unknown form, the error shows an example.
fn stored_parts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<MessagePart>>, D::Error> {
    const TEXT: &str = r#"`{"type":"text","text":"Note milk."}`"#;
    Option::deserialize(deserializer).map_err(|error| {
        let problem = error.to_string();
        if let Some(place) = problem.strip_prefix("missing field `type`") {
            D::Error::custom(format!(
                "a part of a message has a `type`, as in {TEXT}{place}"
            ))
        } else if problem.starts_with("invalid type: ") && problem.contains("expected a sequence") {
            D::Error::custom(format!(
                "the parts of a message are a list of parts such as {TEXT}: {problem}"
            ))
        } else {
            error
        }
    })
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or code that acts on the person's behalf.
    User,
    /// The model.
    Assistant,
    /// The tools. The message contains the results of the previous message's calls, in the same order.
    Tool,
}

impl Message {
    /// Creates a message from its parts.
    pub fn new(role: Role, parts: Vec<MessagePart>) -> Self {
        Self {
            role,
            parts,
            is_paused: false,
            is_repair: false,
            is_steered: false,
        }
    }

    /// Creates a text message from the user, like `Message::from(text)`.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![TextPart::new(text).into()])
    }

    /// Creates a text message from the model, for the [history](super::ChatBuilder::history) to continue.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, vec![TextPart::new(text).into()])
    }

    /// Returns the text of the message's text parts, joined without a separator.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            MessagePart::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns whether the message has no content: no parts, or only blank text.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| match part {
            MessagePart::Text(text) => text.text.trim().is_empty(),
            MessagePart::Context(_) => true,
            _ => false,
        })
    }

    /// Returns an error if the data of an image or a file is not valid base64.
    pub(super) fn check_media(&self) -> Result<(), String> {
        self.parts.iter().try_for_each(|part| match part {
            MessagePart::Image(image) => image.check_data(),
            MessagePart::File(file) => file.check_data(),
            _ => Ok(()),
        })
    }

    /// Returns whether the message has an image.
    #[doc(hidden)]
    #[must_use]
    pub fn has_image(&self) -> bool {
        let is_image = |part: &MessagePart| matches!(part, MessagePart::Image(_));
        self.parts.iter().any(is_image)
    }

    /// Iterates over the message's calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &CallPart> {
        calls(&self.parts)
    }

    /// Iterates over the call results in the message, in order.
    pub fn results(&self) -> impl Iterator<Item = &ResultPart> {
        self.parts.iter().filter_map(|part| match part {
            MessagePart::Result(result) => Some(result),
            _ => None,
        })
    }

    /// Iterates over the parts that the chat added for the model, in order.
    pub fn contexts(&self) -> impl Iterator<Item = &ContextPart> {
        self.parts.iter().filter_map(|part| match part {
            MessagePart::Context(part) => Some(part),
            _ => None,
        })
    }

    /// Returns the groups whose tools the message reveals to a model that reads tools in messages, each with the id of its call.
    #[doc(hidden)]
    pub fn revealed_groups(&self) -> impl Iterator<Item = (&str, &str)> {
        // providers accept tools only in or behind the result of a call
        let has_result = |call: &str| {
            let mut results = self.results();
            results.any(|part| part.id == call && !part.is_error())
        };
        let parts = self.contexts().filter_map(move |part| {
            let call = part.call.as_deref()?;
            has_result(call).then_some((call, part))
        });
        parts.flat_map(|(call, part)| part.groups.iter().map(move |group| (call, group.as_str())))
    }

    /// Returns whether the message comes from the user and is not the chat's request for a corrected answer.
    #[doc(hidden)]
    pub fn is_of_user(&self) -> bool {
        self.role == Role::User && !self.is_repair
    }

    pub(super) fn calls_mut(&mut self) -> impl Iterator<Item = &mut CallPart> {
        self.parts.iter_mut().filter_map(|part| match part {
            MessagePart::Call(call) => Some(call),
            _ => None,
        })
    }

    pub(super) fn results_mut(&mut self) -> impl Iterator<Item = &mut ResultPart> {
        self.parts.iter_mut().filter_map(|part| match part {
            MessagePart::Result(result) => Some(result),
            _ => None,
        })
    }

    /// Appends a part to the message.
    #[must_use]
    pub fn with(mut self, part: impl Into<MessagePart>) -> Self {
        self.parts.push(part.into());
        self
    }
}

/// Iterates over the calls among the parts.
pub(super) fn calls(parts: &[MessagePart]) -> impl Iterator<Item = &CallPart> {
    parts.iter().filter_map(|part| match part {
        MessagePart::Call(call) => Some(call),
        _ => None,
    })
}

/// Creates a text message from the user.
impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::user(text)
    }
}

/// Creates a text message from the user.
impl From<&String> for Message {
    fn from(text: &String) -> Self {
        Self::user(text)
    }
}

/// Creates a text message from the user.
impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::user(text)
    }
}
