//! The steps, tokens and time of a turn so far, and its limits.

use crate::chat::compact::tokens_of;
use crate::chat::{CallPart, Limits, Message, Stop, Usage, WholeCompletion};
use skill_core::process::{canonical_text, read_arguments};

/// The steps, tokens and time of a turn so far.
#[derive(Debug, Default)]
pub(in crate::chat) struct Counts {
    steps: usize,
    usage: Usage,
    step_usage: Usage,
    /// Tokens of requests and completions, with estimates of those that were not counted.
    tokens: u64,
    last_call: Option<Identity>,
    /// How many times in a row it was made.
    repeats: usize,
}

/// The key by which two calls are the same.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    name: String,
    arguments: String,
}

impl Counts {
    /// The limit that is reached before another request.
    pub(super) fn reached(&self, limits: &Limits) -> Option<Stop> {
        if self.steps >= limits.steps {
            return Some(Stop::Steps);
        }
        (self.tokens >= limits.tokens).then_some(Stop::Tokens)
    }

    /// Counts the completion of a request with these messages.
    pub(super) fn completed(&mut self, completion: &WholeCompletion, messages: &[Message]) {
        self.steps += 1;
        self.step_usage = completion.usage.unwrap_or_default();
        self.usage += self.step_usage;
        let counted = self.step_usage.total();
        let taken = if counted > 0 {
            counted
        } else {
            let parts = completion.parts.iter().map(|part| part.tokens() as u64);
            (tokens_of(messages) as u64).saturating_add(parts.sum())
        };
        self.tokens = self.tokens.saturating_add(taken);
    }

    /// Whether a call was made too often in a row.
    pub(super) fn repeats(&mut self, call: &CallPart, limits: &Limits) -> bool {
        let identity = Some(Identity::of(call));
        if self.last_call == identity {
            self.repeats += 1;
        } else {
            self.last_call = identity;
            self.repeats = 1;
        }
        self.repeats > limits.identical_calls
    }

    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    pub(super) fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn step_usage(&self) -> Usage {
        self.step_usage
    }
}

impl Identity {
    fn of(call: &CallPart) -> Self {
        let text = call.call.arguments.trim();
        // the order of keys makes no difference
        let value = read_arguments(text).ok();
        Self {
            name: call.call.name.clone(),
            arguments: value.map_or_else(|| text.to_owned(), |value| canonical_text(&value)),
        }
    }
}
