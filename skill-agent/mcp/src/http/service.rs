//! The service of tower that answers HTTP requests.

use super::auth::{Answer, Auth, Principal, answer};
use super::principals::{Entry, Principals, busy};
use crate::handler::TOO_MANY_LISTENERS;
use bytes::{Buf, Bytes};
use http::{Method, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use skill_agent_server::BoxFuture;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;
use tower_service::Service;

/// The time limit for the body of a request.
const BODY_TIME: Duration = Duration::from_secs(60);
const TOO_LATE: &str = "the body of the request did not arrive within 60 seconds";

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
        if let Some(problem) = principal.as_ref().and_then(Principal::problem) {
            tracing::warn!(problem, "the principal of a router was refused");
            return Err(answer(StatusCode::FORBIDDEN, problem));
        }
        // only a stream of the earlier era is a `GET`
        let is_stream = request.method() == Method::GET;
        let listener = if is_stream {
            let listener = self.principals.listener();
            Some(listener.ok_or_else(|| busy(TOO_MANY_LISTENERS))?)
        } else {
            None
        };
        let closing =
            is_stream.then(|| Box::pin(self.principals.closing().clone().cancelled_owned()));
        let is_late = Arc::new(AtomicBool::new(false));
        let arriving = |body| Arriving {
            body: Box::pin(body),
            limit: None,
            is_late: Arc::clone(&is_late),
        };
        let request = request.map(|body| arriving(body).boxed_unsync());
        let (service, entry) = match principal {
            Some(principal) => {
                let (service, entry) = self.principals.of(principal).await?;
                (service, Some(entry))
            }
            None => (self.principals.anonymous().ok_or_else(no_principal)?, None),
        };
        let ends_session = request.method() == Method::DELETE;
        let mut response = service(request).await;
        if is_late.load(Ordering::Relaxed) {
            return Err(answer(StatusCode::REQUEST_TIMEOUT, TOO_LATE));
        }
        if ends_session && response.status() == StatusCode::ACCEPTED {
            // Python's client takes 202 for a failure
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        let held = |body| Held {
            body,
            entry,
            closing,
            _listener: listener,
        };
        Ok(response.map(|body| held(body).boxed()))
    }
}

fn no_principal() -> Answer {
    tracing::error!(
        "a request has no principal: no layer of the router has put one into its extensions"
    );
    answer(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the request has no principal",
    )
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

/// The body of a request, which has a time limit.
struct Arriving<B> {
    body: Pin<Box<B>>,
    /// Begins with the first wait.
    limit: Option<Pin<Box<Sleep>>>,
    /// Whether the limit is over. rmcp takes each error of a body for one of the server.
    is_late: Arc<AtomicBool>,
}

impl<B: Body<Error: fmt::Display>> Body for Arriving<B> {
    type Data = Bytes;
    type Error = String;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, String>>> {
        if let Poll::Ready(frame) = self.body.as_mut().poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| match frame {
                // no copy if the data are `Bytes`
                Ok(frame) => Ok(frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))),
                Err(error) => Err(error.to_string()),
            }));
        }
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(BODY_TIME)));
        ready!(limit.as_mut().poll(cx));
        self.is_late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(TOO_LATE.to_owned())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a response, during which its principal is not idle. A stream ends when the server stops.
struct Held {
    body: BoxBody<Bytes, Infallible>,
    entry: Option<Arc<Entry>>,
    closing: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    _listener: Option<OwnedSemaphorePermit>,
}

impl Body for Held {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let closing = self.closing.as_mut();
        if closing.is_some_and(|closing| closing.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(entry) = &self.entry {
            entry.note_use();
        }
    }
}
