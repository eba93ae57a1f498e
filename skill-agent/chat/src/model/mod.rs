//! The interface to a model: a request goes in, and a stream of events comes out.

mod asked_answer;
mod deferred;
mod error;
mod error_kind;
mod profile;
mod request;
mod scripted;
mod usage;

pub(crate) use asked_answer::{AskedAnswer, AskedForm};
pub(crate) use deferred::Deferral;
pub use deferred::{Deferred, DeferredTools};
pub use error::ModelError;
pub use error_kind::{ErrorKind, ProviderError};
pub(crate) use profile::Chain;
pub use profile::{AnswerForm, Classifier, ModelProfile};
pub(super) use request::system_text;
pub use request::{ChatRequest, RequestOptions, SystemPart, ToolChoice};
pub use scripted::Scripted;
pub use usage::{Prices, Usage};

use super::{MessagePart, Retry};
use futures_core::stream::BoxStream;
use skill_agent_models::Finish;

/// A model that answers requests.
///
/// [`Scripted`] implements this trait for tests. You can implement it for any client:
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
    /// Returns the abilities of the model.
    fn profile(&self) -> ModelProfile;

    /// Checks the model's settings, such as its address. A chat calls this when it is built, so that an invalid setting is
    /// reported before the first request. The default implementation checks nothing.
    ///
    /// # Errors
    ///
    /// Returns [`ModelError::Request`] if no request can be sent.
    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sends a request. The stream ends after [`ModelEvent::Finish`] or an error; if it ends without either, the completion
    /// counts as [cut off](ModelError::CutOff). Dropping the stream cancels the request.
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

/// An event of a completion.
///
/// `Text`, `Reasoning` and `CallDelta` are pieces to show while the model writes. The message consists of the complete parts, in
/// order. A complete `Part` of text or reasoning replaces all earlier pieces of its kind, and pieces that no complete part
/// replaces become a part themselves, in the place where they arrived. A call always needs a `Part`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// A piece of text.
    Text(String),
    /// A piece of reasoning.
    Reasoning(String),
    /// A piece of a call.
    CallDelta {
        /// The index of the call in the completion, starting at 0.
        index: usize,
        /// The name of the tool, in the first piece. If a server sends the name in parts, each part comes with the name so far.
        name: Option<String>,
        /// A piece of the arguments' JSON text.
        arguments: String,
    },
    /// A complete part, including the item in the provider's format.
    Part(MessagePart),
    /// The tokens that the request has used so far. They replace the counts of earlier events.
    Usage(Usage),
    /// The server is working but has nothing to show. The event restarts the timeout for the next event.
    KeepAlive,
    /// The request failed and is sent again. All earlier events of the completion are void. A chat emits this event for its
    /// [layers](crate::ChatLayer).
    Retry(Retry),
    /// Another model of a [`Fallback`](crate::Fallback) is asked. All earlier events of the completion are void.
    Switched {
        /// The number of the model in its chain, starting at 0.
        model: usize,
        /// Why the previous model did not answer.
        error: ModelError,
    },
    /// The end of the completion, with its reason.
    Finish(Finish),
}

impl ModelEvent {
    /// Returns whether the event is a piece that a reader sees.
    pub(crate) fn is_piece(&self) -> bool {
        matches!(
            self,
            Self::Text(_) | Self::Reasoning(_) | Self::CallDelta { .. }
        )
    }
}
