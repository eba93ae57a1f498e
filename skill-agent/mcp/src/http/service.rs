//! The service of tower that answers HTTP requests.

use super::auth::{Answer, Auth, Principal, answer};
use super::principals::{Entry, Principals};
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use skill_agent_server::BoxFuture;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// Authenticates each request, and passes it to the service of its principal. Clones share everything.
#[derive(Clone)]
pub(super) struct HttpService {
    auth: Option<Arc<Auth>>,
    principals: Arc<Principals>,
}

impl HttpService {
    pub(super) fn new(auth: Option<Auth>, principals: Arc<Principals>) -> Self {
        let auth = auth.map(Arc::new);
        Self { auth, principals }
    }

    async fn respond<B>(self, mut request: Request<B>) -> Result<Answer, Answer>
    where
        B: Body<Data: Send, Error: fmt::Display> + Send + 'static,
    {
        let principal = match &self.auth {
            Some(auth) => {
                if request.method() == Method::GET
                    && let Some(document) = auth.metadata(request.uri().path())
                {
                    return Ok(document);
                }
                Some(auth.principal(request.headers()).await?)
            }
            // a layer of the program's router may have authenticated the caller
            None => request.extensions_mut().remove::<Principal>(),
        };
        let Some(principal) = principal else {
            let service = self.principals.of_nobody();
            let service =
                service.ok_or_else(|| answer(StatusCode::UNAUTHORIZED, "no principal"))?;
            return Ok(service.handle(request).await);
        };
        let (service, entry) = self.principals.of(principal).await?;
        let response = service.handle(request).await;
        Ok(response.map(|body| {
            Held {
                body,
                _entry: entry,
            }
            .boxed()
        }))
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body<Data: Send, Error: fmt::Display> + Send + 'static,
{
    type Response = Response<BoxBody<Bytes, Infallible>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async {
            Ok(service
                .respond(request)
                .await
                .unwrap_or_else(|refusal| refusal))
        })
    }
}

/// A body during which its principal is not idle.
struct Held {
    body: BoxBody<Bytes, Infallible>,
    _entry: Arc<Entry>,
}

impl Body for Held {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
