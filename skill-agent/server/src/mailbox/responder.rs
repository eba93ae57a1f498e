//! The two ends of a response: the responder in the server task, and the receiver in the handle.

use crate::error::{Applied, ServeError};
use crate::progress::ProgressSender;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::SystemTime;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

/// The sending half of the channel for one response.
pub(crate) struct Responder<T, E> {
    sender: oneshot::Sender<Response<T, E>>,
    pub(crate) deadline: Option<Arc<DeadlineState>>,
    recycled_box: RecycledBox,
    /// The idempotency key of the async action that made the request, if any. Boxed, because few requests have one and responders
    /// are moved often.
    pub(crate) sent_under: Option<Box<Arc<str>>>,
    /// Where to send the progress of an async action.
    pub(crate) progress: Option<ProgressSender>,
}

/// The allocation of a request. The sender of the request frees it.
type RecycledBox = Option<Box<dyn Any + Send>>;

/// A response on its way to the handle.
pub(crate) struct Response<T, E> {
    result: Result<T, ServeError<E>>,
    /// Dropped on the thread that reads the response.
    _recycled_box: RecycledBox,
}

/// The receiving half of the channel for one response.
pub(crate) type ResponseReceiver<T, E> = oneshot::Receiver<Response<T, E>>;

impl<T, E> Response<T, E> {
    /// Returns the request's result, or `Stopped` if the server dropped the responder.
    pub(crate) fn read(received: Result<Self, RecvError>) -> Result<T, ServeError<E>> {
        match received {
            Ok(response) => response.result,
            // the command may have been recorded before the server ended
            Err(_) => Err(ServeError::stopped(Applied::Unknown)),
        }
    }
}

/// The state of a command with a deadline. Through this state, the handle and the server task agree on whether the command was
/// applied: a command is given up before its record is written, or never.
#[derive(Debug)]
pub(crate) struct DeadlineState {
    state: AtomicU8,
    pub(crate) due: SystemTime,
}

const WAITING: u8 = 0;
const GIVEN_UP: u8 = 1;
const APPLIED: u8 = 2;

impl DeadlineState {
    pub(crate) fn new(due: SystemTime) -> Arc<Self> {
        Arc::new(Self {
            state: AtomicU8::new(WAITING),
            due,
        })
    }

    fn advance(&self, to: u8) -> bool {
        let advanced =
            self.state
                .compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire);
        advanced.is_ok()
    }

    /// Gives up the command. Returns `false` if it has already been applied.
    pub(crate) fn give_up(&self) -> bool {
        self.advance(GIVEN_UP)
    }
}

impl<T, E> Responder<T, E> {
    /// Creates a responder and its receiver.
    pub(crate) fn new(deadline: Option<Arc<DeadlineState>>) -> (Self, ResponseReceiver<T, E>) {
        let (sender, receiver) = oneshot::channel();
        let responder = Self {
            sender,
            deadline,
            recycled_box: None,
            sent_under: None,
            progress: None,
        };
        (responder, receiver)
    }

    /// Keeps the allocation of the request, to send it back with the response.
    pub(crate) fn recycle(&mut self, request: Box<dyn Any + Send>) {
        self.recycled_box = Some(request);
    }

    /// Completes when the receiver is dropped.
    pub(crate) fn poll_abandoned(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.sender.poll_closed(cx)
    }

    /// Returns whether the request comes from the running command with this key.
    pub(crate) fn is_from(&self, key: &str) -> bool {
        self.sent_under.as_ref().is_some_and(|own| &***own == key)
    }

    /// Returns whether the receiver is still waiting. If it is not, a command that has not started is dropped.
    pub(crate) fn is_wanted(&self) -> bool {
        let given_up =
            |deadline: &Arc<DeadlineState>| deadline.state.load(Ordering::Acquire) == GIVEN_UP;
        !self.sender.is_closed() && !self.deadline.as_ref().is_some_and(given_up)
    }

    /// Marks the command as applied, just before it is recorded. Returns `false` if the deadline has passed, so that the command
    /// must be undone.
    pub(crate) fn apply(&self) -> bool {
        self.deadline
            .as_ref()
            .is_none_or(|deadline| deadline.advance(APPLIED))
    }

    /// Sends the response, or drops it if the receiver no longer exists.
    pub(crate) fn respond(self, result: Result<T, ServeError<E>>) {
        let _ = self.sender.send(Response {
            result,
            _recycled_box: self.recycled_box,
        });
    }

    /// Sends the response to a command that was applied. After the deadline, an output is replaced with `Deadline` and
    /// [`Applied::Yes`].
    pub(crate) fn respond_by_deadline(
        self,
        now: impl FnOnce() -> SystemTime,
        result: Result<T, ServeError<E>>,
    ) {
        let is_late = match (&self.deadline, &result) {
            (Some(deadline), Ok(_)) => now() > deadline.due,
            _ => false,
        };
        self.respond(if is_late {
            Err(ServeError::deadline(Applied::Yes))
        } else {
            result
        });
    }
}
