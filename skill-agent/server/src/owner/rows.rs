//! Rows of another crate, and held keys.

use super::Owner;
use crate::error::ServeError;
use crate::idempotency::held_output;
use crate::journal::Write;
use crate::mailbox::responder::Responder;
use crate::rows::{GroupChange, Rows, RowsPage};
use crate::turns::TurnsChange;
use skill_agent_store::{StoreError, TableChange};
use skill_core::Agent;
use std::convert::Infallible;
use std::sync::Arc;

/// A page of rows to read after the running messages.
pub(crate) struct RowsRead {
    page: RowsPage,
    responder: Responder<Rows, Infallible>,
}

impl<G: Agent> Owner<G> {
    /// Records a change of rows, and releases held keys with it.
    pub(crate) fn change_rows(
        &mut self,
        mut change: GroupChange,
        responder: Responder<(), Infallible>,
    ) {
        let turns = change.turns.take();
        let rows = |seq| change.to_table_changes(seq);
        self.write_rows(rows, change.release.clone(), turns, responder);
    }

    /// Forgets held keys, and their rows.
    pub(crate) fn release(&mut self, keys: Vec<String>, responder: Responder<(), Infallible>) {
        self.write_rows(|_| Vec::new(), keys, None, responder);
    }

    /// Writes rows in their own record. Held keys are forgotten only once their rows are gone, because a key that is forgotten
    /// too early would let its call run twice.
    fn write_rows(
        &mut self,
        rows: impl FnOnce(u64) -> Vec<TableChange>,
        keys: Vec<String>,
        turns: Option<TurnsChange>,
        responder: Responder<(), Infallible>,
    ) {
        let now = self.now();
        let Some(journal) = &mut self.journal else {
            return self.released(keys, responder);
        };
        let record = match journal.mark(now) {
            Ok(record) => record,
            Err(error) => return responder.respond(Err(ServeError::store(Arc::new(error)))),
        };
        let mut rows = rows(record.seq);
        let of_turns = turns.iter();
        rows.extend(of_turns.flat_map(|change| self.turns.change_rows(change, record.seq)));
        rows.extend(keys.iter().filter_map(|key| self.keys.release_row(key)));
        let answer = move |owner: &mut Self, kept: Result<(), Arc<StoreError>>| match kept {
            Ok(()) => {
                turns.iter().for_each(|change| owner.turns.apply(change));
                owner.released(keys, responder);
            }
            Err(error) => responder.respond(Err(ServeError::store(error))),
        };
        self.batch.write(Write { record, rows }, Box::new(answer));
    }

    fn released(&mut self, keys: Vec<String>, responder: Responder<(), Infallible>) {
        for key in keys {
            self.keys.release(&key);
        }
        responder.respond(Ok(()));
    }

    /// Returns the output of the call that ran under a held key.
    pub(crate) fn held_output(
        &mut self,
        key: String,
        responder: Responder<Option<String>, Infallible>,
    ) {
        let output = self.keys.held(&key).map(held_output);
        self.answer_in_turn(move |_, kept| {
            responder.respond(match kept {
                Ok(()) => Ok(output.flatten()),
                Err(error) => Err(ServeError::store_before(error)),
            });
        });
    }

    /// Reads a page of rows after the running messages.
    pub(crate) fn read_rows(&mut self, page: RowsPage, responder: Responder<Rows, Infallible>) {
        self.row_reads.push(RowsRead { page, responder });
    }

    /// Reads the requested pages, and responds with them.
    pub(crate) async fn run_row_reads(&mut self) {
        for RowsRead { page, responder } in std::mem::take(&mut self.row_reads) {
            let read = match &mut self.journal {
                Some(journal) => journal.read_rows(page).await,
                None => Ok(Rows::new()),
            };
            responder.respond(read.map_err(|error| ServeError::store_before(Arc::new(error))));
        }
    }
}
