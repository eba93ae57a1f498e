//! The layers of a chat. Their panics are caught here.

use super::error::{LayerError, LayerStream};
use super::{ChatLayer, Next};
use crate::{CallPart, ChatRequest, Event};
use skill_agent_server::__private::{catch, catch_async, drop_caught};
use skill_agent_server::BoxFuture;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The layers of a chat, the outermost first.
#[derive(Clone, Default)]
pub(crate) struct Layers(Arc<[Box<dyn ChatLayer>]>);

/// Sends the requests that the last layer passes on.
pub(crate) trait SendRequest: Send + Sync {
    fn send(&self, request: ChatRequest) -> BoxFuture<'_, Result<LayerStream, LayerError>>;
}

impl Layers {
    pub(crate) fn new(layers: Vec<Box<dyn ChatLayer>>) -> Self {
        Self(layers.into())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first problem in the settings of a layer.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|layer| layer.check())
    }

    /// Sends a request through all layers.
    pub(crate) async fn send(
        &self,
        request: ChatRequest,
        model: &dyn SendRequest,
    ) -> Result<LayerStream, LayerError> {
        let next = Next {
            layers: &self.0,
            model,
        };
        let sent = catch_async(Box::pin(async move { next.send(request).await })).await;
        let stream = sent.unwrap_or_else(|message| Err(LayerError::panicked(&message)))?;
        Ok(Box::pin(Caught(Some(stream))))
    }

    /// Passes the result of a call through all layers.
    pub(crate) async fn result(
        &self,
        call: &CallPart,
        result: &mut Result<ToolOutput, ToolError>,
    ) -> Result<(), LayerError> {
        for layer in self.0.iter() {
            let changed = async { layer.result(call, result).await };
            let changed = catch_async(Box::pin(changed)).await;
            changed.unwrap_or_else(|message| Err(LayerError::panicked(&message)))?;
        }
        Ok(())
    }

    /// Passes an event through all layers.
    pub(crate) fn show(&self, event: &mut Event) -> Result<(), LayerError> {
        self.0.iter().try_for_each(|layer| {
            catch(|| layer.shown(event)).map_err(|message| LayerError::panicked(&message))
        })
    }
}

/// Catches panics of a layer's stream.
struct Caught(Option<LayerStream>);

impl futures_core::Stream for Caught {
    type Item = Result<crate::ModelEvent, LayerError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(stream) = &mut self.0 else {
            return Poll::Ready(None);
        };
        match catch(|| stream.as_mut().poll_next(cx)) {
            Ok(polled) => polled,
            Err(message) => Poll::Ready(Some(Err(LayerError::panicked(&message)))),
        }
    }
}

impl Drop for Caught {
    fn drop(&mut self) {
        drop_caught(self.0.take());
    }
}
