//! The parts of messages, each with the provider's own JSON where the model wrote it.

use super::{FilePart, ImagePart};
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
    /// The reasoning of the model. Its text is empty if the provider hides it.
    Reasoning(TextPart),
    /// A call of a tool.
    Call(CallPart),
    /// The result of a call.
    Result(ResultPart),
    /// Something that only its provider can read, such as a search that the provider made by itself.
    Opaque(OpaquePart),
}

/// A part as a provider wrote it. It goes back unchanged to the same provider, which may refuse the conversation without it: it has
/// signatures and encrypted reasoning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeptItem {
    /// The format in which it is written, such as `anthropic`, and the server behind a `base_url`, if
    /// one was set, as in `openai_chat@localhost:8080`. A model of another format or server leaves the item out, and writes the part
    /// in its own form.
    pub provider: String,
    /// The item as JSON text. It is text and no value, so that it comes back byte for byte.
    pub json: String,
}

impl KeptItem {
    /// An item of a provider.
    pub fn new(provider: impl Into<String>, json: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            json: json.into(),
        }
    }
}

/// A text, or the reasoning of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextPart {
    /// The text.
    pub text: String,
    /// The part as the provider wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<KeptItem>,
}

impl TextPart {
    /// A text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            item: None,
        }
    }

    /// The text with the item of its provider.
    #[must_use]
    pub fn with_item(mut self, item: KeptItem) -> Self {
        self.item = Some(item);
        self
    }
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallPart {
    /// The id of the call in its conversation, made of the numbers of turn, step and call. Ids of providers may repeat. It is empty
    /// in a part that a [`ChatModel`](crate::ChatModel) sends.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The call as the model wrote it, with the id of the provider. The arguments may be malformed.
    pub call: ToolCall,
    /// The part as the provider wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<KeptItem>,
}

impl CallPart {
    /// A call that has no id in a conversation yet.
    pub fn new(call: ToolCall) -> Self {
        Self {
            id: String::new(),
            call,
            item: None,
        }
    }

    /// The call with the item of its provider.
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
    /// The id that the provider gave the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// The output or the error.
    pub result: Result<ToolOutput, ToolError>,
    /// A checksum of the message with the call, while it waits for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[doc(hidden)]
    pub calls_checksum: Option<String>,
    /// Whether the call has given the typed answer of its turn, which then ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[doc(hidden)]
    pub gives_answer: bool,
}

impl ResultPart {
    /// The result of a call.
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

    /// The texts of the output, or the message of the error.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.result {
            Ok(output) => output.text(),
            Err(error) => error.to_string().into(),
        }
    }

    /// The parts of the output; none of an error.
    #[must_use]
    pub fn parts(&self) -> &[OutputPart] {
        self.result.as_ref().map_or(&[], ToolOutput::parts)
    }

    /// Whether the call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// Whether the call waits for approval.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self.result, Err(ToolError::Pending(_)))
    }

    /// The result for a provider, under the id that the provider gave the call, with text alone.
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
    /// The part as the provider wrote it.
    pub item: KeptItem,
}

impl OpaquePart {
    /// A part of a provider.
    pub fn new(item: KeptItem) -> Self {
        Self { item }
    }
}

impl MessagePart {
    /// The item of its provider.
    #[doc(hidden)]
    pub fn item_mut(&mut self) -> Option<&mut KeptItem> {
        match self {
            Self::Text(part) | Self::Reasoning(part) => part.item.as_mut(),
            Self::Call(part) => part.item.as_mut(),
            Self::Opaque(part) => Some(&mut part.item),
            _ => None,
        }
    }

    /// The bytes of its texts and data.
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
        }
    }

    /// An estimate of its tokens: four bytes of text each, and the most that a provider counts for an image.
    pub(crate) fn tokens(&self) -> usize {
        const OF_IMAGE: usize = 1_600;
        match self {
            Self::Image(_) => OF_IMAGE,
            // the item repeats what is in the part
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
}
