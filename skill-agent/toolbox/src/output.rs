//! Tool outputs.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The output of a tool: text, images and files.
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

/// A part of a tool's output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutputPart {
    /// Text. An action's output is a single part with JSON text.
    Text {
        /// The text, which may be JSON.
        text: String,
    },
    /// An image, such as a chart.
    Image {
        /// The media type, such as `image/png`.
        media_type: String,
        /// The image's bytes in base64.
        data: String,
    },
    /// A file, such as a PDF document.
    File {
        /// The file's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The media type, such as `application/pdf`.
        media_type: String,
        /// The file's bytes in base64.
        data: String,
    },
}

impl OutputPart {
    /// Returns the length of the base64 data of an image or file.
    #[doc(hidden)]
    pub fn data_bytes(&self) -> usize {
        match self {
            Self::Image { data, .. } | Self::File { data, .. } => data.len(),
            Self::Text { .. } => 0,
        }
    }
}

impl ToolOutput {
    /// Creates an output from several parts.
    pub fn new(parts: Vec<OutputPart>) -> Self {
        Self { parts }
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[OutputPart] {
        &self.parts
    }

    /// Returns the parts in order, consuming the output.
    pub fn into_parts(self) -> Vec<OutputPart> {
        self.parts
    }

    /// Returns the text of all text parts, joined by line feeds, or an empty string if there are none.
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
    /// Returns the text, or `None` if this is not a text part.
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
