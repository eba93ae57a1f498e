//! Layers around the requests of a chat.

mod budget;
pub(crate) mod error;
mod list;
mod redact;
mod results;

pub use budget::Budget;
pub(crate) use list::{Layers, SendRequest};
pub use redact::Redact;
pub(crate) use results::LayeredResults;

use crate::{CallPart, ChatRequest, Event};
use error::{LayerError, LayerStream};
use skill_agent_server::BoxFuture;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::fmt;
use std::sync::Arc;

/// A layer around the requests of a chat. It can change a request, read or change its completion, ask again, change the results
/// of calls, and end the turn.
///
/// All methods have a default that changes nothing. A layer is shared by all requests of its chat, so keep the data of one
/// request in the request's future or stream. A layer cannot change the history itself. It only decides which completions and
/// results the history gets.
///
/// ```
/// use skill_agent::chat::{ChatLayer, ChatRequest, Completion, LayerError, LayerStream, Message, Next};
/// use skill_agent::server::BoxFuture;
/// use std::sync::Arc;
///
/// /// Asks again when an answer is too long.
/// struct Brief {
///     most: usize,
/// }
///
/// impl ChatLayer for Brief {
///     fn request<'a>(
///         &'a self,
///         request: ChatRequest,
///         next: Next<'a>,
///     ) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
///         Box::pin(async move {
///             let completion = Completion::read(next.send(request.clone()).await?).await?;
///             let length = completion.message.text().len();
///             if length <= self.most {
///                 return Ok(completion.into_stream());
///             }
///             if length > 100 * self.most {
///                 return Err(LayerError::end("the model does not stop"));
///             }
///             let mut again = request;
///             let messages = Arc::make_mut(&mut again.messages);
///             messages.extend([completion.message, "Shorter, please.".into()]);
///             next.send(again).await
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layer",
    label = "not a layer",
    note = "a layer is a type with `impl ChatLayer`, whose `request(&self, request: ChatRequest, next: Next<'_>)` passes the request on with `next.send(request)`; a closure is no layer. `Budget` and `Redact` are layers; a compactor such as `Summarize` goes into `.compactor(...)`"
)]
pub trait ChatLayer: Send + Sync + 'static {
    /// Checks the layer's settings. A chat calls this method when it is built.
    ///
    /// # Errors
    ///
    /// Returns a message with the mistake and its correction.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Passes a request on and returns the events of its completion. The chat calls this method once for each request. Retries, and
    /// the switches of a [`Fallback`](crate::Fallback), happen behind `next`.
    ///
    /// Your program sees the pieces in the returned stream, and the history gets the stream's complete
    /// [parts](crate::ModelEvent::Part). Pieces become a part if no complete part replaces them.
    ///
    /// # Errors
    ///
    /// Returns [`LayerError::end`] to end the turn with [`Stop::Layer`](crate::Stop::Layer). The stream may return this error too.
    /// The history then contains nothing of the request's completion. Any other error fails the turn.
    fn request<'a>(
        &'a self,
        request: ChatRequest,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
        next.send(request)
    }

    /// Changes the result of a finished call before it is added to the history and sent to the model. A call that waits for
    /// approval has not run, so this method is called for it only after the approval.
    ///
    /// # Errors
    ///
    /// Returns [`LayerError::end`] to end the turn after the step. The history then contains the result as this method left it. Any
    /// other error fails the turn after the step. The history then says that the call ran and that its result is unknown.
    fn result<'a>(
        &'a self,
        call: &'a CallPart,
        result: &'a mut Result<ToolOutput, ToolError>,
    ) -> BoxFuture<'a, Result<(), LayerError>> {
        let _ = (call, result);
        Box::pin(std::future::ready(Ok(())))
    }

    /// Changes an event before the program gets it. The history does not change. [`Event::StepEnd`], [`Event::Decided`],
    /// [`Event::Selected`] and the [`Event::Said`] that begins a turn contain messages of the history, so this method does not get
    /// them. It gets [`Event::Done`] unless the turn has a typed answer.
    fn shown(&self, event: &mut Event) {
        let _ = event;
    }
}

impl<L: ChatLayer + ?Sized> ChatLayer for Arc<L> {
    fn check(&self) -> Result<(), String> {
        (**self).check()
    }

    fn request<'a>(
        &'a self,
        request: ChatRequest,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
        (**self).request(request, next)
    }

    fn result<'a>(
        &'a self,
        call: &'a CallPart,
        result: &'a mut Result<ToolOutput, ToolError>,
    ) -> BoxFuture<'a, Result<(), LayerError>> {
        (**self).result(call, result)
    }

    fn shown(&self, event: &mut Event) {
        (**self).shown(event);
    }
}

/// The layers behind a layer, and the model. A layer may send any number of requests to them.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    layers: &'a [Box<dyn ChatLayer>],
    model: &'a dyn SendRequest,
}

impl<'a> Next<'a> {
    /// Sends a request to the next layer, or to the model. Each request of a layer after its first counts as a step of the turn,
    /// so that a layer that asks again and again reaches the turn's limits.
    ///
    /// # Errors
    ///
    /// Returns the error of a layer behind this one. An error of the model is in the stream.
    pub fn send(self, request: ChatRequest) -> BoxFuture<'a, Result<LayerStream, LayerError>> {
        match self.layers.split_first() {
            Some((layer, layers)) => {
                let model = self.model;
                layer.request(request, Next { layers, model })
            }
            None => self.model.send(request),
        }
    }
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}
