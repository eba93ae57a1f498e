//! A model: one request, and a stream of events that answers it.

mod completion;
mod error;
mod error_kind;
mod profile;
mod request;
mod scripted;
mod usage;

pub use completion::WholeCompletion;
pub use error::ModelError;
pub use error_kind::{ErrorKind, ProviderError};
pub use profile::{AnswerForm, Classifier, ModelProfile};
pub(super) use request::system_text;
pub use request::{ChatRequest, RequestOptions, SystemPart, ToolChoice};
pub use scripted::Scripted;
pub use usage::{Prices, Usage};

use super::MessagePart;
use futures_core::stream::BoxStream;
use skill_agent_models::Finish;

/// A model that answers requests.
///
/// [`Scripted`] is one for tests. A program implements this trait for a client of its choice:
///
/// ```
/// use skill_agent::chat::{BoxStream, ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, Scripted};
/// use skill_agent::models::Provider;
///
/// /// A model that counts its requests.
/// struct Counted<M> {
///     inner: M,
///     count: std::sync::atomic::AtomicUsize,
/// }
///
/// impl<M: ChatModel> ChatModel for Counted<M> {
///     fn profile(&self) -> ModelProfile {
///         self.inner.profile()
///     }
///
///     fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
///         self.count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
///         self.inner.stream(request)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chat model",
    label = "not a model",
    note = "a model behind the API of OpenAI or Anthropic is `OpenAi::new(key, \"gpt-5\")` or `Anthropic::new(key, \"claude-sonnet-4-5\")`, with the feature `http`; for tests there is `Scripted::new()`",
    note = "a model is given by value: clone it, or put it into an `Arc`, to use it in several chats"
)]
pub trait ChatModel: Send + Sync + 'static {
    /// The abilities of the model.
    fn profile(&self) -> ModelProfile;

    /// Checks the settings of the model, such as its address, so that a mistake is found when a chat is built and not at its first
    /// request. The default finds none.
    ///
    /// # Errors
    ///
    /// [`ModelError::Request`] if no request can be sent.
    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sends a request. The stream ends after [`ModelEvent::Finish`] or after an error; a stream that ends before is
    /// [`ModelError::CutOff`]. Dropping it cancels the request.
    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>>;
}

impl<M: ChatModel + ?Sized> ChatModel for std::sync::Arc<M> {
    fn profile(&self) -> ModelProfile {
        (**self).profile()
    }

    fn check(&self) -> Result<(), ModelError> {
        (**self).check()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        (**self).stream(request)
    }
}

impl<M: ChatModel + ?Sized> ChatModel for Box<M> {
    fn profile(&self) -> ModelProfile {
        (**self).profile()
    }

    fn check(&self) -> Result<(), ModelError> {
        (**self).check()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        (**self).stream(request)
    }
}

/// A piece of a completion.
///
/// `Text`, `Reasoning` and `CallDelta` are shown while the model writes. The message consists of the whole parts in their order: a
/// `Part` of text or reasoning replaces all pieces of its kind that came before it. Pieces that no such part follows become a part
/// themselves, at the place where they came. A call needs a part.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// A piece of text.
    Text(String),
    /// A piece of reasoning.
    Reasoning(String),
    /// A piece of a call.
    CallDelta {
        /// The number of the call in this completion.
        index: usize,
        /// The name of the tool, in the first piece.
        name: Option<String>,
        /// A piece of the arguments.
        arguments: String,
    },
    /// A whole part, with the item of its provider.
    Part(MessagePart),
    /// How many tokens the request has taken so far. A later event replaces an earlier one.
    Usage(Usage),
    /// The server is at work, and has sent nothing to show: the wait for the next event begins again.
    KeepAlive,
    /// The end of the completion, and its reason.
    Finish(Finish),
}
