//! The parts of messages. Parts that a model wrote may keep the provider's own JSON.

use super::{ContextPart, FilePart, ImagePart};
use serde::{Deserialize, Serialize};
use skill_agent_models::{ToolCall, ToolResult};
use skill_agent_toolbox::{OutputPart, ToolError, ToolOutput};
use std::borrow::Cow;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MessagePart {
    /// Text.
    Text(TextPart),
    /// An image.
    Image(ImagePart),
    /// A file.
    File(FilePart),
    /// Reasoning of the model. The text is empty if the provider hides it.
    Reasoning(TextPart),
    /// A tool call.
    Call(CallPart),
    /// The result of a call.
    Result(ResultPart),
    /// A part that only its provider can read, such as a search run by the provider.
    Opaque(OpaquePart),
    /// Text that the chat adds for the model.
    Context(ContextPart),
}

/// A part in the provider's original form. It is sent back unchanged to the same provider. It can contain signatures and
/// encrypted reasoning, so the provider may reject the conversation without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeptItem {
    /// The name of the item's format, such as `anthropic`. If the server is not the provider's own, the name continues with the
    /// server, as in `openai_chat@localhost:8080`. A model with a different format or server leaves the item out and writes the
    /// part in its own form.
    pub provider: String,
    /// The item as JSON text rather than a value, so that it is sent back byte for byte.
    pub json: String,
}

impl KeptItem {
    /// Creates an item from its provider's name and JSON text.
    pub fn new(provider: impl Into<String>, json: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            json: json.into(),
        }
    }
}

/// Text, or the reasoning of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextPart {
    /// The text. It is empty if the provider hides its reasoning.
    pub text: String,
    /// The provider's original form of this part, if there is one to send back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<KeptItem>,
}

impl TextPart {
    /// Creates a text part without an item.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            item: None,
        }
    }

    /// Attaches the provider's original form of this part.
    #[must_use]
    pub fn with_item(mut self, item: KeptItem) -> Self {
        self.item = Some(item);
        self
    }
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallPart {
    /// The id of the call, built from the turn, step and call numbers. Unlike a provider's own id, it is unique in its
    /// conversation. It is empty in a part from a [`ChatModel`](crate::ChatModel).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The call as the model wrote it, with the provider's id. The arguments may be malformed.
    pub call: ToolCall,
    /// The provider's original form of this part, if there is one to send back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<KeptItem>,
}

impl CallPart {
    /// Creates a call without an id.
    pub fn new(call: ToolCall) -> Self {
        Self {
            id: String::new(),
            call,
            item: None,
        }
    }

    /// Attaches the provider's original form of this part.
    #[must_use]
    pub fn with_item(mut self, item: KeptItem) -> Self {
        self.item = Some(item);
        self
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultPart {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The provider's call id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The name of the called tool.
    pub name: String,
    /// The output or the error of the call.
    pub result: Result<ToolOutput, ToolError>,
    /// The checksum of the message that contains the call, set while the call is waiting for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[doc(hidden)]
    pub calls_checksum: Option<String>,
    /// `true` if the call delivered the typed answer that ended its turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[doc(hidden)]
    pub gives_answer: bool,
}

impl ResultPart {
    /// Creates the result of a call.
    pub fn new(call: &CallPart, result: Result<ToolOutput, ToolError>) -> Self {
        Self {
            id: call.id.clone(),
            provider_id: call.call.id.clone(),
            name: call.call.name.clone(),
            result,
            calls_checksum: None,
            gives_answer: false,
        }
    }

    /// Returns the output's text, or the error's message.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.result {
            Ok(output) => output.text(),
            Err(error) => error.to_string().into(),
        }
    }

    /// Returns the parts of the output, or an empty slice for an error.
    #[must_use]
    pub fn parts(&self) -> &[OutputPart] {
        self.result.as_ref().map_or(&[], ToolOutput::parts)
    }

    /// Returns whether the call has no output: it failed, or it is waiting for approval.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// Returns whether the call is waiting for approval.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(
            self.result,
            Err(ToolError::Pending(_) | ToolError::PendingInside(_))
        )
    }

    /// Converts the result to a text-only [`ToolResult`] to send to a provider. It carries the provider's call id, or the chat's
    /// own id if the provider gave none.
    #[must_use]
    pub fn to_tool_result(&self) -> ToolResult {
        let mut call = ToolCall::new(self.name.clone(), "");
        call.id = self.provider_id.clone().or_else(|| Some(self.id.clone()));
        let text = self.text().into_owned();
        call.result(if self.is_error() { Err(text) } else { Ok(text) })
    }
}

/// A part that only its provider can read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpaquePart {
    /// The provider's original form of this part.
    pub item: KeptItem,
}

impl OpaquePart {
    /// Creates a part from its provider's item.
    pub fn new(item: KeptItem) -> Self {
        Self { item }
    }
}

impl MessagePart {
    /// Returns the provider's item.
    #[doc(hidden)]
    pub fn item_mut(&mut self) -> Option<&mut KeptItem> {
        match self {
            Self::Text(part) | Self::Reasoning(part) => part.item.as_mut(),
            Self::Call(part) => part.item.as_mut(),
            Self::Opaque(part) => Some(&mut part.item),
            _ => None,
        }
    }

    /// Returns the total size of the part's text and data in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let kept = |item: &Option<KeptItem>| item.as_ref().map_or(0, |item| item.json.len());
        match self {
            Self::Text(part) | Self::Reasoning(part) => part.text.len() + kept(&part.item),
            Self::Image(part) => part.data.len(),
            Self::File(part) => part.data.len(),
            Self::Call(part) => part.call.name.len() + part.call.arguments.len() + kept(&part.item),
            Self::Result(part) => {
                part.text().len()
                    + part
                        .parts()
                        .iter()
                        .map(OutputPart::data_bytes)
                        .sum::<usize>()
            }
            Self::Opaque(part) => part.item.json.len(),
            Self::Context(part) => part.text.len(),
        }
    }

    /// Estimates the number of tokens: one per four bytes of text or of a file's data, and a fixed number for each image.
    pub(crate) fn tokens(&self) -> usize {
        const OF_IMAGE: usize = 1_600;
        match self {
            Self::Image(_) => OF_IMAGE,
            // the item repeats the part's content, so do not count it twice
            Self::Text(part) if !part.text.is_empty() => part.text.len().div_ceil(4),
            Self::Call(part) => {
                let call = &part.call;
                (call.name.len() + call.arguments.len()).div_ceil(4)
            }
            Self::Result(part) => {
                let is_image = |part: &&OutputPart| matches!(part, OutputPart::Image { .. });
                let (images, others): (Vec<_>, Vec<_>) = part.parts().iter().partition(is_image);
                (part.text().len() + others.iter().map(|part| part.data_bytes()).sum::<usize>())
                    .div_ceil(4)
                    + images.len() * OF_IMAGE
            }
            part => part.bytes().div_ceil(4),
        }
    }
}

macro_rules! parts {
    ($($variant:ident: $part:ident;)*) => {$(
        impl From<$part> for MessagePart {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        }
    )*};
}

parts! {
    Text: TextPart;
    Image: ImagePart;
    File: FilePart;
    Call: CallPart;
    Result: ResultPart;
    Opaque: OpaquePart;
    Context: ContextPart;
}
