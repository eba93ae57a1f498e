//! Why a turn failed.

use super::{ModelError, PendingCall, Turn};
use skill_agent_models::SchemaError;
use skill_core::StateError;

/// Why a turn failed. The history has the steps that have ended before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// A request to the model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The answer does not fit its type, also after one repair.
    #[error("the answer does not fit its type: {0}")]
    Answer(StateError),
    /// The turn ended without the typed answer, for example at a limit.
    #[error("the turn ended without an answer: {:?}", .0.stop)]
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
    /// The history is not one of a chat.
    #[error("message {index} of the history: {problem}")]
    #[non_exhaustive]
    History {
        /// The index of the message.
        index: usize,
        /// The mistake.
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
