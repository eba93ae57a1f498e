//! The steps, tokens and time of a turn so far, and its limits.

use crate::compact::tokens_of;
use crate::message::Identity;
use crate::{CallPart, Limits, Message, Stop, Usage, WholeCompletion};

/// The steps, tokens and time of a turn so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    steps: usize,
    usage: Usage,
    /// Those of `usage` since the last end of a step.
    step_usage: Usage,
    /// The tokens of the running attempt, as the model has counted them so far.
    attempt: Usage,
    /// Tokens of requests and completions, with estimates of those that were not counted.
    tokens: u64,
    last_call: Option<Identity>,
    /// How many times in a row it was made.
    repeats: usize,
}

impl Counts {
    /// The limit that is reached before another request.
    pub(super) fn reached(&self, limits: &Limits) -> Option<Stop> {
        if self.steps >= limits.steps {
            return Some(Stop::Steps);
        }
        (self.tokens >= limits.tokens).then_some(Stop::Tokens)
    }

    /// Notes the tokens that the running attempt has taken so far.
    pub(super) fn attempted(&mut self, usage: Usage) {
        self.attempt = usage;
    }

    /// Counts an attempt that failed, as far as the model has counted its tokens.
    pub(super) fn failed(&mut self) {
        let taken = self.take_attempt();
        self.tokens = self.tokens.saturating_add(taken.total());
    }

    /// Counts the completion of a request with these messages.
    pub(super) fn completed(&mut self, completion: &WholeCompletion, messages: &[Message]) {
        self.steps += 1;
        self.attempt = completion.usage.unwrap_or_default();
        let counted = self.take_attempt().total();
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

    /// The tokens of the turn, with those of an attempt that was interrupted.
    pub(super) fn usage(&self) -> Usage {
        self.usage + self.attempt
    }

    /// The tokens of a step at its end.
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
