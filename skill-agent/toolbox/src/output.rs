//! Tool outputs.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The output of a tool: text, images, files and links.
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
    /// The group that the call has loaded, until a chat has noted it.
    #[serde(skip)]
    loaded: Option<String>,
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
    /// A link to a resource. An MCP client gets it as a link, a model as text.
    Link {
        /// The URI of the resource, such as `https://example.com/report.pdf`.
        uri: String,
        /// The name of the resource.
        name: String,
        /// A description of the resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The media type of the resource, such as `application/pdf`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
    },
}

impl OutputPart {
    /// Returns the length of the base64 data of an image or file.
    #[doc(hidden)]
    pub fn data_bytes(&self) -> usize {
        match self {
            Self::Image { data, .. } | Self::File { data, .. } => data.len(),
            Self::Text { .. } | Self::Link { .. } => 0,
        }
    }
}

impl ToolOutput {
    /// Creates an output from several parts.
    pub fn new(parts: Vec<OutputPart>) -> Self {
        let loaded = None;
        Self { parts, loaded }
    }

    /// Sets the group that the call has loaded.
    #[doc(hidden)]
    #[must_use]
    pub fn with_loaded(mut self, group: Option<String>) -> Self {
        self.loaded = group;
        self
    }

    /// Takes the group that the call has loaded.
    #[doc(hidden)]
    pub fn take_loaded(&mut self) -> Option<String> {
        self.loaded.take()
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[OutputPart] {
        &self.parts
    }

    /// Returns the parts in order, consuming the output.
    pub fn into_parts(self) -> Vec<OutputPart> {
        self.parts
    }

    /// Returns the text of all texts and links, joined by line feeds, or an empty string if there are none.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter_map(OutputPart::text);
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(only), None) => only,
            (Some(first), Some(second)) => {
                let mut all = vec![first, second];
                all.extend(texts);
                Cow::Owned(all.join("\n"))
            }
        }
    }
}

impl OutputPart {
    /// Returns the text, or `None` for an image or file. A link is Markdown, such as `[report](https://example.com/report.pdf)`.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text { text } => Some(text.into()),
            Self::Link {
                uri,
                name,
                description,
                ..
            } => {
                let mut text = format!("[{name}]({uri})");
                if let Some(description) = description {
                    text = text + ": " + description;
                }
                Some(text.into())
            }
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
