//! Counts the steps and tokens of a turn, and compares them with its limits.

use crate::history::compact::tokens_of;
use crate::message::Identity;
use crate::{CallPart, Limits, Message, Stop, Usage};

/// Steps, tokens and repeated calls of a turn so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    steps: usize,
    usage: Usage,
    /// The part of `usage` since the end of the last step.
    step_usage: Usage,
    /// The tokens that the model has counted so far for the running attempt.
    attempt: Usage,
    /// The tokens in requests and completions, estimated where the provider does not count them.
    tokens: u64,
    last_call: Option<Identity>,
    /// How many times in a row `last_call` was made.
    repeats: usize,
}

impl Counts {
    /// Returns the limit that forbids another request, if any.
    pub(super) fn reached(&self, limits: &Limits) -> Option<Stop> {
        if self.steps >= limits.steps {
            return Some(Stop::Steps);
        }
        (self.tokens >= limits.tokens).then_some(Stop::Tokens)
    }

    /// Sets the tokens that the running attempt has used so far.
    pub(super) fn attempted(&mut self, usage: Usage) {
        self.attempt = usage;
    }

    /// Adds the tokens that the model counted for a failed attempt.
    pub(super) fn failed(&mut self) {
        let taken = self.take_attempt();
        self.tokens = self.tokens.saturating_add(taken.total());
    }

    /// Adds the tokens of a successful attempt, with the request's messages and the model's.
    pub(super) fn completed(&mut self, said: &Message, messages: &[Message]) {
        self.steps += 1;
        let counted = self.take_attempt().total();
        let taken = if counted > 0 {
            counted
        } else {
            let parts = said.parts.iter().map(|part| part.tokens() as u64);
            (tokens_of(messages) as u64).saturating_add(parts.sum())
        };
        self.tokens = self.tokens.saturating_add(taken);
    }

    /// Counts a call. Returns whether the same call was made too many times in a row.
    pub(super) fn repeats(&mut self, call: &CallPart, limits: &Limits) -> bool {
        let identity = Some(Identity::of(&call.call));
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

    /// Returns the tokens used in the turn, including an interrupted attempt.
    pub(super) fn usage(&self) -> Usage {
        self.usage + self.attempt
    }

    /// Returns the tokens used in the step, and resets them for the next step.
    pub(super) fn take_step_usage(&mut self) -> Usage {
        std::mem::take(&mut self.step_usage)
    }

    fn take_attempt(&mut self) -> Usage {
        let taken = std::mem::take(&mut self.attempt);
        self.usage += taken;
        self.step_usage += taken;
        taken
    }
}
