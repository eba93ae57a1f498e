//! Reads one completion, with retries.

use super::counts::Counts;
use super::outlet::Outlet;
use crate::limits::MAX_COMPLETION_BYTES;
use crate::setup::Setup;
use crate::{
    ChatRequest, Event, Message, MessagePart, ModelError, ModelEvent, Retry, Role, Switched,
    TextPart, texts,
};
use futures_core::stream::BoxStream;
use skill_agent_models::Finish;
use skill_agent_server::__private::{catch, drop_caught};
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

/// A request that failed and is not retried.
pub(super) struct Failed {
    pub(super) error: ModelError,
    /// The number of the next attempt, if there were one.
    attempt: u32,
    /// `true` if pieces of the completion have been shown.
    has_shown: bool,
}

impl Failed {
    /// Tells the reader to discard the pieces shown so far, because a new request replaces this one.
    pub(super) async fn discard(&self, outlet: &Outlet) {
        if self.has_shown {
            let retry = Retry {
                attempt: self.attempt,
                wait: Duration::ZERO,
                discard: true,
                error: self.error.clone(),
            };
            outlet.emit(Event::Retry(retry)).await;
        }
    }
}

/// Sends a request until it succeeds or no retry is left. Returns the model's message and why the model stopped.
pub(super) async fn read(
    setup: &Setup,
    outlet: &Outlet,
    request: &ChatRequest,
    counts: &mut Counts,
) -> Result<(Message, Finish), Failed> {
    let mut attempt = 1;
    loop {
        if let Some(limit) = &setup.rate_limit {
            limit.wait().await;
        }
        let mut has_shown = false;
        let read = read_once(setup, outlet, request, counts, &mut has_shown);
        let error = match read.await {
            Ok(completion) => return Ok(completion),
            Err(error) => error,
        };
        counts.failed();
        attempt += 1;
        let Some(wait) = setup.retries.wait(&error, attempt) else {
            return Err(Failed {
                error,
                attempt,
                has_shown,
            });
        };
        tracing::warn!(%error, attempt, "the request to the model is sent again");
        let retry = Retry {
            attempt,
            wait,
            discard: has_shown,
            error,
        };
        outlet.emit(Event::Retry(retry)).await;
        sleep(wait).await;
    }
}

/// After this many events in a row without content, the loop yields. A stream may have an event ready at every poll.
const KEPT_EVENTS: usize = 64;

async fn read_once(
    setup: &Setup,
    outlet: &Outlet,
    request: &ChatRequest,
    counts: &mut Counts,
    has_shown: &mut bool,
) -> Result<(Message, Finish), ModelError> {
    let request = request.clone().for_model(&setup.profile);
    request.check_tool_choice()?;
    let stream = catch(|| setup.model.stream(request.clone()))
        .map_err(|message| ModelError::panicked(&message))?;
    let stream = texts::read(&setup.profile, &request, stream);
    let mut stream = CaughtStream(Some(stream));
    let mut draft = Draft::default();
    let (mut kept, mut model) = (0, 0);
    loop {
        let stall = setup.retries.stall;
        let event = timeout(stall, stream.next()).await;
        let event = event.map_err(|_| ModelError::Timeout(stall))??;
        let Some(event) = event else {
            return Err(ModelError::CutOff { request_id: None });
        };
        let event = event?;
        match event {
            ModelEvent::Usage(usage) => counts.attempted(usage),
            ModelEvent::Switched { .. } => counts.failed(),
            _ => {}
        }
        match draft.add(event)? {
            Added::Shown(event) => {
                *has_shown = true;
                outlet.emit(event).await;
                kept = 0;
            }
            Added::Kept => {
                kept += 1;
                if kept == KEPT_EVENTS {
                    kept = 0;
                    yield_now().await;
                }
            }
            Added::Switched { to, error } => {
                model = to;
                draft = Draft::default();
                let cache_lost = model != setup.answered_by();
                let switched = Switched {
                    model,
                    error,
                    cache_lost,
                };
                outlet.emit(Event::Switched(switched)).await;
                kept = 0;
            }
            Added::Finished(finish) => {
                setup.answered_by.store(model, Ordering::Relaxed);
                return Ok((draft.finish(), finish));
            }
        }
    }
}

/// Catches panics of a model's stream.
struct CaughtStream(Option<BoxStream<'static, Result<ModelEvent, ModelError>>>);

impl CaughtStream {
    async fn next(&mut self) -> Result<Option<Result<ModelEvent, ModelError>>, ModelError> {
        poll_fn(|cx| {
            let Some(stream) = &mut self.0 else {
                return Poll::Ready(Ok(None));
            };
            match catch(|| stream.as_mut().poll_next(cx)) {
                Ok(polled) => polled.map(Ok),
                Err(message) => Poll::Ready(Err(ModelError::panicked(&message))),
            }
        })
        .await
    }
}

impl Drop for CaughtStream {
    fn drop(&mut self) {
        drop_caught(self.0.take());
    }
}

/// The parts of a completion that have arrived so far. Parts and runs of consecutive pieces are numbered in order of arrival.
#[derive(Default)]
struct Draft {
    parts: Vec<(usize, MessagePart)>,
    /// Runs of text pieces that no complete part has replaced yet, by place.
    text: Vec<(usize, String)>,
    reasoning: Vec<(usize, String)>,
    /// The place number that was assigned last.
    place: usize,
    bytes: usize,
}

/// The effect of an event on a draft.
enum Added {
    Shown(Event),
    Kept,
    Switched { to: usize, error: ModelError },
    Finished(Finish),
}

/// The number of bytes to count for an event in addition to its text, so that an endless stream of empty events reaches the limit
/// too.
const EVENT_BYTES: usize = 16;

impl Draft {
    fn add(&mut self, event: ModelEvent) -> Result<Added, ModelError> {
        if event == ModelEvent::KeepAlive {
            return Ok(Added::Kept);
        }
        self.bytes = self.bytes.saturating_add(EVENT_BYTES + size_of(&event));
        if self.bytes > MAX_COMPLETION_BYTES {
            let message = format!("it is larger than {MAX_COMPLETION_BYTES} bytes");
            return Err(ModelError::protocol(None, message));
        }
        Ok(match event {
            ModelEvent::Text(piece) => {
                add_piece(&mut self.text, &mut self.place, &piece);
                Added::Shown(Event::Text(piece))
            }
            ModelEvent::Reasoning(piece) => {
                add_piece(&mut self.reasoning, &mut self.place, &piece);
                Added::Shown(Event::Reasoning(piece))
            }
            ModelEvent::CallDelta {
                index,
                name,
                arguments,
            } => Added::Shown(Event::CallDelta {
                index,
                name,
                arguments,
            }),
            ModelEvent::Part(part) => {
                self.part(part);
                Added::Kept
            }
            ModelEvent::Usage(_) | ModelEvent::KeepAlive => Added::Kept,
            ModelEvent::Switched { model, error } => Added::Switched { to: model, error },
            ModelEvent::Finish(finish) => Added::Finished(finish),
        })
    }

    /// Adds a complete part, which replaces the pieces of its kind.
    fn part(&mut self, part: MessagePart) {
        match &part {
            MessagePart::Text(_) => self.text.clear(),
            MessagePart::Reasoning(_) => self.reasoning.clear(),
            _ => {}
        }
        self.place += 1;
        self.parts.push((self.place, part));
    }

    /// Returns the message. Runs of pieces that no complete part replaced become parts in their own places.
    fn finish(self) -> Message {
        let reasoning = |text| MessagePart::Reasoning(TextPart::new(text));
        let text = |text| MessagePart::Text(TextPart::new(text));
        let mut parts = self.parts;
        parts.extend(
            self.reasoning
                .into_iter()
                .map(|(at, run)| (at, reasoning(run))),
        );
        parts.extend(self.text.into_iter().map(|(at, run)| (at, text(run))));
        parts.sort_by_key(|(place, _)| *place);
        // an empty part only served to replace its pieces
        let says_nothing = |part: &MessagePart| matches!(part, MessagePart::Text(text) if text.text.is_empty() && text.item.is_none());
        parts.retain(|(_, part)| !says_nothing(part));
        let parts = parts.into_iter().map(|(_, part)| part);
        Message::new(Role::Assistant, parts.collect())
    }
}

/// Appends a piece to the last run if nothing came in between. If something did, begins a new run.
fn add_piece(runs: &mut Vec<(usize, String)>, place: &mut usize, piece: &str) {
    if piece.is_empty() {
        return;
    }
    match runs.last_mut() {
        Some((last, run)) if last == place => run.push_str(piece),
        _ => {
            *place += 1;
            runs.push((*place, piece.to_owned()));
        }
    }
}

fn size_of(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Text(text) | ModelEvent::Reasoning(text) => text.len(),
        ModelEvent::CallDelta {
            name, arguments, ..
        } => name.as_ref().map_or(0, String::len) + arguments.len(),
        ModelEvent::Part(part) => part.bytes(),
        ModelEvent::Usage(_)
        | ModelEvent::KeepAlive
        | ModelEvent::Switched { .. }
        | ModelEvent::Finish(_) => 0,
    }
}
