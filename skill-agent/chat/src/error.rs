//! Errors of chats and conversations.

use super::layers::error::LayerError;
#[cfg(feature = "documents")]
use super::providers::error::FromDocError;
use super::{Message, ModelError, PendingCall, Role, Stop, Turn};
use skill_agent_models::SchemaError;
use skill_agent_server::ServeError;
use skill_agent_toolbox::Withheld;
use skill_core::StateError;
use std::convert::Infallible;
use std::sync::Arc;

/// The error of a function that builds a chat.
pub type BuildError = Box<dyn std::error::Error + Send + Sync>;

/// An error of a chat or a conversation. If it ends a turn, the history keeps the steps that were completed before it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// A request to the model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The AGENT.md of the chat names no model that can be created.
    #[cfg(feature = "documents")]
    #[error(transparent)]
    Document(FromDocError),
    /// A setting of the [builder](super::ChatBuilder) is invalid, so no turn could succeed.
    #[error("{0}")]
    Setting(String),
    /// The answer does not fit its type, even after one retry.
    #[error("the answer does not fit its type: {0}")]
    Answer(StateError),
    /// The turn ended without the typed answer, for example at a limit.
    #[error("the turn ended without an answer: {}", without_answer(.0))]
    NoAnswer(Box<Turn>),
    /// The answer type's schema cannot be expressed in the provider's dialect.
    #[error("the type of the answer cannot be expressed: {0}")]
    Schema(SchemaError),
    /// The verdict cannot be carried out. The history is unchanged.
    #[error("the call `{id}` cannot be decided: {reason}")]
    #[non_exhaustive]
    Decision {
        /// The id passed to [`Chat::decide`](super::Chat::decide).
        id: String,
        /// Why the verdict cannot be carried out.
        reason: String,
    },
    /// Calls are waiting for approval, and a new message would leave them undecided. Decide on the calls with
    /// [`Chat::decide`](super::Chat::decide), or give them up with [`Chat::withdraw`](super::Chat::withdraw). The history is
    /// unchanged.
    #[error("{}; decide on each with `decide`, or give them up with `withdraw` of a `Chat`", waiting(.0))]
    Pending(Vec<PendingCall>),
    /// The user's message has no content.
    #[error("the message is empty; it needs a text, an image or a file")]
    Empty,
    /// The message's role is not [`Role::User`].
    #[error("{}", not_of_user(*.0))]
    Role(Role),
    /// The data of an image or a file is invalid.
    #[error("the message cannot be sent: {0}")]
    Media(String),
    /// The toolbox has sources, but none of their tools can be called, for example because a server has stopped.
    #[error("the model would have no tools: {}", withheld(.0))]
    Withheld(Vec<Withheld>),
    /// The history is invalid.
    #[error("message {index} of the history: {problem}")]
    #[non_exhaustive]
    History {
        /// The index of the invalid message in the history.
        index: usize,
        /// The rule that the message breaks.
        problem: &'static str,
    },
    /// The conversation is waiting for the user, so there is no turn to resume.
    #[error("there is no turn to resume; the conversation waits for a message of the user")]
    NothingToResume,
    /// A layer failed or panicked.
    #[error(transparent)]
    Layer(LayerError),
    /// The message contains an image, but the model does not accept images.
    #[error("the model reads no images; set `images` in its profile if it does")]
    Images,
    /// The turn has already ended.
    #[error("the turn has ended before")]
    Ended,
    /// There is no conversation with this id.
    #[error("there is no conversation `{id}`; `send` and `start` begin one")]
    #[non_exhaustive]
    Unknown {
        /// The id that the caller gave.
        id: String,
    },
    /// A turn of the conversation is running or waiting to start. The message was not sent.
    #[error(
        "a turn of the conversation `{id}` is running; wait for its end, or write `steer` to send the message into it"
    )]
    #[non_exhaustive]
    Busy {
        /// The conversation's id.
        id: String,
        /// The caller's message, to send later. It is empty if the caller sent none.
        message: Box<Message>,
    },
    /// The chat of a conversation could not be built.
    #[error("the chat of the conversation `{id}` cannot be built: {source}")]
    #[non_exhaustive]
    Build {
        /// The conversation's id.
        id: String,
        /// The error of the function that builds the chat.
        source: BuildError,
    },
    /// The server that keeps the conversations has failed or stopped. Everything that it acknowledged is kept.
    #[error("the server that keeps the conversations failed: {0}")]
    Store(Arc<ServeError<Infallible>>),
    /// A stored conversation cannot be read.
    #[error("the stored conversation `{id}` cannot be read: {problem}")]
    #[non_exhaustive]
    Stored {
        /// The conversation's id.
        id: String,
        /// Why the conversation cannot be read.
        problem: String,
    },
    /// The key of the message is empty, so the message was not sent.
    #[error("the key of the message is empty; each message needs its own")]
    EmptyKey,
    /// The key of the message was used before, so the message was not sent.
    #[error("the key `{key}` was used before in the conversation `{id}`, {problem}")]
    #[non_exhaustive]
    UsedKey {
        /// The conversation's id.
        id: String,
        /// The key as the client sent it.
        key: String,
        /// The earlier use of the key, and how to continue.
        problem: String,
    },
    /// There already is a conversation with this id.
    #[error("there already is a conversation `{0}`; delete it first, or choose another id")]
    Exists(String),
    /// A limit for conversations was reached. Nothing was changed.
    #[error("{0}")]
    Limit(String),
}

/// Constructors for the crate that keeps conversations.
#[doc(hidden)]
impl ChatError {
    pub fn unknown(id: &str) -> Self {
        Self::Unknown { id: id.to_owned() }
    }

    pub fn busy(id: &str, message: Message) -> Self {
        Self::Busy {
            id: id.to_owned(),
            message: Box::new(message),
        }
    }

    pub fn build(id: &str, source: BuildError) -> Self {
        let id = id.to_owned();
        Self::Build { id, source }
    }

    pub fn store(error: ServeError<Infallible>) -> Self {
        Self::Store(Arc::new(error))
    }

    pub fn used_key(id: &str, key: &str, problem: &str) -> Self {
        Self::UsedKey {
            id: id.to_owned(),
            key: key.to_owned(),
            problem: problem.to_owned(),
        }
    }

    pub fn stored(id: &str, problem: String) -> Self {
        let id = id.to_owned();
        Self::Stored { id, problem }
    }
}

impl From<LayerError> for ChatError {
    fn from(error: LayerError) -> Self {
        match error {
            LayerError::Model(error) => Self::Model(error),
            error => Self::Layer(error),
        }
    }
}

/// Explains [`Stop::Tokens`].
pub(crate) const TOKENS_OF_TURN: &str = "the limit of tokens of all requests and completions of the turn is reached; raise \
     `Limits::tokens`, and write `RequestOptions::max_tokens` to limit the length of an answer";

/// Explains [`Stop::Truncated`].
pub(crate) const TOKENS_OF_COMPLETION: &str =
    "the limit of tokens of a completion is reached; raise `RequestOptions::max_tokens`";

fn waiting(calls: &[PendingCall]) -> String {
    let names: Vec<String> = calls
        .iter()
        .map(|call| format!("`{}` of `{}`", call.id, call.request.tool.name))
        .collect();
    match &names[..] {
        [only] => format!("the call {only} waits for approval"),
        several => format!("the calls {} wait for approval", several.join(", ")),
    }
}

fn without_answer(turn: &Turn) -> String {
    let limit = |limit: &str, field: &str| {
        format!("the limit of {limit} is reached; raise `Limits::{field}`")
    };
    match turn.stop {
        Stop::Approval => format!(
            "{}; decide on each with `chat.decide(...)`, and ask again",
            waiting(&turn.pending)
        ),
        Stop::Steps if turn.steps == 1 => limit("1 step", "steps"),
        Stop::Steps => limit(&format!("{} steps", turn.steps), "steps"),
        Stop::Tokens => TOKENS_OF_TURN.into(),
        Stop::Time => limit("time", "time"),
        Stop::Truncated => TOKENS_OF_COMPLETION.into(),
        Stop::Repeated => "the model made the same call again and again".into(),
        Stop::Aborted => "an approver aborted a call".into(),
        Stop::Refused => "the model refused".into(),
        Stop::Cancelled => "the program cancelled it".into(),
        Stop::Layer => format!(
            "a layer ended it: {}",
            turn.note.as_deref().unwrap_or_default()
        ),
        Stop::Budget => format!(
            "its budget is spent: {}",
            turn.note.as_deref().unwrap_or_default()
        ),
        Stop::Answered => "the model answered in another form".into(),
    }
}

fn not_of_user(role: Role) -> &'static str {
    match role {
        Role::Tool => {
            "results of calls belong in `.history(...)`, and a message to the model is the user's; write `Message::user(...)`"
        }
        _ => {
            "what the model said belongs in `.history(...)`, and a message to the model is the user's; write `Message::user(...)`"
        }
    }
}

fn withheld(sources: &[Withheld]) -> String {
    let reasons: Vec<String> = sources
        .iter()
        .map(|withheld| match &withheld.tool {
            Some(tool) => format!(
                "`{tool}` of `{}` is withheld: {}",
                withheld.source, withheld.reason
            ),
            None => format!(
                "those of `{}` are withheld: {}",
                withheld.source, withheld.reason
            ),
        })
        .collect();
    reasons.join("; ")
}
