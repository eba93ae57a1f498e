//! Rows and held keys that another crate keeps in the log.

use super::AgentServer;
use crate::error::ServeError;
use crate::mailbox::ResponseFuture;
use crate::rows::{GroupChange, PAGE, Rows, RowsPage};
use crate::turns::{TurnsError, TurnsRange, TurnsRestore, TurnsView, TurnsWork};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// The right to change rows. Dropping the claim gives the right back.
#[derive(Debug)]
pub struct RowsClaim(Arc<AtomicBool>);

impl Drop for RowsClaim {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// For other crates that keep rows in a server's log.
#[doc(hidden)]
impl<G> AgentServer<G> {
    /// Returns whether both handles belong to one server.
    pub fn is_same<H>(&self, other: &AgentServer<H>) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Returns whether the server has a store.
    pub fn has_store(&self) -> bool {
        self.shared.has_store
    }

    /// Takes the right to change rows. Returns `None` while another owner has the right.
    pub fn claim_rows(&self) -> Option<RowsClaim> {
        let claim = Arc::clone(&self.shared.rows_claim);
        let is_free = !claim.swap(true, Ordering::AcqRel);
        is_free.then(|| RowsClaim(claim))
    }

    /// Changes a group of rows of a server with a store. The change is on disk when the future completes.
    pub fn change_rows(&self, change: GroupChange) -> ResponseFuture<'_, G, (), Infallible> {
        self.exchange(move |owner, responder| owner.change_rows(change, responder))
    }

    /// Forgets held keys whose outputs another server has stored.
    pub fn release(&self, keys: Vec<String>) -> ResponseFuture<'_, G, (), Infallible> {
        self.exchange(move |owner, responder| owner.release(keys, responder))
    }

    /// Returns the output of the call that ran under a held key as JSON text, or `None` if the key is unknown.
    pub fn held_output(&self, key: String) -> ResponseFuture<'_, G, Option<String>, Infallible> {
        self.exchange(move |owner, responder| owner.held_output(key, responder))
    }

    /// Reads the kept turns of a conversation, which is in use as long as the lease. Its calls keep states only then.
    pub fn load_turns(
        &self,
        conversation: String,
        lease: Weak<()>,
    ) -> ResponseFuture<'_, G, (), Infallible> {
        self.exchange(move |owner, responder| {
            owner.work_on_turns(TurnsWork::Load(conversation, lease, responder));
        })
    }

    /// Returns the effect of [`restore_turns`](Self::restore_turns).
    pub fn view_turns(&self, turns: TurnsRange) -> ResponseFuture<'_, G, TurnsView, TurnsError> {
        self.exchange(move |owner, responder| {
            owner.work_on_turns(TurnsWork::View(turns, responder));
        })
    }

    /// Takes turns of a conversation back, or brings them back. This is on disk when the future completes.
    pub fn restore_turns(&self, restore: TurnsRestore) -> ResponseFuture<'_, G, (), TurnsError> {
        self.exchange(move |owner, responder| {
            owner.work_on_turns(TurnsWork::Restore(Box::new(restore), responder));
        })
    }

    /// Returns the head of each group.
    ///
    /// Returns an error if the store fails, or if the server has stopped.
    /// Returns an error of the store, or if the server has stopped.
    pub async fn read_heads(&self) -> Result<Rows, ServeError<Infallible>> {
        self.read_pages(|from| RowsPage::Heads { from }).await
    }

    /// Returns the rows of a group, by number.
    ///
    /// Returns an error if the store fails, or if the server has stopped.
    /// Returns an error of the store, or if the server has stopped.
    pub async fn read_rows(&self, group: u64) -> Result<Rows, ServeError<Infallible>> {
        self.read_pages(|from| RowsPage::Rows { group, from }).await
    }

    async fn read_pages(
        &self,
        page: impl Fn(u64) -> RowsPage,
    ) -> Result<Rows, ServeError<Infallible>> {
        let (mut all, mut from) = (Vec::new(), 0);
        loop {
            let page = page(from);
            let read = self.exchange(move |owner, responder| owner.read_rows(page, responder));
            let read = read.await?;
            let next = read.last().and_then(|(number, _)| number.checked_add(1));
            let is_last = read.len() < PAGE;
            all.extend(read);
            match next {
                Some(next) if !is_last => from = next,
                _ => return Ok(all),
            }
        }
    }
}
