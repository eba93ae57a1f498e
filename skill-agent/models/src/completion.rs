//! The completion of a model in one form for all providers.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use skill_core::serde::{Deserialize, Serialize};
use skill_core::serde_json;

/// All that a model writes for one request, and why it stopped.
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
    /// The parts in their order.
    pub parts: Vec<Part>,
    /// Why the model stopped.
    pub finish: Finish,
    /// The messages to repeat in the next request before the results of the calls: JSON texts to append to its list, as the
    /// provider wrote them. Reasoning and its signatures are in them, without which a provider refuses the next request. Only what it
    /// would refuse is different: empty texts are left out, and a role or an id that is missing is added. There is no message if
    /// nothing is left.
    pub messages: Vec<String>,
}

/// The words of servers that give no reason.
const NO_REASON: [&str; 2] = ["", "null"];

/// The words with which providers and other servers say that a model waits for results.
const WAITS: [&str; 3] = ["tool_calls", "function_call", "tool_use"];

impl Completion {
    /// A completion whose `finish` is [`Finish::Calls`] if it has calls to answer, and only then: servers are not reliable in this.
    /// The readers pass [`Finish::Other`] for [`WAITS`] and [`NO_REASON`]. A whole completion is not cut off, so that one with text and
    /// without a reason is an answer.
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

    /// The text that is meant for the user.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match &part.content {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The calls in their order. Their ids may repeat.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match &part.content {
            Content::Call(call) => Some(call),
            _ => None,
        })
    }
}

/// One part of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The content, the same for all providers.
    pub content: Content,
    /// Its JSON as the provider wrote it.
    pub json: String,
}

impl Part {
    pub(super) fn new(content: Content, json: &str) -> Self {
        let json = json.to_owned();
        Self { content, json }
    }
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the user.
    Text(String),
    /// The reasoning of the model; empty if the provider hides it.
    Reasoning(String),
    /// The text in which the model refuses.
    Refusal(String),
    /// A call of a tool.
    Call(ToolCall),
    /// Something else, such as a search that the provider made by itself.
    Other,
}

/// A call of a tool, as a model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "skill_core::serde")]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that the result repeats. Gemini may leave it out, and a model may use one id twice. A call of Chat Completions without one
    /// is given `call_0`, `call_1` and so on by its index, here and in [`Completion::messages`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// The arguments as the model wrote them, which may be malformed. `{}` if there are none.
    pub arguments: String,
}

impl ToolCall {
    /// A call without an id.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    /// The call with an id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The result of this call: the output as JSON text or plain text, or the error.
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

/// The result of a call, made by [`ToolCall::result`].
///
/// A provider refuses a conversation in which a call has no result, so that failed calls have one too.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The id of the call.
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// The output, or the message of the error.
    pub content: String,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolResult {
    /// The id of a call that has none, for formats that require one.
    pub(super) fn default_id(index: usize) -> String {
        format!("call_{index}")
    }

    /// The id, also if the model gave none. The results are in the order of the calls.
    pub(super) fn id_or_default(&self, index: usize) -> Cow<'_, str> {
        let id = self.id.as_deref();
        id.map_or_else(|| Self::default_id(index).into(), Cow::from)
    }

    /// The message of an error. Anthropic refuses an empty one.
    pub(super) fn error(&self) -> &str {
        if self.content.trim().is_empty() {
            "the tool failed without a message"
        } else {
            &self.content
        }
    }

    /// The content for a provider that has no mark for errors: an error is an object with the key `error`.
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
    /// It has answered.
    Answered,
    /// It waits for the results of at least one call.
    Calls,
    /// It has reached a limit of tokens. The last part may be cut off, and a call among the parts must not run.
    Truncated,
    /// It refused, or the provider withheld the completion.
    Refused,
    /// The provider paused it; the same conversation with the messages of this completion goes on.
    Paused,
    /// Another reason, in the provider's word; empty if it gave none and no text. It is `tool_calls` if there is no call to answer.
    Other(String),
}

impl Finish {
    /// The reason of a completion that has a call, or a refusal.
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

/// Why a text is not a completion.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompletionError {
    /// The text is not JSON.
    Json(serde_json::Error),
    /// The provider answered with an error.
    Provider {
        /// The message of the provider.
        message: String,
    },
    /// A part is missing or has the wrong type.
    Malformed {
        /// The path of the part.
        path: String,
        /// The expected kind of value.
        expected: &'static str,
        /// The kind of value found.
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

// the error of the parser is printed, so that it is not a source too
impl Error for CompletionError {}
