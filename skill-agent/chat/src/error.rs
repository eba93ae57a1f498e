//! Why a turn failed.

use super::{ModelError, PendingCall, Role, Stop, Turn};
use skill_agent_models::SchemaError;
use skill_agent_toolbox::Withheld;
use skill_core::StateError;

/// Why a turn failed. The history has the steps that have ended before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// A request to the model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting of the [builder](super::ChatBuilder) leaves room for nothing.
    #[error("{0}")]
    Setting(String),
    /// The answer does not fit its type, also after one repair.
    #[error("the answer does not fit its type: {0}")]
    Answer(StateError),
    /// The turn ended without the typed answer, for example at a limit.
    #[error("the turn ended without an answer: {}", without_answer(.0))]
    NoAnswer(Box<Turn>),
    /// The type of an answer cannot be expressed for the provider of the model.
    #[error("the type of the answer cannot be expressed: {0}")]
    Schema(SchemaError),
    /// The verdict cannot be carried out. The history is unchanged.
    #[error("the call `{id}` cannot be decided: {reason}")]
    #[non_exhaustive]
    Decision {
        /// The id that was given.
        id: String,
        /// Why.
        reason: String,
    },
    /// Calls wait for approval, and a message would leave them undecided. [`Chat::decide`](super::Chat::decide) decides on them, and
    /// [`Chat::withdraw`](super::Chat::withdraw) gives them up. The history is unchanged.
    #[error("{}; decide on each with `decide`, or give them up with `withdraw`", waiting(.0))]
    Pending(Vec<PendingCall>),
    /// The message of the user says nothing.
    #[error("the message is empty; it needs a text, an image or a file")]
    Empty,
    /// The message is not one of the user.
    #[error("{}", not_of_user(*.0))]
    Role(Role),
    /// The data of an image or a file cannot be sent.
    #[error("the message cannot be sent: {0}")]
    Media(String),
    /// The toolbox has sources, and the tools of none of them can be called, for example because their server has stopped.
    #[error("the model would have no tools: {}", withheld(.0))]
    Withheld(Vec<Withheld>),
    /// The history is not one of a chat.
    #[error("message {index} of the history: {problem}")]
    #[non_exhaustive]
    History {
        /// The index of the message.
        index: usize,
        /// The rule that the message breaks.
        problem: &'static str,
    },
    /// Nothing is left to do in the conversation before the user says something.
    #[error("there is no turn to resume; the conversation waits for a message of the user")]
    NothingToResume,
    /// A message has an image, and the model reads none.
    #[error("the model reads no images; set `images` in its profile if it does")]
    Images,
    /// The turn has ended before.
    #[error("the turn has ended before")]
    Ended,
}

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
        Stop::Tokens => limit("tokens", "tokens"),
        Stop::Time => limit("time", "time"),
        Stop::Truncated => {
            "the limit of tokens of a completion is reached; raise `RequestOptions::max_tokens`"
                .into()
        }
        Stop::Repeated => "the model made the same call again and again".into(),
        Stop::Aborted => "an approver aborted a call".into(),
        Stop::Refused => "the model refused".into(),
        Stop::Cancelled => "the program cancelled it".into(),
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
