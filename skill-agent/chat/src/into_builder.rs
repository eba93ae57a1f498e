//! The return value of a function that builds a chat.

use crate::{BuildError, ChatBuilder};
use skill_agent_server::BoxFuture;
use std::future::ready;

/// A [`ChatBuilder`], or a future of one. Returned by the function that builds the chat of a durable conversation
/// or of a [`chat_tool`](crate::chat_tool).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a `ChatBuilder` nor a future of one",
    label = "not a builder of a chat",
    note = "return `Chat::builder(model, toolbox)`, or an async block that ends with `Ok(Chat::builder(model, toolbox))`"
)]
pub trait IntoChatBuilder {
    /// Returns the builder.
    ///
    /// # Errors
    /// Returns the error of the future.
    fn into_chat_builder(self) -> BoxFuture<'static, Result<ChatBuilder, BuildError>>;
}

impl IntoChatBuilder for ChatBuilder {
    fn into_chat_builder(self) -> BoxFuture<'static, Result<ChatBuilder, BuildError>> {
        Box::pin(ready(Ok(self)))
    }
}

impl<F> IntoChatBuilder for F
where
    F: Future<Output = Result<ChatBuilder, BuildError>> + Send + 'static,
{
    fn into_chat_builder(self) -> BoxFuture<'static, Result<ChatBuilder, BuildError>> {
        Box::pin(self)
    }
}
