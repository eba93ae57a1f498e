//! Counts the steps and tokens of a turn, and compares them with its limits.

use crate::completion::meter::Spent;
use crate::message::Identity;
use crate::{CallPart, Limits, Stop, Usage};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

tokio::task_local! {
    /// The counts of the turn that runs a tool source in this task.
    static OUTER: Ledger;
}

/// The counts of a turn, which its requests share.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    counts: Arc<Mutex<Counts>>,
    /// The counts of the turn that runs this turn's chat as a tool.
    outer: Option<Arc<Ledger>>,
}

impl Ledger {
    /// Creates the counts of a turn. If the turn begins inside a call of another turn, that turn becomes the outer one.
    pub(in crate::turn) fn new() -> Self {
        Self {
            counts: Arc::default(),
            outer: OUTER.try_with(|outer| Arc::new(outer.clone())).ok(),
        }
    }

    /// Runs a call of the turn, so that turns inside the call have this turn as the outer one.
    pub(in crate::turn) fn scope<F: Future>(self, call: F) -> impl Future<Output = F::Output> {
        OUTER.scope(self, call)
    }

    /// Returns the number of turns around the turns that begin in this task.
    pub(crate) fn depth() -> usize {
        let outermost = |outer: &Self| {
            std::iter::successors(Some(outer), |ledger| ledger.outer.as_deref()).count()
        };
        OUTER.try_with(outermost).unwrap_or(0)
    }

    pub(in crate::turn) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the tokens of an attempt to this turn and to the turns around it.
    pub(in crate::turn) fn spent(&self, spent: Spent) {
        let ledgers = std::iter::successors(Some(self), |ledger| ledger.outer.as_deref());
        for ledger in ledgers {
            ledger.counts().spent(spent);
        }
    }
}

/// Steps, tokens and repeated calls of a turn so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    steps: usize,
    usage: Usage,
    /// The part of `usage` since the end of the last step.
    step_usage: Usage,
    /// The tokens in requests and completions, estimated where the provider does not count them.
    tokens: u64,
    last_call: Option<Identity>,
    /// How many times in a row `last_call` was made.
    repeats: usize,
}

impl Counts {
    /// Returns the limit that forbids another request, if any.
    pub(in crate::turn) fn reached(&self, limits: &Limits) -> Option<Stop> {
        if self.steps >= limits.steps {
            return Some(Stop::Steps);
        }
        (self.tokens >= limits.tokens).then_some(Stop::Tokens)
    }

    fn spent(&mut self, spent: Spent) {
        self.usage += spent.usage;
        self.step_usage += spent.usage;
        self.tokens = self.tokens.saturating_add(spent.estimate.total());
    }

    /// Counts a step.
    pub(in crate::turn) fn step(&mut self) {
        self.steps += 1;
    }

    /// Counts a call. Returns whether the same call was made too many times in a row.
    pub(in crate::turn) fn repeats(&mut self, call: &CallPart, limits: &Limits) -> bool {
        let identity = Some(Identity::of(&call.call));
        if self.last_call == identity {
            self.repeats += 1;
        } else {
            self.last_call = identity;
            self.repeats = 1;
        }
        self.repeats > limits.identical_calls
    }

    pub(in crate::turn) fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the tokens used in the turn.
    pub(in crate::turn) fn usage(&self) -> Usage {
        self.usage
    }

    /// Returns the tokens used in the step, and resets them for the next step.
    pub(in crate::turn) fn take_step_usage(&mut self) -> Usage {
        std::mem::take(&mut self.step_usage)
    }
}
