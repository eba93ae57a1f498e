//! Commands whose records wait for the next commit.

use crate::chain::Chain;
use crate::journal::Write;
use crate::owner::Owner;
use crate::owner::call::reserve::Reserved;
use crate::turns::TrackedTurn;
use skill_agent_store::StoreError;
use skill_core::process::Saved;
use skill_core::{Agent, Directive};
use std::sync::Arc;

/// Continues a command after it was recorded, or after recording failed.
pub(in crate::owner) type OnRecorded<G> =
    Box<dyn FnOnce(&mut Owner<G>, Result<(), Arc<StoreError>>) + Send>;

/// The minimum size of a record that ends its batch, in bytes. The store may refuse such a record, so no later command may see its
/// change before the commit.
pub(super) const LARGE_RECORD: usize = 512 << 10;

/// Commands waiting for the store.
pub(crate) struct Batch<G: Agent> {
    pub(super) writes: Vec<Write>,
    pub(super) is_full: bool,
    pub(super) entries: Vec<BatchEntry<G>>,
}

pub(super) struct BatchEntry<G: Agent> {
    /// The number of the batch's records that must be written first, including the command's own record.
    pub(super) needs: usize,
    /// The command, or `None` for a response that only waits for the writes before it.
    pub(super) command: Option<RecordedCommand<G>>,
    pub(super) answer: OnRecorded<G>,
}

/// A command whose changes are applied: the data for an undo, and the consequences of the command.
pub(in crate::owner) struct RecordedCommand<G: Agent> {
    pub(in crate::owner) saved: Saved<G>,
    pub(super) keys: Vec<String>,
    pub(super) directives: Vec<(Directive, Option<u64>)>,
    pub(in crate::owner) chain: Chain,
    pub(super) reserved: Reserved,
    /// The number of the directive that the command executes.
    pub(super) number: Option<u64>,
    /// The kept turns from before the command, if its turn keeps the states.
    pub(in crate::owner) tracked: Option<TrackedTurn>,
}

impl<G: Agent> Batch<G> {
    pub(crate) fn new() -> Self {
        Self {
            writes: Vec::new(),
            is_full: false,
            entries: Vec::new(),
        }
    }

    /// Returns whether the batch must be committed before another command runs.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a command. The caller has already added its record as the last write.
    pub(super) fn push(&mut self, command: RecordedCommand<G>, answer: OnRecorded<G>) {
        let needs = self.writes.len();
        self.entries.push(BatchEntry {
            needs,
            command: Some(command),
            answer,
        });
    }

    /// Adds a write. The command or the response that needs it is added next.
    pub(super) fn push_write(&mut self, write: Write) {
        self.is_full |= write.size() >= LARGE_RECORD;
        self.writes.push(write);
    }

    /// Adds a write that belongs to no command. `answer` is called after the write is recorded or has failed.
    pub(in crate::owner) fn write(&mut self, write: Write, answer: OnRecorded<G>) {
        self.push_write(write);
        self.push_read(answer);
    }

    /// Adds a response that has to wait for the writes before it.
    pub(super) fn push_read(&mut self, answer: OnRecorded<G>) {
        let needs = self.writes.len();
        self.entries.push(BatchEntry {
            needs,
            command: None,
            answer,
        });
    }
}
