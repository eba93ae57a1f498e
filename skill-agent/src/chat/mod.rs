//! Conversations of a model that uses tools.
//!
//! A [`ChatModel`] answers one [`ChatRequest`] with a stream of [`ModelEvent`]s. [`Scripted`] is one for tests and examples, which
//! answers as a program says.

mod message;
#[cfg(feature = "http")]
mod http;
mod model;

#[cfg(feature = "http")]
pub use http::{Anthropic, OpenAi, OpenAiResponses};
pub use message::{
    CallPart, FilePart, ImagePart, KeptItem, Message, MessagePart, OpaquePart, ResultPart, Role,
    TextPart,
};
pub use model::{
    AnswerForm, ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, Prices,
    RequestOptions, Scripted, SystemPart, ToolChoice, Usage,
};
