//! A command that is to be recorded.

use crate::chain::Chain;
use skill_agent_store::{Keyed, RecordKind};
use skill_core::{Directive, Instruction};

/// A command that succeeded and is not acknowledged yet.
pub(crate) struct JournalEntry {
    pub(crate) kind: RecordKind,
    /// Its id; empty if it needed none.
    pub(crate) id: String,
    /// The instructions that ran, for people who read the log.
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) directives: Vec<Directive>,
    /// The number of the directive that it executes.
    pub(crate) number: Option<u64>,
    /// Its output under its idempotency key.
    pub(crate) keyed: Option<Keyed>,
    /// The decision that it carries out.
    pub(crate) decision: Option<Keyed>,
    pub(crate) chain: Chain,
}

impl JournalEntry {
    pub(crate) fn new(kind: RecordKind, id: String) -> Self {
        Self {
            kind,
            id,
            instructions: Vec::new(),
            directives: Vec::new(),
            number: None,
            keyed: None,
            decision: None,
            chain: Chain::default(),
        }
    }

    /// How many directives it queued. Those that `handle_signal` queued to run have run as instructions.
    pub(crate) fn queued(&self) -> usize {
        let ran = match self.kind {
            RecordKind::Handled => self.instructions.len(),
            _ => 0,
        };
        self.directives.len() + ran
    }

    /// Whether there is nothing to record apart from changed states: commands that only read do not grow the log.
    pub(crate) fn is_empty(&self) -> bool {
        self.directives.is_empty()
            && self.keyed.is_none()
            && self.decision.is_none()
            && self.number.is_none()
    }
}
