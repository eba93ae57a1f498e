//! The events of a request to a chain.

use super::entry::{Entry, Place};
use crate::{ChatRequest, ModelError, ModelEvent};
use futures_core::Stream;
use futures_core::stream::BoxStream;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// Asks one model after the other until one answers.
pub(super) struct FallbackStream {
    models: Vec<Entry>,
    stall: Duration,
    request: ChatRequest,
    /// The models that were not asked yet, by index.
    left: VecDeque<usize>,
    asked: Option<Asked>,
    /// The errors of the models that failed or are passed by.
    failed: Vec<ModelError>,
    /// Why the next model is asked instead of the one before it.
    reason: Option<ModelError>,
    has_ended: bool,
}

/// The model that is asked.
struct Asked {
    index: usize,
    events: Events,
    /// A timer that ends when the model has been silent for too long.
    silence: Pin<Box<Sleep>>,
    has_shown: bool,
}

impl FallbackStream {
    pub(super) fn new(models: Vec<Entry>, stall: Duration, request: ChatRequest) -> Self {
        let (mut left, mut last, mut failed) = (VecDeque::new(), Vec::new(), Vec::new());
        let mut errors = Vec::new();
        for (index, entry) in models.iter().enumerate() {
            let error = match entry.place() {
                Place::Own => {
                    left.push_back(index);
                    continue;
                }
                Place::Last(error) => {
                    last.push(index);
                    error
                }
                Place::PassedBy(error) => {
                    failed.push(error.clone());
                    error
                }
            };
            errors.push((index, error));
        }
        left.extend(last);
        // the models before the first one to ask have failed, and the last of them is the reason for the switch
        let first = left.front().copied().unwrap_or_default();
        let before = errors.into_iter().rev().find(|(index, _)| *index < first);
        let reason = before.map(|(_, error)| error);
        Self {
            models,
            stall,
            request,
            left,
            asked: None,
            failed,
            reason,
            has_ended: false,
        }
    }

    /// Asks the next model. Returns the event of a switch to it, the error if no model is left, or `None` if there was no switch.
    fn ask_next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let Some(index) = self.left.pop_front() else {
            self.has_ended = true;
            let mut failed = std::mem::take(&mut self.failed);
            let only = if failed.len() == 1 {
                failed.pop()
            } else {
                None
            };
            return Some(Err(only.unwrap_or(ModelError::AllFailed(failed))));
        };
        self.asked = Some(Asked {
            index,
            events: self.models[index].stream(self.request.clone()),
            silence: Box::pin(sleep(self.stall)),
            has_shown: false,
        });
        let error = self.reason.take()?;
        let model = self.number(index);
        tracing::warn!(%error, model, "another model is asked");
        Some(Ok(ModelEvent::Switched { model, error }))
    }

    /// Returns the number of a model, counting the models of chains within the chain.
    fn number(&self, index: usize) -> usize {
        self.models[..index].iter().map(Entry::count).sum()
    }

    /// Takes an event of the model that is asked.
    fn take(&mut self, event: ModelEvent) -> ModelEvent {
        let Some(asked) = &mut self.asked else {
            return event;
        };
        let index = asked.index;
        let until = Instant::now().checked_add(self.stall);
        if let Some(until) = until {
            asked.silence.as_mut().reset(until);
        }
        asked.has_shown |= event.is_piece();
        match event {
            ModelEvent::Finish(_) => {
                self.models[index].answered();
                self.has_ended = true;
                event
            }
            ModelEvent::Switched { model, error } => {
                asked.has_shown = false;
                let model = model + self.number(index);
                ModelEvent::Switched { model, error }
            }
            event => event,
        }
    }

    /// Takes an error of the model that is asked. Returns the error if it ends the request.
    fn fail(&mut self, error: ModelError) -> Option<ModelError> {
        let asked = self.asked.take()?;
        let cost_time = asked.has_shown || matches!(error, ModelError::Timeout(_));
        self.models[asked.index].failed(&error, cost_time);
        if asked.has_shown || !leads_to_next(&error, !self.failed.is_empty()) {
            self.has_ended = true;
            return Some(error);
        }
        self.reason = Some(error.clone());
        self.failed.push(error);
        None
    }
}

/// Returns whether the next model is asked after an error.
fn leads_to_next(error: &ModelError, is_replacement: bool) -> bool {
    match error {
        // after a failure that will pass, the replacement's failure must not end the request, even if it is permanent, such as
        // 401
        ModelError::Status { .. } => is_replacement || error.is_retryable(),
        ModelError::Timeout(_)
        | ModelError::Transport(_)
        | ModelError::CutOff { .. }
        | ModelError::Protocol { .. }
        | ModelError::AccountExhausted { .. }
        | ModelError::AllFailed(_) => true,
        ModelError::Refused { .. }
        | ModelError::ContextTooLong { .. }
        | ModelError::Request(_)
        | ModelError::Panicked
        | ModelError::ScriptEnd => false,
    }
}

impl Stream for FallbackStream {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if this.has_ended {
                return Poll::Ready(None);
            }
            let Some(asked) = &mut this.asked else {
                if let Some(event) = this.ask_next() {
                    return Poll::Ready(Some(event));
                }
                continue;
            };
            let error = match asked.events.as_mut().poll_next(cx) {
                Poll::Ready(Some(Ok(event))) => return Poll::Ready(Some(Ok(this.take(event)))),
                Poll::Ready(Some(Err(error))) => error,
                Poll::Ready(None) => ModelError::CutOff { request_id: None },
                Poll::Pending if asked.silence.as_mut().poll(cx).is_pending() => {
                    return Poll::Pending;
                }
                Poll::Pending => ModelError::Timeout(this.stall),
            };
            if let Some(error) = this.fail(error) {
                return Poll::Ready(Some(Err(error)));
            }
        }
    }
}
