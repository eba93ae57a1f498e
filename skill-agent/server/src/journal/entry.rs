//! A command to be recorded.

use crate::chain::Chain;
use crate::turns::KeptTurns;
use skill_agent_store::{Keyed, RecordKind, TableChange};
use skill_core::{Directive, Instruction};

/// A command that succeeded and is not yet acknowledged.
pub(crate) struct JournalEntry {
    pub(crate) kind: RecordKind,
    /// The command's id. Empty if the command needs none.
    pub(crate) id: String,
    /// The executed instructions, for people who read the log.
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) directives: Vec<Directive>,
    /// The number of the directive that the command executes.
    pub(crate) number: Option<u64>,
    /// The output, stored under the command's idempotency key.
    pub(crate) keyed: Option<Keyed>,
    /// The decision on an approval request that the command carries out.
    pub(crate) decision: Option<Keyed>,
    pub(crate) chain: Chain,
    /// The numbers of the scheduled signals that the command withdraws.
    pub(crate) withdrawn: Vec<u64>,
    /// The outputs and decisions, besides `keyed` and `decision`, that the command stores.
    pub(crate) more_keyed: Vec<Keyed>,
    /// Returns the rows that are written with the record, by its number.
    pub(crate) rows: Option<RecordRows>,
    /// The new kept turns of a conversation.
    pub(crate) kept: Option<(String, KeptTurns)>,
}

/// Returns the rows that are written with a record, by its number.
pub(crate) type RecordRows = Box<dyn FnOnce(u64) -> Vec<TableChange> + Send>;

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
            withdrawn: Vec::new(),
            more_keyed: Vec::new(),
            rows: None,
            kept: None,
        }
    }

    /// Returns how many directives the command queued, including the `run` directives of `handle_signal`, which have already run
    /// as instructions.
    pub(crate) fn queued(&self) -> usize {
        let ran = match self.kind {
            RecordKind::Handled => self.instructions.len(),
            _ => 0,
        };
        self.directives.len() + ran
    }

    /// Returns whether the entry records nothing besides changed states. Read-only commands then do not grow the log.
    pub(crate) fn is_empty(&self) -> bool {
        self.directives.is_empty()
            && self.keyed.is_none()
            && self.decision.is_none()
            && self.number.is_none()
            && self.withdrawn.is_empty()
            && self.rows.is_none()
    }
}
