//! The outputs of tools.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The output of a tool: texts, images and files, as the tool gave them.
///
/// ```
/// use skill_agent::toolbox::{OutputPart, ToolOutput};
/// let chart = OutputPart::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
/// let output = ToolOutput::new(vec!["Sales:".into(), chart]);
/// assert_eq!(output.text(), "Sales:");
/// assert_eq!(output.parts().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolOutput {
    parts: Vec<OutputPart>,
}

/// A part of the output of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutputPart {
    /// A text. The output of an action is one, as JSON.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
    /// A file.
    File {
        /// Its name, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Its media type, such as `application/pdf`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
}

impl OutputPart {
    /// The bytes of its image or file in base64.
    #[doc(hidden)]
    pub fn data_bytes(&self) -> usize {
        match self {
            Self::Image { data, .. } | Self::File { data, .. } => data.len(),
            Self::Text { .. } => 0,
        }
    }
}

impl ToolOutput {
    /// An output of several parts.
    pub fn new(parts: Vec<OutputPart>) -> Self {
        Self { parts }
    }

    /// The parts in their order.
    pub fn parts(&self) -> &[OutputPart] {
        &self.parts
    }

    /// Takes the parts out.
    pub fn into_parts(self) -> Vec<OutputPart> {
        self.parts
    }

    /// The texts as the tool gave them, each on a line of its own; empty if there are none.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter_map(OutputPart::text);
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(only), None) => Cow::Borrowed(only),
            (Some(first), Some(second)) => {
                let mut all = vec![first, second];
                all.extend(texts);
                Cow::Owned(all.join("\n"))
            }
        }
    }
}

impl OutputPart {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::Image { .. } | Self::File { .. } => None,
        }
    }
}

impl From<String> for OutputPart {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl From<&str> for OutputPart {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl<T: Into<OutputPart>> From<T> for ToolOutput {
    fn from(part: T) -> Self {
        Self::new(vec![part.into()])
    }
}
