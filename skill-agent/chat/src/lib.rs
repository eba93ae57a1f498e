//! Conversations with a model that uses tools.
//!
//! A [`Chat`] sends a person's messages to a [`ChatModel`], runs the model's tool calls on a
//! [`Toolbox`](skill_agent_toolbox::Toolbox), and sends back the results until the model answers. [`Scripted`] is a model with
//! prepared answers for tests and examples.

#[cfg(feature = "documents")]
mod activate;
mod answer;
mod begin;
mod builder;
mod cancel;
mod chat_tool;
mod completion;
mod conversation;
mod error;
mod event;
mod fallback;
mod history;
mod ids;
mod into_builder;
mod keeper;
mod layers;
mod limits;
mod message;
mod model;
mod providers;
mod setup;
mod slot;
mod texts;
mod turn;

#[cfg(feature = "documents")]
pub use activate::ActivateError;
pub use answer::{AnswerFuture, ModelAnswer};
pub use builder::ChatBuilder;
pub use cancel::Canceller;
pub use chat_tool::{ChatTool, chat_tool};
pub use completion::Completion;
pub use conversation::Chat;
pub use error::{BuildError, ChatError};
pub use event::{
    Called, Decided, Event, PendingCall, Progress, Retry, Selected, StepEnd, Stop, Switched, Turn,
};
pub use fallback::Fallback;
pub use futures_core::Stream;
pub use futures_core::stream::BoxStream;
pub use history::compact::{Compactor, CutTurns};
pub use history::summarize::Summarize;
pub use into_builder::IntoChatBuilder;
pub use layers::error::{LayerError, LayerStream};
pub use layers::{Budget, ChatLayer, Next, Redact};
pub use limits::rate_limit::RateLimit;
pub use limits::retry::Retries;
pub use limits::{Limits, MAX_CALLS, MAX_COMPLETION_BYTES, PARALLEL_CALLS};
pub use message::{
    CallPart, ContextOrigin, ContextPart, FilePart, ImagePart, KeptItem, Message, MessagePart,
    OpaquePart, ResultPart, Role, TextPart,
};
pub use model::{
    AnswerForm, ChatModel, ChatRequest, Deferred, DeferredTools, ErrorKind, ModelError, ModelEvent,
    ModelProfile, Prices, ProviderError, RequestOptions, Scripted, SystemPart, ToolChoice, Usage,
};
#[cfg(feature = "documents")]
pub use providers::error::FromDocError;
pub use providers::{IntoModel, ProviderChoiceError, Providers};
pub use turn::{OwnedTurnStream, TurnStream};

/// For crates that implement models or keep conversations. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::begin::check_said;
    pub use crate::history::{check as check_history, give_ids, is_unfinished, split_begun};
    pub use crate::keeper::{BegunTool, Recording, ReleasedKey, StepKeeper};
    pub use crate::model::Classifier;
    pub use crate::turn::open_calls;
}
