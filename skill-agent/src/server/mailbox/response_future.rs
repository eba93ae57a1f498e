//! Requests to a server: into the mailbox, and the wait for the response.

use super::message::{BoxEnvelope, MailboxRequest};
use super::responder::{DeadlineState, Responder, Response, ResponseReceiver};
use crate::child::BoxFuture;
use crate::clock::Clock;
use crate::server::error::ServeError;
use crate::server::owner::Owner;
use skill_core::Agent;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// The response to a request, as the methods of [`AgentServer`](crate::AgentServer) return it. Nothing is sent before it is polled.
///
/// It is a named type rather than that of an `async fn` because rustc reports an unmet bound of an `async fn` three times.
#[must_use = "a request is sent when its response is awaited"]
pub struct ResponseFuture<'a, G: Agent, T, E> {
    mailbox: &'a mpsc::Sender<BoxEnvelope<G>>,
    clock: &'a dyn Clock,
    step: Step<'a, G>,
    receiver: ResponseReceiver<T, E>,
    deadline: Option<Deadline>,
}

enum Step<'a, G: Agent> {
    Send(BoxEnvelope<G>),
    /// The mailbox is full. The output is whether the server took the request.
    WaitForRoom(Pin<Box<dyn Future<Output = bool> + Send + 'a>>),
    WaitForResponse,
}

struct Deadline {
    state: Arc<DeadlineState>,
    /// Created by the first poll, because a timer needs a runtime.
    timeout: Option<BoxFuture<()>>,
}

impl<'a, G: Agent, T, E> ResponseFuture<'a, G, T, E> {
    /// Creates a request, which runs `work` on the owner. With `time`, it has a deadline.
    pub(in crate::server) fn new(
        mailbox: &'a mpsc::Sender<BoxEnvelope<G>>,
        clock: &'a dyn Clock,
        time: Option<Duration>,
        work: impl FnOnce(&mut Owner<G>, Responder<T, E>) + Send + 'static,
    ) -> Self
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let deadline = time.map(|time| Deadline {
            state: DeadlineState::new(clock.now() + time),
            timeout: None,
        });
        let state = deadline.as_ref().map(|deadline| deadline.state.clone());
        let (responder, receiver) = Responder::new(state);
        Self {
            mailbox,
            clock,
            step: Step::Send(MailboxRequest::new(work, responder)),
            receiver,
            deadline,
        }
    }

    fn poll_response(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, ServeError<E>>> {
        let mailbox = self.mailbox;
        loop {
            match std::mem::replace(&mut self.step, Step::WaitForResponse) {
                // tried without waiting first, because a wait costs more than the message
                Step::Send(envelope) => match mailbox.try_send(envelope) {
                    Ok(()) => {}
                    Err(TrySendError::Closed(_)) => return Poll::Ready(Err(ServeError::Stopped)),
                    Err(TrySendError::Full(envelope)) => {
                        let sending = async move { mailbox.send(envelope).await.is_ok() };
                        self.step = Step::WaitForRoom(Box::pin(sending));
                    }
                },
                Step::WaitForRoom(mut sending) => match sending.as_mut().poll(cx) {
                    Poll::Ready(true) => {}
                    Poll::Ready(false) => return Poll::Ready(Err(ServeError::Stopped)),
                    Poll::Pending => {
                        self.step = Step::WaitForRoom(sending);
                        return Poll::Pending;
                    }
                },
                Step::WaitForResponse => {
                    return Pin::new(&mut self.receiver).poll(cx).map(Response::read);
                }
            }
        }
    }
}

impl<G: Agent, T, E> Future for ResponseFuture<'_, G, T, E> {
    type Output = Result<T, ServeError<E>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if let Poll::Ready(result) = this.poll_response(cx) {
            return Poll::Ready(result);
        }
        let Some(Deadline { state, timeout }) = &mut this.deadline else {
            return Poll::Pending;
        };
        let clock = this.clock;
        let timeout = timeout.get_or_insert_with(|| {
            let left = state.due.duration_since(clock.now());
            clock.sleep(left.unwrap_or_default())
        });
        ready!(timeout.as_mut().poll(cx));
        if state.give_up() {
            return Poll::Ready(Err(ServeError::Deadline { applied: false }));
        }
        // The command is being recorded. The response, for which this task is registered, says whether that succeeded.
        this.deadline = None;
        Poll::Pending
    }
}

// not derived: the derive would add bounds on `G`, `T` and `E`
impl<G: Agent, T, E> fmt::Debug for ResponseFuture<'_, G, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
