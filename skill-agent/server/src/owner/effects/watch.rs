//! The futures of tasks: they watch an action or a request until it ends or nothing waits for it.

use crate::clock::Clock;
use crate::error::ServeError;
use crate::mailbox::responder::Responder;
use crate::owner::{Owner, OwnerTask};
use crate::panics::catch_async;
use skill_core::Agent;
use skill_core::child::BoxFuture;
use skill_core::process::{AsyncDone, AsyncFuture};
use std::future::poll_fn;
use std::mem::replace;
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How an async action ended.
pub(super) enum Ended {
    Done(AsyncDone),
    /// The receiver was dropped, or the server stops.
    Cancelled,
    /// The time limit has passed.
    TimedOut(Duration),
    Panicked(String),
    /// The clock panicked. A clock may be user code.
    ClockPanicked(String),
}

/// The result of work that is not an action. `None` if the server stops; the inner `None` if the caller is no longer waiting.
pub(super) type UncountedEnd<R> = Option<Option<Result<R, String>>>;

/// Returns the task of work that is not an action. Boxed, so that tokio's part of a task is compiled once.
pub(super) fn uncounted<G: Agent, R: Send + 'static>(
    work: BoxFuture<R>,
    cancel: CancellationToken,
    mut end: Box<dyn TaskEnd<G, UncountedEnd<R>>>,
) -> BoxFuture<OwnerTask<G>> {
    Box::pin(async move {
        let ended = tokio::select! {
            biased;
            result = catch_async(work) => Some(Some(result)),
            () = cancel.cancelled() => None,
            () = poll_fn(|cx| end.poll_gone(cx)) => Some(None),
        };
        let work: OwnerTask<G> = Box::new(move |owner| end.run(owner, ended));
        work
    })
}

/// Returns the task of an action.
pub(super) fn counted<G: Agent>(
    future: AsyncFuture,
    watch: Watch,
    mut end: Box<dyn TaskEnd<G, Ended>>,
) -> BoxFuture<OwnerTask<G>> {
    Box::pin(async move {
        // The clock is user code too.
        let watched = catch_async(Box::pin(watch.until_end(future, &mut *end)));
        let ended = watched.await.unwrap_or_else(Ended::ClockPanicked);
        let work: OwnerTask<G> = Box::new(move |owner| end.run(owner, ended));
        work
    })
}

/// The end of a task: the caller that is waiting for it, and the rest of its command.
pub(super) trait TaskEnd<G: Agent, R>: Send {
    /// Returns whether the caller is still waiting. Also returns `true` if the task never had a caller.
    fn is_wanted(&self) -> bool;

    /// Completes when the caller is no longer waiting, and never if there is no caller.
    fn poll_gone(&mut self, cx: &mut task::Context<'_>) -> Poll<()>;

    /// Responds before an action has ended.
    fn answer_early(&mut self, action: &'static str, limit: Duration);

    /// Continues the command with the task's result.
    fn run(self: Box<Self>, owner: &mut Owner<G>, result: R);
}

pub(super) struct Waiting<T, E, F> {
    responder: Option<Responder<T, E>>,
    then: F,
}

impl<T, E, F> Waiting<T, E, F> {
    pub(super) fn new(responder: Option<Responder<T, E>>, then: F) -> Box<Self> {
        Box::new(Self { responder, then })
    }
}

impl<G, T, E, F, R> TaskEnd<G, R> for Waiting<T, E, F>
where
    G: Agent,
    T: Send,
    E: Send,
    F: FnOnce(&mut Owner<G>, Option<Responder<T, E>>, R) + Send,
{
    fn is_wanted(&self) -> bool {
        self.responder.as_ref().is_none_or(Responder::is_wanted)
    }

    fn poll_gone(&mut self, cx: &mut task::Context<'_>) -> Poll<()> {
        match &mut self.responder {
            Some(responder) => responder.poll_abandoned(cx),
            None => Poll::Pending,
        }
    }

    /// Replaces the responder with one without a receiver.
    fn answer_early(&mut self, action: &'static str, limit: Duration) {
        if let Some(responder) = &mut self.responder {
            let (answered, _) = Responder::new(None);
            let error = ServeError::time_limit(action, limit);
            replace(responder, answered).respond(Err(error));
        }
    }

    fn run(self: Box<Self>, owner: &mut Owner<G>, result: R) {
        (self.then)(owner, self.responder, result);
    }
}

/// Stops an action at its time limit, or when it is cancelled.
pub(super) struct Watch {
    pub(super) action: &'static str,
    pub(super) token: CancellationToken,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) limit: Duration,
    pub(super) grace: Duration,
}

impl Watch {
    /// Runs an action until it ends or is stopped. The caller waits no longer than the time limit.
    async fn until_end<G: Agent>(
        self,
        future: AsyncFuture,
        end: &mut dyn TaskEnd<G, Ended>,
    ) -> Ended {
        let mut action = std::pin::pin!(catch_async(future));
        // An action that is cancelled before its first poll has no effects.
        if self.token.is_cancelled() || !end.is_wanted() {
            return Ended::Cancelled;
        }
        let ended = tokio::select! {
            biased;
            // The cancellation is polled before the action: the action may see the cancellation and return without having done its
            // work.
            () = self.token.cancelled() => Ended::Cancelled,
            done = &mut action => match done {
                Ok(done) => Ended::Done(done),
                Err(message) => Ended::Panicked(message),
            },
            () = poll_fn(|cx| end.poll_gone(cx)) => Ended::Cancelled,
            () = self.clock.sleep(self.limit) => Ended::TimedOut(self.limit),
        };
        if !matches!(ended, Ended::Done(_) | Ended::Panicked(_)) {
            self.token.cancel();
            if matches!(ended, Ended::TimedOut(_)) {
                end.answer_early(self.action, self.limit);
            }
            tokio::select! {
                biased;
                _ = &mut action => {}
                () = self.clock.sleep(self.grace) => {}
            }
        }
        ended
    }
}
