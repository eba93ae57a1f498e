//! The end of a server.

use super::{BATCH, Owner};
use crate::server::letter::Message;
use crate::server::orders::Order;
use crate::server::press::Parcel;
use crate::server::{Shared, StopReason};
use crate::store::StoreError;
use skill_core::Agent;
use std::sync::{Arc, OnceLock};
use tokio::sync::{mpsc, watch};

/// Tells why the server is no more; the last thing that goes, when the log has been given up. A write that goes on when the
/// task has ended has a share in it.
pub(crate) struct Epitaph {
    reason: OnceLock<StopReason>,
    closed: watch::Sender<Option<StopReason>>,
    shared: Arc<Shared>,
}

impl Epitaph {
    pub(crate) fn new(closed: watch::Sender<Option<StopReason>>, shared: Arc<Shared>) -> Self {
        Self {
            reason: OnceLock::new(),
            closed,
            shared,
        }
    }
}

impl Drop for Epitaph {
    fn drop(&mut self) {
        self.shared.hub.close();
        let reason = self.reason.take().unwrap_or(StopReason::Lost);
        self.closed.send_replace(Some(reason));
    }
}

impl<G: Agent> Owner<G> {
    /// The task: serves until there is a reason to stop, then closes.
    pub(crate) async fn run(mut self, mut mailbox: mpsc::Receiver<Message<G>>, epitaph: Epitaph) {
        // declared first, so that it is dropped last
        let epitaph = Arc::new(epitaph);
        if let Some(ledger) = &mut self.ledger {
            ledger.outlast(epitaph.clone());
        }
        let reason = self.serve(&mut mailbox).await;
        tracing::info!(agent = G::SPEC.name, id = self.agent.id(), %reason, "stopping");
        let shared = self.shared.clone();
        let killed = matches!(reason, StopReason::Killed);
        let closing = self.close(&mut mailbox, &reason);
        let reason = tokio::select! {
            biased;
            _ = shared.orders.at_least(Order::Kill) => match killed {
                true => reason.clone(),
                false => StopReason::Killed,
            },
            () = closing => reason.clone(),
        };
        self.jobs.abort();
        self.press.end().await;
        // a store that failed meanwhile is why it is no more
        let reason = match self.stopping.take() {
            Some(failed @ StopReason::Store(_)) => failed,
            _ => reason,
        };
        tracing::info!(agent = G::SPEC.name, %reason, "stopped");
        epitaph.reason.get_or_init(|| reason);
        drop((self, mailbox));
    }

    /// What was asked is answered, what runs is cancelled, the children end in reverse order, what is not done is kept.
    async fn close(&mut self, mailbox: &mut mpsc::Receiver<Message<G>>, reason: &StopReason) {
        mailbox.close();
        self.is_closing = true;
        if !matches!(reason, StopReason::Store(_)) {
            self.drain(mailbox).await;
        }
        self.jobs.drop_waiting();
        self.jobs.cancel.cancel();
        while let Some(job) = self.jobs.next().await {
            self.job_ended(job);
            self.settle().await;
        }
        let report = self.children.stop_all().await;
        for child in &report.aborted {
            tracing::warn!(agent = G::SPEC.name, child = %child, "a child did not stop in its time and was aborted");
        }
        self.settle().await;
        self.close_outlet().await;
        if let Err(error) = self.write_end().await {
            tracing::error!(agent = G::SPEC.name, %error, "the end was not stored; the next start does without");
            if !matches!(error, StoreError::Refused { .. }) {
                self.stopping = Some(StopReason::Store(Arc::new(error)));
            }
        }
    }

    async fn drain(&mut self, mailbox: &mut mpsc::Receiver<Message<G>>) {
        let mut messages = Vec::new();
        while mailbox.recv_many(&mut messages, BATCH).await > 0 {
            self.take(&mut messages);
            self.settle().await;
        }
        self.settle().await;
    }

    /// Gives the outlet what is left, for as long as the grace time lasts; the rest stays in the log.
    async fn close_outlet(&mut self) {
        let Some(mut pressed) = self.pressed.take() else {
            return;
        };
        let mut outlet = self.outlet.take();
        let limit = self.shared.clock.sleep(self.settings.grace);
        let mut limit = std::pin::pin!(limit);
        loop {
            if self.parcels.is_empty() {
                // the task ends when nobody sends any more
                outlet = None;
            }
            tokio::select! {
                biased;
                told = pressed.recv() => match told {
                    Some(told) => self.pressed(told),
                    None => return,
                },
                Some(room) = room(&outlet) => {
                    if let Some(parcel) = self.parcels.pop_front() {
                        room.send(parcel);
                    }
                }
                () = &mut limit => return,
            }
        }
    }

    async fn write_end(&mut self) -> Result<(), StoreError> {
        // a snapshot holds what the records before it say, and no more
        self.commit().await;
        let recent = self.recent.all();
        match &mut self.ledger {
            Some(ledger) => ledger.snapshot(&self.agent, recent).await,
            None => Ok(()),
        }
    }
}

/// Room for one parcel; never where there is no outlet.
async fn room(outlet: &Option<mpsc::Sender<Parcel>>) -> Option<mpsc::Permit<'_, Parcel>> {
    match outlet {
        Some(outlet) => outlet.reserve().await.ok(),
        None => std::future::pending().await,
    }
}
