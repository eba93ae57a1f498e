//! Requests to a server: a request sends a message and waits for the response.

use super::any_owner::AnyOwner;
use super::message::{BoxEnvelope, MailboxRequest};
use super::responder::{DeadlineState, Responder, Response, ResponseReceiver};
use super::target::{Lease, Mailbox, Reached};
use crate::error::{Applied, Deadlock, NotAwake, ServeError};
use crate::lifecycle::running::{ServerId, ensure_not_awaited, running_key};
use crate::lifecycle::shared::Shared;
use crate::progress::{ProgressEnd, ProgressSender};
use skill_core::child::BoxFuture;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;

/// The future returned by the request methods of [`AgentServer`](crate::AgentServer). Nothing is sent before the first poll.
///
/// This type has a name, because rustc reports an unmet bound of an `async fn` three times.
#[must_use = "a request is sent when its response is awaited"]
pub struct ResponseFuture<'a, G, T, E> {
    mailbox: &'a Mailbox,
    shared: &'a Shared,
    /// The server, or `None` until an agent that sleeps is awake.
    server: Option<Reached<'a>>,
    step: Step,
    receiver: ResponseReceiver<T, E>,
    deadline: Option<Deadline>,
    /// Whether the request has an idempotency key.
    has_key: bool,
    /// Ends the command's progress when the response has been read or is dropped.
    progress: Option<ProgressEnd>,
    agent: PhantomData<fn() -> G>,
}

enum Step {
    Send(BoxEnvelope),
    /// The agent sleeps, and this future wakes it.
    Wake(BoxEnvelope, BoxFuture<Result<Lease, NotAwake>>),
    /// The mailbox is full, and this future returns whether the server has taken the request.
    WaitForRoom(BoxFuture<bool>),
    WaitForResponse,
}

struct Deadline {
    state: Arc<DeadlineState>,
    /// The timer for the deadline, created by the first poll because a timer needs a runtime.
    timeout: Option<BoxFuture<()>>,
    /// How long to wait after the deadline for a command that is being recorded.
    grace: Duration,
    has_passed: bool,
}

impl<'a, G, T, E> ResponseFuture<'a, G, T, E> {
    /// Creates a request that runs `work` on the owner, with a `deadline` that counts from now.
    pub(crate) fn new(
        mailbox: &'a Mailbox,
        shared: &'a Shared,
        deadline: Option<Duration>,
        work: impl FnOnce(&mut dyn AnyOwner, Responder<T, E>) + Send + 'static,
    ) -> Self
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let deadline = deadline.and_then(|time| {
            // if the clock cannot represent the time, the request has no deadline
            let due = shared.clock.0.now().checked_add(time)?;
            Some(Deadline {
                state: DeadlineState::new(due),
                timeout: None,
                grace: shared.grace,
                has_passed: false,
            })
        });
        let state = deadline.as_ref().map(|deadline| deadline.state.clone());
        let (responder, receiver) = Responder::new(state);
        Self {
            mailbox,
            shared,
            server: None,
            step: Step::Send(MailboxRequest::new(work, responder)),
            receiver,
            deadline,
            has_key: false,
            progress: None,
            agent: PhantomData,
        }
    }

    /// Records that the request has an idempotency key.
    pub(crate) fn with_key(self) -> Self {
        Self {
            has_key: true,
            ..self
        }
    }

    /// Sends the progress of an async action to a [channel](crate::progress_channel). The channel closes when this response has
    /// been read or is dropped. A pure action does not report progress. Of several calls with the same idempotency key, only the
    /// call that runs the action gets progress.
    pub fn with_progress(mut self, progress: ProgressSender) -> Self {
        if let Step::Send(envelope) = &mut self.step {
            self.progress = Some(progress.end_on_drop());
            envelope.report_to(progress);
        }
        self
    }

    /// Returns whether a command that has not started may have been applied, because an earlier command with the same key may
    /// have been.
    fn applied_if_not_begun(&self) -> Applied {
        if self.has_key {
            Applied::Unknown
        } else {
            Applied::No
        }
    }

    /// Marks a message with the server code that sends the message. Returns an error if the server is waiting for that code.
    fn note_sender(server: &Shared, envelope: &mut BoxEnvelope) -> Result<(), Deadlock> {
        let server = ServerId::of(server);
        ensure_not_awaited(server)?;
        if let Some(key) = running_key(server) {
            envelope.sent_under(key);
        }
        Ok(())
    }

    fn poll_response(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, ServeError<E>>> {
        loop {
            match std::mem::replace(&mut self.step, Step::WaitForResponse) {
                Step::Send(mut envelope) => {
                    let server = match self.server.take() {
                        Some(server) => Ok(server),
                        None => self.mailbox.reach(self.shared),
                    };
                    let server = match server {
                        Ok(server) => self.server.insert(server),
                        Err(asleep) => {
                            self.step = Step::Wake(envelope, Arc::clone(asleep).wake());
                            continue;
                        }
                    };
                    if let Err(deadlock) = Self::note_sender(server.shared(), &mut envelope) {
                        return Poll::Ready(Err(ServeError::Deadlock(deadlock)));
                    }
                    // try without waiting first, because waiting costs more than the message itself
                    match server.mailbox().try_send(envelope) {
                        Ok(()) => {}
                        Err(TrySendError::Closed(_)) => {
                            let applied = self.applied_if_not_begun();
                            return Poll::Ready(Err(ServeError::stopped(applied)));
                        }
                        Err(TrySendError::Full(envelope)) => {
                            let mailbox = server.mailbox().clone();
                            let sending = async move { mailbox.send(envelope).await.is_ok() };
                            self.step = Step::WaitForRoom(Box::pin(sending));
                        }
                    }
                }
                Step::Wake(envelope, mut waking) => match waking.as_mut().poll(cx) {
                    Poll::Ready(Ok(lease)) => {
                        if let Some(deadline) = &mut self.deadline {
                            deadline.grace = lease.server().shared.grace;
                        }
                        self.server = Some(Reached::Woken(lease));
                        self.step = Step::Send(envelope);
                    }
                    Poll::Ready(Err(error)) => {
                        let applied = self.applied_if_not_begun();
                        return Poll::Ready(Err(ServeError::not_awake(error, applied)));
                    }
                    Poll::Pending => {
                        self.step = Step::Wake(envelope, waking);
                        return Poll::Pending;
                    }
                },
                Step::WaitForRoom(mut sending) => match sending.as_mut().poll(cx) {
                    Poll::Ready(true) => {}
                    Poll::Ready(false) => {
                        return Poll::Ready(Err(ServeError::stopped(self.applied_if_not_begun())));
                    }
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

    /// Polls for the response until the deadline.
    fn poll_in_time(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, ServeError<E>>> {
        if let Poll::Ready(result) = self.poll_response(cx) {
            return Poll::Ready(result);
        }
        let applied_if_not_begun = self.applied_if_not_begun();
        let Some(deadline) = &mut self.deadline else {
            return Poll::Pending;
        };
        let clock = &*self.shared.clock.0;
        loop {
            let timeout = deadline.timeout.get_or_insert_with(|| {
                let left = deadline.state.due.duration_since(clock.now());
                clock.sleep(left.unwrap_or_default())
            });
            ready!(timeout.as_mut().poll(cx));
            if deadline.has_passed {
                return Poll::Ready(Err(ServeError::deadline(Applied::Unknown)));
            }
            if deadline.state.give_up() {
                return Poll::Ready(Err(ServeError::deadline(applied_if_not_begun)));
            }
            // the command is being recorded; the response will say whether that succeeded, unless the store hangs
            deadline.has_passed = true;
            deadline.timeout = Some(clock.sleep(deadline.grace));
        }
    }
}

impl<G, T, E> Future for ResponseFuture<'_, G, T, E> {
    type Output = Result<T, ServeError<E>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let result = ready!(this.poll_in_time(cx));
        this.progress = None;
        // an agent that was woken may sleep again
        let server = this.server.take();
        let shared = server.as_ref().map_or(this.shared, Reached::shared);
        Poll::Ready(
            result.map_err(|error| error.keyed(this.has_key).because(|| shared.stop_reason())),
        )
    }
}

// not derived, because the derive would add bounds on `G`, `T` and `E`
impl<G, T, E> fmt::Debug for ResponseFuture<'_, G, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
