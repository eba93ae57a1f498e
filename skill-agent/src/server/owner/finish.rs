//! The end of a command: record, answer, directives, in this order.

use super::Owner;
use crate::server::StopReason;
use crate::server::stats::{self, add};
use crate::store::{Keyed, Record, RecordKind, StoreError};
use skill_core::process::{self, Saved};
use skill_core::{Agent, Directive, Instruction};
use std::sync::Arc;

/// A command that succeeded, and is not acknowledged yet.
pub(crate) struct Finished<G: Agent> {
    pub(crate) kind: RecordKind,
    /// Its id; empty where nobody asked for one.
    pub(crate) id: String,
    /// What ran, for people who read the log.
    pub(crate) instructions: Vec<Instruction>,
    /// The states it replaced.
    pub(crate) saved: Saved<G>,
    pub(crate) directives: Vec<Directive>,
    /// The directive that it was, by its number in the log.
    pub(crate) number: Option<u64>,
    /// Its answer, where it must not be applied twice.
    pub(crate) keyed: Option<Keyed>,
    /// How many commands led to it.
    pub(crate) hops: u32,
}

impl<G: Agent> Finished<G> {
    pub(crate) fn new(kind: RecordKind, id: String) -> Self {
        Self {
            kind,
            id,
            instructions: Vec::new(),
            saved: Vec::new(),
            directives: Vec::new(),
            number: None,
            keyed: None,
            hops: 0,
        }
    }

    /// Whether there is nothing to be kept: the log does not grow by questions.
    fn changes_nothing(&self) -> bool {
        self.saved.is_empty()
            && self.directives.is_empty()
            && self.keyed.is_none()
            && self.number.is_none()
    }
}

/// What becomes of a command when it was, or was not, recorded.
type Answer<G> = Box<dyn FnOnce(&mut Owner<G>, Result<(), Arc<StoreError>>) + Send>;

/// Commands that wait for the store.
pub(crate) struct Batch<G: Agent> {
    records: Vec<Record>,
    entries: Vec<Entry<G>>,
}

struct Entry<G: Agent> {
    /// So many records of the batch have to be kept for it: its own and those before it.
    needs: usize,
    is_question: bool,
    saved: Saved<G>,
    key: Option<String>,
    directives: Vec<(Directive, Option<u64>)>,
    hops: u32,
    answer: Answer<G>,
}

impl<G: Agent> Batch<G> {
    pub(crate) fn new() -> Self {
        Self {
            records: Vec::new(),
            entries: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<G: Agent> Owner<G> {
    /// Records a command, then calls `answer`, then carries out its directives; without a store at once, with one when the
    /// batch is committed.
    pub(crate) fn finish(
        &mut self,
        mut finished: Finished<G>,
        answer: impl FnOnce(&mut Self, Result<(), Arc<StoreError>>) + Send + 'static,
    ) {
        add(&self.shared.counters.handled, 1);
        tracing::debug!(agent = G::SPEC.name, id = %finished.id, kind = ?finished.kind, hops = finished.hops, "command finished");
        if self.settings.trace_payloads {
            tracing::trace!(agent = G::SPEC.name, id = %finished.id, instructions = ?finished.instructions, "payload");
        }
        self.stamp_directives(&mut finished.directives);
        if let Some(keyed) = &finished.keyed {
            self.recent.keep(keyed.key.clone(), keyed.answer.clone());
        }
        if finished.changes_nothing() {
            return self.answer_in_turn(answer);
        }
        let Some(ledger) = &mut self.ledger else {
            answer(self, Ok(()));
            for directive in finished.directives {
                self.carry_out(directive, None, finished.hops);
            }
            return;
        };
        let (saved, hops) = (std::mem::take(&mut finished.saved), finished.hops);
        let key = finished.keyed.as_ref().map(|keyed| keyed.key.clone());
        let now = self.shared.clock.now();
        let changed = saved.iter().map(|(key, _)| *key);
        match ledger.record(&self.agent, changed, finished, now) {
            Ok((record, directives)) => {
                self.batch.records.push(record);
                self.batch.entries.push(Entry {
                    needs: self.batch.records.len(),
                    is_question: false,
                    saved,
                    key,
                    directives,
                    hops,
                    answer: Box::new(answer),
                });
            }
            Err(error) => {
                process::undo(&mut self.agent, saved);
                if let Some(key) = key {
                    self.recent.forget(&key);
                }
                add(&self.shared.counters.failed, 1);
                answer(self, Err(Arc::new(error)));
            }
        }
    }

    /// Answers a question when everything before it is recorded, or was undone because it could not be.
    pub(crate) fn answer_in_turn(
        &mut self,
        answer: impl FnOnce(&mut Self, Result<(), Arc<StoreError>>) + Send + 'static,
    ) {
        if self.batch.is_empty() {
            return answer(self, Ok(()));
        }
        self.batch.entries.push(Entry {
            needs: self.batch.records.len(),
            is_question: true,
            saved: Vec::new(),
            key: None,
            directives: Vec::new(),
            hops: 0,
            answer: Box::new(answer),
        });
    }

    /// Asks the store to keep the batch, then answers everybody in it, then carries out what they wished.
    pub(crate) async fn commit(&mut self) {
        let Batch { records, entries } = std::mem::replace(&mut self.batch, Batch::new());
        if entries.is_empty() {
            return;
        }
        let (kept, error) = self.append(records).await;
        let count = entries.partition_point(|entry| entry.needs <= kept);
        let mut entries = entries;
        let undone = entries.split_off(count);
        let mut wishes = Vec::new();
        for entry in entries {
            (entry.answer)(self, Ok(()));
            wishes.push((entry.directives, entry.hops));
        }
        if let Some(error) = error {
            self.undo(undone, &Arc::new(error));
        }
        for (directives, hops) in wishes {
            for (directive, number) in directives {
                self.carry_out(directive, number, hops);
            }
        }
        self.tidy().await;
    }

    /// How many records are on disk, and why not all of them are.
    async fn append(&mut self, records: Vec<Record>) -> (usize, Option<StoreError>) {
        let Some(ledger) = self.ledger.as_mut().filter(|_| !records.is_empty()) else {
            return (0, None);
        };
        let count = records.len();
        let (kept, error) = ledger.append(records).await;
        add(&self.shared.counters.records, kept as u64);
        add(&self.shared.counters.commits, 1);
        if let Some(error) = &error {
            tracing::error!(agent = G::SPEC.name, kept, of = count, %error, "the store did not keep every record");
        }
        (kept, error)
    }

    /// Puts back what was not kept, the last first, and tells everybody. A store in an unknown state ends the server.
    fn undo(&mut self, mut undone: Vec<Entry<G>>, error: &Arc<StoreError>) {
        if !matches!(**error, StoreError::Refused { .. }) {
            self.stopping = Some(StopReason::Store(error.clone()));
        }
        for entry in undone.iter_mut().rev() {
            process::undo(&mut self.agent, std::mem::take(&mut entry.saved));
        }
        for entry in undone {
            if let Some(key) = &entry.key {
                self.recent.forget(key);
            }
            if !entry.is_question {
                add(&self.shared.counters.failed, 1);
            }
            (entry.answer)(self, Err(error.clone()));
        }
    }

    /// A directive is done; the next record says so.
    pub(crate) fn done(&mut self, number: Option<u64>) {
        stats::add(&self.shared.counters.directives, 1);
        if let (Some(ledger), Some(number)) = (&mut self.ledger, number) {
            ledger.done(number);
        }
    }

    /// Keeps the log short, and the marks in it.
    async fn tidy(&mut self) {
        let now = self.now();
        let Some(ledger) = &mut self.ledger else {
            return;
        };
        let mut tidied = ledger.write_marks(now).await;
        if tidied.is_ok() && ledger.is_snapshot_due() {
            tidied = ledger.snapshot(&self.agent, self.recent.all()).await;
        }
        if let Err(error) = tidied {
            tracing::error!(agent = G::SPEC.name, %error, "the log was not tidied up");
            if !matches!(error, StoreError::Refused { .. }) {
                self.stopping = Some(StopReason::Store(Arc::new(error)));
            }
        }
    }
}
