//! Assembles, counts and reads completions.

pub(crate) mod draft;
pub(crate) mod meter;

use crate::layers::error::{LayerError, LayerStream};
use crate::slot::emitted;
use crate::{Message, MessagePart, ModelError, ModelEvent, Usage};
use draft::{Added, Draft};
use skill_agent_models::Finish;
use std::future::poll_fn;

/// A whole completion, for a [layer](crate::ChatLayer) that reads it before the program does.
///
/// The completion does not stream: the program sees nothing until the layer passes the completion on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Completion {
    /// The model's message. If you change it, the program and the history get the changed message.
    pub message: Message,
    /// Why the model stopped.
    pub finish: Finish,
    /// The tokens that the provider counted, for failed attempts too.
    pub usage: Usage,
    /// The retries and switches before the completion. Your program still gets their events.
    notices: Vec<ModelEvent>,
}

impl Completion {
    /// Creates a completion from a message, for a layer that answers in place of the model, such as a cache.
    pub fn new(message: Message) -> Self {
        let finish = match message.calls().next() {
            Some(_) => Finish::Calls,
            None => Finish::Answered,
        };
        Self {
            message,
            finish,
            usage: Usage::default(),
            notices: Vec::new(),
        }
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    ///
    /// Returns the error of the stream. Also returns an error if the completion is cut off or too large.
    pub async fn read(mut stream: LayerStream) -> Result<Self, LayerError> {
        let (mut draft, mut usage) = (Draft::default(), Usage::default());
        let (mut attempt, mut notices) = (Usage::default(), Vec::new());
        loop {
            let event = poll_fn(|cx| stream.as_mut().poll_next(cx)).await;
            let event = event.unwrap_or(Err(ModelError::CutOff { request_id: None }.into()))?;
            if let ModelEvent::Usage(counted) = event {
                attempt = counted;
            }
            match draft.add(event)? {
                Added::Shown(_) | Added::Kept => {}
                Added::Retry(retry) => {
                    usage += std::mem::take(&mut attempt);
                    notices.push(ModelEvent::Retry(retry));
                }
                Added::Switched { to, error } => {
                    usage += std::mem::take(&mut attempt);
                    notices.push(ModelEvent::Switched { model: to, error });
                }
                Added::Finished(finish) => {
                    return Ok(Self {
                        message: draft.finish(),
                        finish,
                        usage: usage + attempt,
                        notices,
                    });
                }
            }
        }
    }

    /// Returns the completion as a stream, for the outer layers and your program.
    pub fn into_stream(self) -> LayerStream {
        emitted(|slot| async move {
            for notice in self.notices {
                slot.emit(Ok(notice)).await;
            }
            slot.emit(Ok(ModelEvent::Usage(self.usage))).await;
            let mut calls = 0;
            for part in self.message.parts {
                if let Some(piece) = piece(&part, &mut calls) {
                    slot.emit(Ok(piece)).await;
                }
                slot.emit(Ok(ModelEvent::Part(part))).await;
            }
            slot.emit(Ok(ModelEvent::Finish(self.finish))).await;
        })
    }
}

/// Returns the piece that shows a whole part.
fn piece(part: &MessagePart, calls: &mut usize) -> Option<ModelEvent> {
    Some(match part {
        MessagePart::Text(text) => ModelEvent::Text(text.text.clone()),
        MessagePart::Reasoning(text) => ModelEvent::Reasoning(text.text.clone()),
        MessagePart::Call(call) => {
            let index = *calls;
            *calls += 1;
            ModelEvent::CallDelta {
                index,
                name: Some(call.call.name.clone()),
                arguments: call.call.arguments.clone(),
            }
        }
        _ => return None,
    })
}
