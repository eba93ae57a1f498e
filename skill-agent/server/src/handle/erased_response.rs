//! Responses without the type of the agent.

use crate::error::ServeError;
use crate::mailbox::ResponseFuture;
use crate::progress::ProgressSender;
use skill_core::Agent;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The response to a request through an [`ErasedServer`](crate::ErasedServer). Nothing is sent before the first poll.
#[must_use = "a request is sent when its response is awaited"]
pub struct ErasedResponseFuture<'a, T, E> {
    response: Box<dyn AnyResponse<T, E> + 'a>,
}

impl<'a, T, E> ErasedResponseFuture<'a, T, E> {
    pub(super) fn new<G: Agent>(response: ResponseFuture<'a, G, T, E>) -> Self
    where
        T: Send + 'a,
        E: Send + 'a,
    {
        Self {
            response: Box::new(response),
        }
    }

    /// Like [`ResponseFuture::with_progress`](crate::ResponseFuture::with_progress).
    pub fn with_progress(mut self, progress: ProgressSender) -> Self {
        self.response.report_to(progress);
        self
    }
}

/// The methods of [`ResponseFuture`] that do not depend on the agent's type.
trait AnyResponse<T, E>: Future<Output = Result<T, ServeError<E>>> + Send + Unpin {
    fn report_to(&mut self, progress: ProgressSender);
}

impl<G: Agent, T: Send, E: Send> AnyResponse<T, E> for ResponseFuture<'_, G, T, E> {
    fn report_to(&mut self, progress: ProgressSender) {
        self.report_to(progress);
    }
}

impl<T, E> Future for ErasedResponseFuture<'_, T, E> {
    type Output = Result<T, ServeError<E>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.get_mut().response).poll(cx)
    }
}

// not derived, because the derive would add bounds on `T` and `E`
impl<T, E> fmt::Debug for ErasedResponseFuture<'_, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErasedResponseFuture")
            .finish_non_exhaustive()
    }
}

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
