//! A model's completion in one form for all providers.

pub(crate) mod place;
pub(crate) mod raw;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use skill_core::serde::{Deserialize, Serialize};
use skill_core::serde_json;

/// Everything that a model writes in response to one request, and why it stopped.
///
/// ```
/// use skill_agent::models::{Finish, anthropic};
///
/// let completion = anthropic::read(
///     r#"{"stop_reason": "tool_use", "content": [
///         {"type": "text", "text": "Let me see."},
///         {"type": "tool_use", "id": "toolu_1", "name": "list_notes", "input": {}}
///     ]}"#,
/// )?;
/// assert_eq!(completion.text(), "Let me see.");
/// assert_eq!(completion.calls().next().unwrap().name, "list_notes");
/// assert_eq!(completion.finish, Finish::Calls);
/// # Ok::<(), skill_agent::models::CompletionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The parts, in the order in which the model wrote them.
    pub parts: Vec<Part>,
    /// Why the model stopped.
    pub finish: Finish,
    /// The messages to repeat in the next request, before the results of the calls, as JSON text. They are in the provider's
    /// original form, including reasoning and its signatures, because a provider rejects the next request without them. Only what
    /// the provider would reject is changed: empty strings are removed, and a missing role or id is added. If nothing is left,
    /// there is no message.
    pub messages: Vec<String>,
}

/// The stop reasons that servers without a reason send.
const NO_REASON: [&str; 2] = ["", "null"];

/// The stop reasons that mean that the model is waiting for results, from providers and other servers.
const WAITS: [&str; 3] = ["tool_calls", "function_call", "tool_use"];

impl Completion {
    /// Creates a completion. Sets `finish` to [`Finish::Calls`] exactly if there are calls to answer, because servers are not
    /// reliable here. Readers pass [`Finish::Other`] for [`WAITS`] and [`NO_REASON`]. A complete response was not cut off, so
    /// text without a reason counts as an answer.
    pub(super) fn new(parts: Vec<Part>, finish: Finish, messages: Vec<String>) -> Self {
        let has_call = parts
            .iter()
            .any(|part| matches!(part.content, Content::Call(_)));
        let is_refusal = parts
            .iter()
            .any(|part| matches!(part.content, Content::Refusal(_)));
        let has_text = parts
            .iter()
            .any(|part| matches!(&part.content, Content::Text(text) if !text.is_empty()));
        let finish = match finish {
            Finish::Other(word) if (has_text || is_refusal) && NO_REASON.contains(&&*word) => {
                Finish::Answered
            }
            finish => finish,
        };
        Self {
            parts,
            finish: finish.of_parts(has_call, is_refusal),
            messages,
        }
    }

    /// Returns the text for the user.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match &part.content {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the calls in order. Their ids are not necessarily unique.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match &part.content {
            Content::Call(call) => Some(call),
            _ => None,
        })
    }
}

/// A part of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The content, in the same form for all providers.
    pub content: Content,
    /// The part's JSON in the provider's original form.
    pub json: String,
}

impl Part {
    pub(super) fn new(content: Content, json: &str) -> Self {
        let json = json.to_owned();
        Self { content, json }
    }
}

/// The content of a [`Part`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Text that is meant for the user.
    Text(String),
    /// The model's reasoning, empty if the provider hides it.
    Reasoning(String),
    /// The model's refusal.
    Refusal(String),
    /// A tool call.
    Call(ToolCall),
    /// Something else, such as a search that the provider itself ran.
    Other,
}

/// A tool call as a model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "skill_core::serde")]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that the result repeats. Gemini may omit the id, and a model may use the same id twice. A Chat Completions call
    /// without an id gets `call_0`, `call_1` and so on by its index, here and in [`Completion::messages`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them, possibly malformed, or `{}` if there are none.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call without an id.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    /// Sets the call's id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Creates the result of this call, whose output is JSON text or plain text on success.
    pub fn result<E: fmt::Display>(&self, output: Result<String, E>) -> ToolResult {
        let (content, is_error) = match output {
            Ok(output) => (output, false),
            Err(error) => (error.to_string(), true),
        };
        ToolResult {
            id: self.id.clone(),
            name: self.name.clone(),
            content,
            is_error,
        }
    }
}

/// The result of a tool call, created by [`ToolCall::result`].
///
/// Providers reject a conversation in which a call has no result, so failed calls need a result too.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call's id.
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// The output or the error message.
    pub content: String,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolResult {
    /// Returns an id for a call that has none, for formats that require one.
    pub(super) fn default_id(index: usize) -> String {
        format!("call_{index}")
    }

    /// Returns the id, or a default id based on the index. The results are in the order of the calls.
    pub(super) fn id_or_default(&self, index: usize) -> Cow<'_, str> {
        let id = self.id.as_deref();
        id.map_or_else(|| Self::default_id(index).into(), Cow::from)
    }

    /// Returns the error message, which is never empty because Anthropic rejects empty ones.
    pub(super) fn error(&self) -> &str {
        if self.content.trim().is_empty() {
            "the tool failed without a message"
        } else {
            &self.content
        }
    }

    /// Returns the content for a provider that cannot mark errors, so that an error becomes an object with the key `error`.
    #[doc(hidden)]
    pub fn marked_content(&self) -> String {
        if self.is_error {
            serde_json::json!({ "error": self.error() }).to_string()
        } else {
            self.content.clone()
        }
    }
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finish {
    /// The model answered.
    Answered,
    /// The model is waiting for the result of at least one call.
    Calls,
    /// The model reached a token limit. The last part may be cut off, and no call in this completion may run.
    Truncated,
    /// The model refused, or the provider withheld the completion.
    Refused,
    /// The provider paused the model. To continue, repeat the conversation with this completion's messages.
    Paused,
    /// Another reason, in the provider's own word: empty if there is neither a reason nor any text, and `tool_calls` if there is
    /// no call to answer.
    Other(String),
}

impl Finish {
    /// Adjusts the reason to a completion that contains a call or a refusal.
    #[doc(hidden)]
    pub fn of_parts(self, has_call: bool, is_refusal: bool) -> Self {
        match self {
            Self::Answered if has_call => Self::Calls,
            Self::Other(word)
                if has_call && (WAITS.contains(&&*word) || NO_REASON.contains(&&*word)) =>
            {
                Self::Calls
            }
            Self::Answered if is_refusal => Self::Refused,
            finish => finish,
        }
    }
}

/// The error for text that is not a completion.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompletionError {
    /// The text is not JSON.
    Json(serde_json::Error),
    /// The provider returned an error.
    Provider {
        /// The provider's message.
        message: String,
    },
    /// A part is missing or has the wrong type.
    Malformed {
        /// The path of the part, such as `choices[0].message`.
        path: String,
        /// The expected kind of value.
        expected: &'static str,
        /// The kind of value that was found.
        found: &'static str,
    },
}

impl fmt::Display for CompletionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "not JSON: {error}"),
            Self::Provider { message } => {
                write!(f, "the provider answered with an error: {message}")
            }
            Self::Malformed {
                path,
                expected,
                found,
            } => {
                if !path.is_empty() {
                    write!(f, "`{path}`: ")?;
                }
                write!(f, "expected {expected}, found {found}")
            }
        }
    }
}

// the message already includes the parser's error, so `source` does not return it
impl Error for CompletionError {}
