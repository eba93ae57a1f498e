//! Turns as streams of events.

use super::TurnTask;
use super::outlet::{HistoryChange, Outlet};
use crate::cancel::Interruption;
use crate::{Chat, ChatError, Event, Turn};
use futures_core::Stream;
use skill_agent_server::__private::not_read_by_for;
use skill_agent_server::BoxFuture;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A running turn, returned by [`Chat::stream`] and similar methods.
///
/// The last event is [`Event::Done`] or an error. The turn makes progress only while it is read, and dropping the stream cancels
/// the model's request and the running calls. The history then keeps the completed steps, but does not show the effects of a
/// cancelled call. The exception is an approved call to a tool source: its result says that the call was interrupted.
///
/// If the stream is dropped after [`next`](Self::next) returned an event within a step, a warning is logged. There is no warning
/// if a [canceller](Chat::canceller), a time limit or a `select!` around `next` stops the turn.
///
/// The stream borrows the chat, so use [`chat`](Self::chat) to read the history in the meantime. In a spawned task, use
/// [`Chat::into_stream`], because rustc reports E0597 or E0521 for this type.
#[must_use = "a turn does nothing unless it is read"]
pub struct TurnStream<'a> {
    chat: &'a mut Chat,
    running: Running,
}

/// A running turn that owns its chat, returned by [`Chat::into_stream`]. Use it, for example, for the response of a web server.
///
/// Read it like a [`TurnStream`]. You get the chat back from [`into_chat`](Self::into_chat), even before the turn ends, or
/// automatically with [`give_back`](Self::give_back).
#[must_use = "a turn does nothing unless it is read"]
pub struct OwnedTurnStream {
    chat: Chat,
    running: Running,
}

/// The loop, and its events.
struct Running {
    /// The loop, or `None` after its end.
    task: Option<BoxFuture<'static, Result<Turn, ChatError>>>,
    outlet: Outlet,
    /// The result of the loop, returned after the remaining events.
    end: Option<Result<Turn, ChatError>>,
    interruption: Option<Interruption>,
    /// The name of the last event that `next` returned, if a reader that stops there leaves a step unfinished.
    left_after: Option<&'static str>,
}

impl Running {
    fn new(task: Result<TurnTask, ChatError>) -> Self {
        let layers = task.as_ref().map(|task| task.setup.layers.clone());
        let outlet = Outlet::new(layers.unwrap_or_default());
        let interruption = task.as_ref().ok().map(|task| task.interruption.clone());
        let task: BoxFuture<'static, _> = match task {
            Ok(task) => Box::pin(task.run(outlet.clone())),
            Err(error) => Box::pin(async { Err(error) }),
        };
        Self {
            task: Some(task),
            outlet,
            end: None,
            interruption,
            left_after: None,
        }
    }

    async fn next(&mut self, chat: &mut Chat) -> Option<Result<Event, ChatError>> {
        let event = poll_fn(|cx| self.poll_next(chat, cx)).await;
        if let Some(Ok(event)) = &event {
            self.left_after = name_within_step(event);
        }
        event
    }

    fn poll_next(
        &mut self,
        chat: &mut Chat,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Event, ChatError>>> {
        // a waiting reader can only be stopped from outside, by a time limit or by the end of its task, so do not warn
        self.left_after = None;
        loop {
            if let Some(emission) = self.outlet.take() {
                if let Some(change) = emission.change {
                    change.apply(chat);
                }
                return Poll::Ready(Some(Ok(emission.event)));
            }
            if let Some(end) = self.end.take() {
                return Poll::Ready(Some(end.map(Event::Done)));
            }
            let Some(task) = &mut self.task else {
                return Poll::Ready(None);
            };
            let polled = task.as_mut().poll(cx);
            if let Some(compacted) = self.outlet.take_compacted() {
                chat.keep(compacted);
            }
            match polled {
                Poll::Ready(end) => {
                    self.task = None;
                    self.end = Some(end);
                }
                Poll::Pending if self.outlet.is_empty() => return Poll::Pending,
                Poll::Pending => {}
            }
        }
    }
}

/// Warns if the reader stopped within a step, for example in a `while let` with a pattern for only one kind of event.
impl Drop for Running {
    fn drop(&mut self) {
        let is_cancelled = self
            .interruption
            .as_ref()
            .is_some_and(Interruption::is_cancelled);
        let is_stopped = is_cancelled || std::thread::panicking();
        if let Some(event) = self.left_after.filter(|_| !is_stopped) {
            tracing::warn!(
                "a turn was cancelled, because its stream was dropped after `Event::{event}` and before `Event::Done`; keep the \
                 stream in a variable and read all its events, as in `while let Some(event) = turn.next().await {{ match event? {{ \
                 ... }} }}`; to cancel it, write `turn.chat().canceller().cancel()` first"
            );
        }
    }
}

/// Returns the name of an event within a step, or `None` for events between steps, where a program may stop.
fn name_within_step(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::Selected(_) => "Selected",
        Event::Text(_) => "Text",
        Event::Reasoning(_) => "Reasoning",
        Event::CallDelta { .. } => "CallDelta",
        Event::Calling(_) => "Calling",
        Event::Progress(_) => "Progress",
        Event::Called(_) => "Called",
        Event::Approval(_) => "Approval",
        Event::Retry(_) => "Retry",
        Event::Switched(_) => "Switched",
        Event::Said(_)
        | Event::Decided(_)
        | Event::StepEnd(_)
        | Event::Done(_)
        | Event::Restarted
        | Event::Lost { .. } => return None,
    })
}

impl HistoryChange {
    fn apply(self, chat: &mut Chat) {
        let history = Arc::make_mut(&mut chat.history);
        match self {
            Self::Append(messages) => {
                // the parts for the next message are in it
                #[cfg(feature = "documents")]
                if messages.first().is_some_and(crate::Message::is_of_user) {
                    chat.contexts.clear();
                }
                history.extend(messages);
                chat.begun = None;
            }
            Self::ReplaceLast(message) => {
                if let Some(last) = history.last_mut() {
                    *last = message;
                }
            }
        }
    }
}

impl<'a> TurnStream<'a> {
    pub(crate) fn new(chat: &'a mut Chat, task: Result<TurnTask, ChatError>) -> Self {
        let running = Running::new(task);
        Self { chat, running }
    }

    /// Returns the next event, or `None` after the end.
    pub async fn next(&mut self) -> Option<Result<Event, ChatError>> {
        self.running.next(self.chat).await
    }

    /// Returns the chat with the completed steps, for example to read its [history](Chat::history). The stream borrows your chat
    /// variable, so using the variable itself is a compile error (E0502) while the stream exists.
    #[must_use]
    pub fn chat(&self) -> &Chat {
        self.chat
    }

    /// Reads the remaining events and returns the ended turn.
    ///
    /// # Errors
    ///
    /// Returns an error if the turn fails; see [`Chat::send`].
    pub async fn finish(mut self) -> Result<Turn, ChatError> {
        // the stream ends with `Event::Done` or an error
        loop {
            match self.next().await {
                Some(Ok(Event::Done(turn))) => return Ok(turn),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Err(ChatError::Ended),
            }
        }
    }
}

impl OwnedTurnStream {
    pub(crate) fn new(chat: Chat, task: Result<TurnTask, ChatError>) -> Self {
        let running = Running::new(task);
        Self { chat, running }
    }

    /// Returns the next event, or `None` after the end.
    pub async fn next(&mut self) -> Option<Result<Event, ChatError>> {
        self.running.next(&mut self.chat).await
    }

    /// Returns the chat with the completed steps, for example to read its [history](Chat::history).
    #[must_use]
    pub fn chat(&self) -> &Chat {
        &self.chat
    }

    /// Ends the turn and returns the chat with the completed steps.
    pub fn into_chat(mut self) -> Chat {
        self.running.left_after = None;
        self.chat
    }

    /// Converts the turn to a stream that its reader may drop at any time, such as the body of a response. Calls `to` with the
    /// chat when the turn has ended, before the last event is returned, or when the stream is dropped. A client that has read the
    /// end of a turn can therefore start the next turn at once.
    ///
    /// ```
    /// # use skill_agent::chat::{BoxStream, Chat, ChatError, Event, Message};
    /// # use std::sync::{Arc, Mutex};
    /// type Events = BoxStream<'static, Result<Event, ChatError>>;
    ///
    /// /// Begins a turn of the chat in a slot. `None` while another one runs.
    /// fn turn(slot: Arc<Mutex<Option<Chat>>>, message: Message) -> Option<Events> {
    ///     let chat = slot.lock().unwrap().take()?;
    ///     let turn = chat.into_stream(message);
    ///     Some(Box::pin(turn.give_back(move |chat| *slot.lock().unwrap() = Some(chat))))
    /// }
    /// ```
    pub fn give_back<F>(
        self,
        to: F,
    ) -> impl Stream<Item = Result<Event, ChatError>> + Send + Unpin + use<F>
    where
        F: FnOnce(Chat) + Send + 'static,
    {
        Returned(Some((self, to)))
    }
}

/// A turn that hands over its chat at the end.
struct Returned<F: FnOnce(Chat)>(Option<(OwnedTurnStream, F)>);

impl<F: FnOnce(Chat)> Returned<F> {
    fn end(&mut self) {
        if let Some((turn, to)) = self.0.take() {
            to(turn.into_chat());
        }
    }
}

impl<F: FnOnce(Chat)> Drop for Returned<F> {
    fn drop(&mut self) {
        self.end();
    }
}

// the function is never pinned
impl<F: FnOnce(Chat)> Unpin for Returned<F> {}

impl<F: FnOnce(Chat)> Stream for Returned<F> {
    type Item = Result<Event, ChatError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some((turn, _)) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let event = ready!(Pin::new(turn).poll_next(cx));
        if matches!(event, None | Some(Err(_) | Ok(Event::Done(_)))) {
            self.end();
        }
        Poll::Ready(event)
    }
}

impl Stream for TurnStream<'_> {
    type Item = Result<Event, ChatError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        this.running.poll_next(this.chat, cx)
    }
}

impl Stream for OwnedTurnStream {
    type Item = Result<Event, ChatError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        this.running.poll_next(&mut this.chat, cx)
    }
}

not_read_by_for!(TurnStream<'_>);
not_read_by_for!(OwnedTurnStream);

impl fmt::Debug for TurnStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnStream").finish_non_exhaustive()
    }
}

impl fmt::Debug for OwnedTurnStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedTurnStream").finish_non_exhaustive()
    }
}
