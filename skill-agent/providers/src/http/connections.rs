//! Streams whose connections run on threads for connections only.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_core::stream::BoxStream;
use skill_agent_http::runtime_of;
use tokio::runtime::Handle;

/// A stream whose connections run on the thread for its server.
pub(crate) struct OnConnections<T> {
    stream: BoxStream<'static, T>,
    /// The runtime of the connections, or `None` if no thread could be started. The connections then run on the caller's runtime.
    runtime: Option<Handle>,
}

impl<T> OnConnections<T> {
    pub(crate) fn new(server: &str, stream: BoxStream<'static, T>) -> Self {
        Self {
            stream,
            runtime: runtime_of(server),
        }
    }
}

impl<T> Stream for OnConnections<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let this = &mut *self;
        // hyper spawns its tasks on the entered runtime
        let _entered = this.runtime.as_ref().map(Handle::enter);
        this.stream.as_mut().poll_next(cx)
    }
}
