//! The end of a command: its record, then its response, then its directives.

use crate::error::{NotKept, ServeError};
use crate::journal::{Journal, JournalEntry, Write, millis};
use crate::lifecycle::stop_reason::StopReason;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::batch::{Batch, BatchEntry, RecordedCommand};
use crate::owner::turns::track::earlier_states;
use crate::stats::add;
use skill_agent_store::{RecordKind, StoreError};
use skill_core::Agent;
use skill_core::process::full_text;
use skill_core::process::{self, Saved, SavedState};
use std::sync::Arc;

/// A finished command, before its response. Responses differ by type, and everything else is in functions that are compiled once.
enum Finished<G: Agent> {
    /// The command changed nothing.
    Read,
    /// The server has no store.
    Unlogged(RecordedCommand<G>),
    /// The command's record is in the batch.
    InBatch(RecordedCommand<G>),
    /// The command was undone.
    Undone(NotKept),
}

impl<G: Agent> Owner<G> {
    /// Records a command, calls `answer`, and then executes the directives. With a store, `answer` waits for the commit of the
    /// batch. Without a store, `answer` is called at once. A command that exceeds a limit is undone instead.
    pub(in crate::owner) fn finish(
        &mut self,
        entry: JournalEntry,
        saved: Saved<G>,
        answer: impl FnOnce(&mut Self, Result<(), NotKept>) + Send + 'static,
    ) {
        let kept = |kept: Result<(), Arc<StoreError>>| kept.map_err(NotKept::Store);
        match self.record(entry, saved) {
            Finished::Read => self.answer_in_turn(move |owner, result| answer(owner, kept(result))),
            Finished::Unlogged(command) => {
                self.isolate(|owner| answer(owner, Ok(())));
                self.execute_directives(command);
            }
            Finished::InBatch(command) => {
                let answer = move |owner: &mut Self, result| answer(owner, kept(result));
                self.batch.push(command, Box::new(answer));
            }
            Finished::Undone(reason @ NotKept::Store(_)) => answer(self, Err(reason)),
            // a start that fails writes nothing
            Finished::Undone(reason) if self.startup.is_some() => answer(self, Err(reason)),
            Finished::Undone(reason) => self.answer_in_turn(move |owner, kept| {
                let reason = kept.map_or_else(NotKept::StoreBefore, |()| reason);
                answer(owner, Err(reason));
            }),
        }
    }

    /// Puts a command's record into the batch.
    fn record(&mut self, mut entry: JournalEntry, saved: Saved<G>) -> Finished<G> {
        self.find_turn(&mut entry);
        let reserved = match self.reserve(&mut entry) {
            Ok(reserved) => reserved,
            Err(reason) => {
                tracing::debug!(agent = G::SPEC.name, id = %entry.id, ?reason, "a command was undone");
                process::undo(&mut self.agent, saved);
                add(&self.shared.counters.failed, 1);
                return Finished::Undone(reason);
            }
        };
        let is_command = entry.kind != RecordKind::Mark;
        add(&self.shared.counters.handled, u64::from(is_command));
        tracing::debug!(agent = G::SPEC.name, id = %entry.id, kind = ?entry.kind, hops = entry.chain.hops(), "command finished");
        if self.settings.trace_payloads {
            tracing::trace!(agent = G::SPEC.name, id = %entry.id, instructions = ?entry.instructions, "payload");
        }
        if saved.is_empty() && entry.is_empty() {
            return Finished::Read;
        }
        if let Some(next) = self.following_run(entry.number) {
            // before the command's own directives, which may replace or cancel it
            entry.directives.insert(0, next);
        }
        let now = self.now();
        let keyed = entry.keyed.take().into_iter().chain(entry.decision.take());
        let keyed = keyed.chain(std::mem::take(&mut entry.more_keyed));
        let (more_rows, kept) = (entry.rows.take(), entry.kept.take());
        let mut command = RecordedCommand {
            saved,
            keys: Vec::new(),
            directives: Vec::new(),
            chain: entry.chain.clone(),
            reserved,
            number: entry.number,
            tracked: None,
        };
        let Some(journal) = &mut self.journal else {
            for keyed in keyed {
                self.keys.insert(keyed, 0, millis(now));
            }
            if entry.number.is_some() {
                self.unlogged.done();
            }
            let directives = entry.directives.into_iter();
            command.directives = directives
                .map(|directive| (directive, Some(self.unlogged.add())))
                .collect();
            return Finished::Unlogged(command);
        };
        let earlier = earlier_states(&self.agent, &self.turns, &command.chain, &command.saved);
        let recorded = earlier.and_then(|earlier| {
            let keys = &mut command.saved.iter().map(SavedState::key);
            let (record, directives) = journal.record(&self.agent, keys, entry, now)?;
            Ok((record, directives, earlier))
        });
        match recorded {
            Ok((record, directives, earlier)) => {
                let mut rows = more_rows.map_or_else(Vec::new, |rows| rows(record.seq));
                rows.extend(self.track(&mut command, &record, earlier, &directives));
                if let Some((conversation, kept)) = kept {
                    command.tracked = self.turns.replace(&conversation, kept);
                }
                let claimed = directives.iter().map(|(directive, _)| directive);
                self.schedules.claim(claimed);
                command.directives = directives;
                for keyed in keyed {
                    command.keys.push(keyed.key.clone());
                    rows.extend(self.keys.insert(keyed, record.seq, record.at));
                }
                self.batch.push_write(Write { rows, record });
                Finished::InBatch(command)
            }
            Err(error) => {
                self.undo(&mut command);
                add(&self.shared.counters.failed, 1);
                Finished::Undone(NotKept::Store(Arc::new(error)))
            }
        }
    }

    /// Reverts a command that was not recorded.
    fn undo(&mut self, command: &mut RecordedCommand<G>) {
        if let Some(tracked) = command.tracked.take() {
            self.turns.undo(tracked);
        }
        process::undo(&mut self.agent, std::mem::take(&mut command.saved));
        command.chain.remove(command.reserved.follow_ups);
        self.schedules.release(command.reserved.schedules);
        let claimed = command.directives.iter().map(|(directive, _)| directive);
        self.schedules.unclaim(claimed);
    }

    /// Executes the directives of a command that has its response.
    fn execute_directives(&mut self, command: RecordedCommand<G>) {
        self.schedules.release(command.reserved.schedules);
        if let Some(number) = command.number {
            self.schedules.end_run(number);
        }
        for (directive, number) in command.directives {
            self.execute_directive(directive, number, command.chain.clone());
        }
    }

    /// Calls `answer` once all earlier commands are recorded, or undone because recording failed.
    pub(crate) fn answer_in_turn(
        &mut self,
        answer: impl FnOnce(&mut Self, Result<(), Arc<StoreError>>) + Send + 'static,
    ) {
        if self.batch.is_empty() && !self.has_first_snapshot() {
            return answer(self, Ok(()));
        }
        self.batch.push_read(Box::new(answer));
    }

    /// Responds with an error once the state that the command saw is recorded, because the error may show that state.
    pub(crate) fn respond_with_error<T: Send + 'static, E: Send + 'static>(
        &mut self,
        responder: Responder<T, E>,
        error: ServeError<E>,
    ) {
        let error = self.failed(error);
        self.respond_in_turn(responder, error);
    }

    /// Like [`respond_with_error`](Self::respond_with_error), but does not count the error.
    pub(crate) fn respond_in_turn<T: Send + 'static, E: Send + 'static>(
        &mut self,
        responder: Responder<T, E>,
        error: ServeError<E>,
    ) {
        if self.startup.is_some() {
            // The start fails, and none of its changes is written.
            return responder.respond(Err(error));
        }
        self.answer_in_turn(move |_, kept| {
            responder.respond(Err(kept.map_or_else(ServeError::store_before, |()| error)));
        });
    }

    /// Calls `then` once the state equals the recorded state: all earlier commands are recorded, or undone because recording
    /// failed. `then` gets the error if the log can no longer be used.
    pub(crate) fn when_recorded(
        &mut self,
        then: impl FnOnce(&mut Self, Option<Arc<StoreError>>) + Send + 'static,
    ) {
        self.answer_in_turn(move |owner, kept| {
            let unusable = kept.err().filter(|error| !error.leaves_log_usable());
            if unusable.is_none() && !owner.batch.is_empty() {
                // a response before this one has run a command
                return owner.when_recorded(then);
            }
            then(owner, unusable);
        });
    }

    /// Calls `start` for an async action, once the state that it will see is recorded. Repeated commands with the same key wait.
    pub(crate) fn start_in_turn<T: Send + 'static, E: Send + 'static>(
        &mut self,
        responder: Responder<T, E>,
        key: Option<String>,
        start: impl FnOnce(&mut Self, Responder<T, E>) + Send + 'static,
    ) {
        if self.batch.is_empty() {
            return start(self, responder);
        }
        self.begin_key(key.as_deref());
        self.when_recorded(move |owner, unusable| {
            owner.end_key(key.as_deref());
            match unusable {
                None => start(owner, responder),
                Some(error) => {
                    let error = owner.failed(ServeError::store_before(error));
                    responder.respond(Err(error));
                }
            }
        });
    }

    /// Writes the batch to the store, responds to its commands, and then executes their directives.
    pub(crate) async fn commit(&mut self) {
        let Batch {
            writes, entries, ..
        } = std::mem::replace(&mut self.batch, Batch::new());
        if entries.is_empty() {
            return;
        }
        let is_snapshot_alone = writes.is_empty();
        let (kept, error) = self.append(writes).await;
        let count = if is_snapshot_alone && error.is_some() {
            0
        } else {
            entries.partition_point(|entry| entry.needs <= kept)
        };
        let mut entries = entries;
        let mut undone = entries.split_off(count);
        // All commands are undone before any response, because a response may start an async action that sees the state.
        for command in undone
            .iter_mut()
            .rev()
            .filter_map(|entry| entry.command.as_mut())
        {
            self.undo(command);
        }
        let mut recorded = Vec::new();
        for entry in entries {
            self.isolate(|owner| (entry.answer)(owner, Ok(())));
            recorded.extend(entry.command);
        }
        if let Some(error) = error {
            self.respond_to_undone(undone, &Arc::new(error));
        }
        if kept > 0 || (is_snapshot_alone && !self.has_first_snapshot()) {
            self.resume_directives();
        }
        for command in recorded {
            self.execute_directives(command);
        }
        // A failed start writes nothing.
        if self.startup.is_none() {
            self.maintain_log().await;
        }
    }

    /// Returns whether the build's first snapshot must be written before anything leaves the server.
    fn has_first_snapshot(&self) -> bool {
        let journal = self.journal.as_ref();
        self.startup.is_some() && journal.is_some_and(Journal::has_first_snapshot)
    }

    /// Writes records. Returns how many are on disk, and the error if some are not.
    async fn append(&mut self, writes: Vec<Write>) -> (usize, Option<StoreError>) {
        let has_some = !writes.is_empty() || self.has_first_snapshot();
        let Some(journal) = self.journal.as_mut().filter(|_| has_some) else {
            return (0, None);
        };
        let count = writes.len();
        let (kept, error) = journal.append(writes).await;
        add(&self.shared.counters.records, kept as u64);
        add(&self.shared.counters.commits, 1);
        if let Some(error) = &error {
            tracing::error!(
                agent = G::SPEC.name,
                kept,
                of = count,
                error = full_text(error),
                "the store did not keep every record"
            );
        }
        (kept, error)
    }

    /// Responds to commands that were not recorded. If the store is in an unknown state, stops the server.
    fn respond_to_undone(&mut self, undone: Vec<BatchEntry<G>>, error: &Arc<StoreError>) {
        if !error.leaves_log_usable() {
            self.stopping = Some(StopReason::Store(error.clone()));
        }
        for entry in undone {
            if let Some(command) = entry.command {
                command.keys.iter().for_each(|key| self.keys.remove(key));
                add(&self.shared.counters.failed, 1);
            }
            self.isolate(|owner| (entry.answer)(owner, Err(error.clone())));
        }
    }

    /// Writes marks and a snapshot if they are due.
    async fn maintain_log(&mut self) {
        let now = self.now();
        // A response may have run a command. Its record must be written first.
        let Some(journal) = self.journal.as_mut().filter(|_| self.batch.is_empty()) else {
            return;
        };
        let mut result = journal.write_marks(now).await;
        if result.is_ok() && journal.is_snapshot_due() {
            let notes = self.turns.note_rows(journal.seq());
            result = journal.snapshot(&self.agent, notes).await;
        }
        if let Err(error) = result {
            tracing::error!(
                agent = G::SPEC.name,
                error = full_text(&error),
                "the maintenance of the log failed"
            );
            if !error.leaves_log_usable() {
                self.stopping = Some(StopReason::Store(Arc::new(error)));
            }
        }
    }
}
