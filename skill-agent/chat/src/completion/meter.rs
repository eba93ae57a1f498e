//! Counting the tokens of a completion.

use crate::history::compact::tokens_of;
use crate::{ChatRequest, MessagePart, ModelEvent, Usage};

/// Counts the tokens of a request and of its completion, attempt by attempt.
#[derive(Debug)]
struct Meter {
    /// The estimated number of tokens in the request's messages.
    sent: u64,
    /// The tokens that the model has counted so far for the running attempt.
    attempt: Usage,
    written: Written,
}

/// An estimate of what the model wrote in the running attempt.
#[derive(Debug, Default)]
struct Written {
    tokens_of_parts: usize,
    /// Bytes of pieces that no complete part has replaced.
    text: usize,
    reasoning: usize,
}

/// The tokens of one attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// The tokens that the provider counted.
    pub(crate) usage: Usage,
    /// The provider's count, or an estimate if the provider did not count a finished completion.
    pub(crate) estimate: Usage,
}

impl Meter {
    /// Takes an event. If the event ends the attempt, returns the attempt's tokens.
    fn take(&mut self, event: &ModelEvent) -> Option<Spent> {
        match event {
            ModelEvent::Usage(usage) => self.attempt = *usage,
            ModelEvent::Text(piece) => self.written.text += piece.len(),
            ModelEvent::Reasoning(piece) => self.written.reasoning += piece.len(),
            ModelEvent::Part(part) => {
                match part {
                    MessagePart::Text(_) => self.written.text = 0,
                    MessagePart::Reasoning(_) => self.written.reasoning = 0,
                    _ => {}
                }
                self.written.tokens_of_parts += part.tokens();
            }
            ModelEvent::Retry(_) | ModelEvent::Switched { .. } => return Some(self.failed()),
            ModelEvent::Finish(_) => return Some(self.answered()),
            ModelEvent::CallDelta { .. } | ModelEvent::KeepAlive => {}
        }
        None
    }

    /// Ends a failed attempt. Only the tokens that the provider counted are known.
    fn failed(&mut self) -> Spent {
        self.written = Written::default();
        let usage = std::mem::take(&mut self.attempt);
        let estimate = usage;
        Spent { usage, estimate }
    }

    fn answered(&mut self) -> Spent {
        let Written {
            tokens_of_parts,
            text,
            reasoning,
        } = std::mem::take(&mut self.written);
        let written = tokens_of_parts + text.div_ceil(4) + reasoning.div_ceil(4);
        let usage = std::mem::take(&mut self.attempt);
        let estimate = if usage.total() > 0 {
            usage
        } else {
            Usage::new(self.sent, written as u64)
        };
        Spent { usage, estimate }
    }
}

/// Passes the tokens of each attempt to a function, even if the attempt is dropped.
pub(crate) struct Metered<F: FnMut(Spent)> {
    meter: Meter,
    spend: F,
}

impl<F: FnMut(Spent)> Metered<F> {
    pub(crate) fn new(request: &ChatRequest, spend: F) -> Self {
        Self {
            meter: Meter {
                sent: tokens_of(&request.messages) as u64,
                attempt: Usage::default(),
                written: Written::default(),
            },
            spend,
        }
    }

    pub(crate) fn take(&mut self, event: &ModelEvent) {
        if let Some(spent) = self.meter.take(event) {
            (self.spend)(spent);
        }
    }

    /// Ends a failed attempt.
    pub(crate) fn failed(&mut self) {
        (self.spend)(self.meter.failed());
    }
}

impl<F: FnMut(Spent)> Drop for Metered<F> {
    fn drop(&mut self) {
        self.failed();
    }
}
