//! Reasoning and calls that a model writes as text.
//!
//! Some servers of local models have no parser for their model's template, and send reasoning and calls as text. Two stages find
//! the reasoning and the calls in the model's events, before the events become a completion. The model's profile turns the stages
//! on.

mod calls;
mod object;
mod think;

pub(super) use think::split;

use super::{ChatRequest, ModelError, ModelEvent, ModelProfile};
use calls::TextCalls;
use futures_core::Stream;
use futures_core::stream::BoxStream;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use think::ThinkTags;

type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// Adds the stages that the profile requires to a model's events.
pub(super) fn read(profile: &ModelProfile, request: &ChatRequest, mut events: Events) -> Events {
    if profile.think_tags {
        events = staged(events, ThinkTags::default());
    }
    // with constrained tools, any text is an answer
    if profile.text_calls && !profile.constrained_tools && !request.tools.is_empty() {
        events = staged(events, TextCalls::new(request.tools.clone()));
    }
    events
}

/// Replaces the events of one completion.
pub(super) trait Stage: Send + Unpin + 'static {
    /// Takes the next event and appends its replacements. Appends nothing for a piece that is held back.
    fn take(&mut self, event: ModelEvent, out: &mut VecDeque<ModelEvent>);
}

/// Returns the events of a stream, as replaced by a stage.
pub(super) fn staged<E: Send + 'static>(
    events: BoxStream<'static, Result<ModelEvent, E>>,
    stage: impl Stage,
) -> BoxStream<'static, Result<ModelEvent, E>> {
    Box::pin(Staged {
        events,
        stage,
        ready: VecDeque::new(),
    })
}

struct Staged<S, E> {
    events: BoxStream<'static, Result<ModelEvent, E>>,
    stage: S,
    /// Events to emit before taking the next one.
    ready: VecDeque<ModelEvent>,
}

impl<S: Stage, E> Stream for Staged<S, E> {
    type Item = Result<ModelEvent, E>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(event) = this.ready.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
            match ready!(this.events.as_mut().poll_next(cx)) {
                Some(Ok(event)) => this.stage.take(event, &mut this.ready),
                other => return Poll::Ready(other),
            }
            if this.ready.is_empty() {
                // the server is working while a piece is held back
                this.ready.push_back(ModelEvent::KeepAlive);
            }
        }
    }
}

#[cfg(test)]
mod tests;
