//! Requests to the peer. Dropping one cancels it.

use rmcp::Peer;
use rmcp::model::ProgressToken;
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError, ServiceRole};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::runtime::Handle;

/// A request that was sent. Dropping it before its response cancels the request.
pub(crate) struct Sent<R: ServiceRole>(Option<RequestHandle<R>>);

impl<R: ServiceRole> Sent<R> {
    pub(crate) async fn new(peer: &Peer<R>, request: R::Req) -> Result<Self, ServiceError> {
        let options = PeerRequestOptions::no_options();
        let handle = peer.send_request_with_option(request, options).await?;
        Ok(Self(Some(handle)))
    }

    pub(crate) fn progress_token(&self) -> Option<ProgressToken> {
        let Self(handle) = self;
        handle.as_ref().map(|handle| handle.progress_token.clone())
    }
}

impl<R: ServiceRole> Future for Sent<R> {
    type Output = Result<R::PeerResp, ServiceError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(handle) = &mut self.0 else {
            return Poll::Pending; // it has ended
        };
        let response = ready!(Pin::new(&mut handle.rx).poll(cx));
        self.0 = None;
        Poll::Ready(response.unwrap_or(Err(ServiceError::TransportClosed)))
    }
}

impl<R: ServiceRole> Drop for Sent<R> {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(handle.cancel(Some("its caller no longer waits".to_owned())));
        }
    }
}
