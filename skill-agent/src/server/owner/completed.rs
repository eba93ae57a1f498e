//! A command that is to be recorded.

use crate::server::chain::Chain;
use crate::server::journal::JournalEntry;
use crate::store::{Keyed, RecordKind};
use skill_core::process::Saved;
use skill_core::{Agent, Directive, Instruction};

/// A command that succeeded and is not acknowledged yet.
pub(crate) struct CompletedCommand<G: Agent> {
    pub(crate) kind: RecordKind,
    /// Its id; empty if it needed none.
    pub(crate) id: String,
    /// The instructions that ran, for people who read the log.
    pub(crate) instructions: Vec<Instruction>,
    /// The states it replaced.
    pub(crate) saved: Saved<G>,
    pub(crate) directives: Vec<Directive>,
    /// The number of the directive that it executes.
    pub(crate) number: Option<u64>,
    /// Its output under its idempotency key.
    pub(crate) keyed: Option<Keyed>,
    /// The decision that it carries out.
    pub(crate) decision: Option<Keyed>,
    pub(crate) chain: Chain,
}

impl<G: Agent> CompletedCommand<G> {
    pub(crate) fn new(kind: RecordKind, id: String) -> Self {
        Self {
            kind,
            id,
            instructions: Vec::new(),
            saved: Vec::new(),
            directives: Vec::new(),
            number: None,
            keyed: None,
            decision: None,
            chain: Chain::default(),
        }
    }

    /// How many directives it queued. Those that `handle_signal` queued to run have run as instructions.
    pub(super) fn queued(&self) -> usize {
        let ran = match self.kind {
            RecordKind::Handled => self.instructions.len(),
            _ => 0,
        };
        self.directives.len() + ran
    }

    pub(super) fn into_entry(self) -> JournalEntry {
        JournalEntry {
            kind: self.kind,
            id: self.id,
            instructions: self.instructions,
            directives: self.directives,
            number: self.number,
            keyed: self.keyed,
            decision: self.decision,
            chain: self.chain,
        }
    }

    /// Whether there is nothing to record: commands that only read do not grow the log.
    pub(super) fn changes_nothing(&self) -> bool {
        self.saved.is_empty()
            && self.directives.is_empty()
            && self.keyed.is_none()
            && self.decision.is_none()
            && self.number.is_none()
    }
}
