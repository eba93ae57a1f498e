//! [`StartFuture`], the future that starts a server.

use crate::error::StartError;
use crate::handle::AgentServer;
use crate::misused::Started;
use skill_core::Agent;
use skill_core::child::BoxFuture;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The future returned by [`AgentServerBuilder::start`](super::AgentServerBuilder::start).
#[must_use = "a server starts when this is awaited"]
pub struct StartFuture<G: Agent>(BoxFuture<Result<AgentServer<G>, StartError>>);

impl<G: Agent> StartFuture<G> {
    pub(super) fn new(
        start: impl Future<Output = Result<AgentServer<G>, StartError>> + Send + 'static,
    ) -> Self {
        Self(Box::pin(start))
    }
}

impl<G: Agent> Future for StartFuture<G> {
    type Output = Result<AgentServer<G>, StartError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(cx)
    }
}

impl<G: Agent> fmt::Debug for StartFuture<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartFuture").finish_non_exhaustive()
    }
}

/// Defines the server methods that programs most often call on a start without awaiting it. Without these definitions, rustc would
/// report only an unknown method.
macro_rules! methods_of_the_server {
    ($($name:ident($($argument:ident),*))*) => {
        impl<G: Agent> StartFuture<G> {
            $(
                #[doc(hidden)]
                pub fn $name(&self, $($argument: impl Sized),*) -> <Self as Started>::Output
                where
                    Self: Started,
                {
                    $(drop($argument);)*
                    self.output()
                }
            )*
        }
    };
}

methods_of_the_server! {
    agent()
    call(action)
    call_json(action, arguments)
    request(signal)
    send(signal)
    stop()
    subscribe(pattern)
}
