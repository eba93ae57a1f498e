//! Text that a chat adds to a message for the model.

use serde::{Deserialize, Serialize};

/// Text for the model that the chat adds to a message, such as the instructions of a document or a skill's text about its state.
///
/// The part stays where it is. The documents that are active in a conversation follow from these parts alone, so another process
/// can continue the conversation with its [history](crate::Chat::history).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContextPart {
    /// The reason for the part.
    pub origin: ContextOrigin,
    /// The text, which a request has in a block `<context>`. Empty if the model has read the text elsewhere, for example in the
    /// result of a call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The ids of the documents that are active from this message on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loaded: Vec<String>,
    /// The names of the deferred skills and sources that are loaded from this message on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The id of the call that loaded the skills and sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The names of the deferred skills and sources that no longer exist from this message on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// For how many turns these documents are active, including this one, or `None` for the whole conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// The name of the agent whose states the text is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The name of the skill whose state the text is about. `None` if the states of the agent's skills are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The ids of the documents that are no longer active from this message on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
}

/// The reason for a [`ContextPart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContextOrigin {
    /// The message selected it.
    Selection,
    /// The program activated or deactivated documents, or a loaded skill no longer exists.
    Program,
    /// The model loaded documents or deferred tools with the tool `skill`.
    Model,
    /// The message that had the text is no longer in the request. Only requests have such parts.
    Carried,
    /// A skill's [`turn_context`](skill_core::Hooks::turn_context) is about its state.
    State,
    /// The conversation was stored by an earlier version, which kept the active documents beside the history.
    Stored,
}

impl ContextPart {
    /// Creates a part without a text.
    #[must_use]
    pub fn new(origin: ContextOrigin) -> Self {
        Self {
            origin,
            text: String::new(),
            loaded: Vec::new(),
            groups: Vec::new(),
            call: None,
            gone: Vec::new(),
            turns: None,
            agent: None,
            skill: None,
            ended: Vec::new(),
        }
    }

    /// Returns the text as a request contains it, or `None` if there is no text.
    #[doc(hidden)]
    #[must_use]
    pub fn block(&self) -> Option<String> {
        let text = (!self.text.is_empty()).then(|| escaped(&self.text, "context"))?;
        Some(format!("<context>\n{text}\n</context>"))
    }
}

/// Returns a text that cannot end its element.
#[cfg(feature = "documents")]
pub(crate) fn escaped(text: &str, element: &str) -> String {
    skill_agent_documents::__private::end_tags(text, element)
}

#[cfg(not(feature = "documents"))]
pub(crate) fn escaped(text: &str, _: &str) -> String {
    text.replace("</", "&lt;/")
}
