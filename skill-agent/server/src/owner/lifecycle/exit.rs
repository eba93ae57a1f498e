//! The end of a server: closes it and notifies waiting tasks.

use crate::lifecycle::shared::Shared;
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::mailbox::message::BoxEnvelope;
use crate::mailbox::shutdown::StopLevel;
use crate::owner::Owner;
use crate::owner::lifecycle::grace::GraceTime;
use crate::panics::drop_caught;
use crate::signals::outbox::Delivery;
use skill_agent_store::StoreError;
use skill_core::Agent;
use skill_core::process::full_text;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// The minimum wait for a write in progress, even with a grace period of zero.
const LAST_WAIT_MIN: Duration = Duration::from_secs(1);

/// Publishes the stop reason on drop, after the log is dropped. A write that outlives the server task shares the notifier.
pub(crate) struct ExitNotifier {
    end: OnceLock<ServerEnd>,
    closed: watch::Sender<Option<ServerEnd>>,
    shared: Arc<Shared>,
}

impl ExitNotifier {
    pub(crate) fn new(closed: watch::Sender<Option<ServerEnd>>, shared: Arc<Shared>) -> Self {
        Self {
            end: OnceLock::new(),
            closed,
            shared,
        }
    }
}

impl ExitNotifier {
    /// Publishes the stop reason once.
    fn publish(&self) {
        self.shared.hub.close();
        let end = self.end.get().cloned().unwrap_or_else(ServerEnd::lost);
        self.closed.send_if_modified(|published| {
            let is_first = published.is_none();
            published.get_or_insert(end);
            is_first
        });
    }
}

impl Drop for ExitNotifier {
    fn drop(&mut self) {
        self.publish();
    }
}

impl<G: Agent> Owner<G> {
    /// Runs the server task: serves until it has to stop, then closes the server.
    pub(crate) async fn run(
        mut self,
        mut mailbox: mpsc::Receiver<BoxEnvelope>,
        exit_notifier: ExitNotifier,
    ) {
        // declared first, so that it is dropped last
        let exit_notifier = Arc::new(exit_notifier);
        if let Some(journal) = &mut self.journal {
            journal.drop_after_log(exit_notifier.clone());
        }
        let shared = self.shared.clone();
        let reason = tokio::select! {
            biased;
            reason = self.serve(&mut mailbox) => reason,
            // A write of the store may hang, or wait behind one that hangs.
            _ = shared.stop_flag.at_least(StopLevel::Kill) => StopReason::Killed,
        };
        tracing::info!(
            agent = G::SPEC.name,
            id = self.agent.id(),
            reason = full_text(&reason),
            "stopping"
        );
        let killed = matches!(reason, StopReason::Killed);
        let closing = self.close(&mut mailbox, &reason);
        let reason = tokio::select! {
            biased;
            _ = shared.stop_flag.at_least(StopLevel::Kill) => if killed {
                reason.clone()
            } else {
                StopReason::Killed
            },
            () = closing => reason.clone(),
        };
        self.tasks.abort();
        let mut last_wait = self.last_wait();
        tokio::select! {
            biased;
            () = self.outbox_task.end() => {}
            // A signal sink that blocks its thread is abandoned.
            () = last_wait.ended() => {}
        }
        // If the store failed during the close, that is the stop reason.
        let reason = match self.stopping.take() {
            Some(failed @ StopReason::Store(_)) => failed,
            _ => reason,
        };
        let report = self.stop_report();
        tracing::info!(
            agent = G::SPEC.name,
            reason = full_text(&reason),
            pending = report.pending,
            dropped = report.dropped,
            "stopped"
        );
        let rest = Some(self.rest(&reason));
        let end = ServerEnd {
            reason,
            report,
            rest,
        };
        exit_notifier.end.get_or_init(|| end);
        // Dropped one after another, because two panics at once abort the process.
        self.retries.drain(..).for_each(drop_caught);
        drop_caught(self);
        mailbox.close();
        while let Ok(message) = mailbox.try_recv() {
            drop_caught(message);
        }
        let under_write = Arc::downgrade(&exit_notifier);
        drop(exit_notifier);
        tokio::select! {
            biased;
            _ = shared.ended() => {}
            // A hanging write is abandoned, and keeps the log open until it ends.
            () = last_wait.ended() => if let Some(exit_notifier) = under_write.upgrade() {
                exit_notifier.publish();
            },
        }
    }

    /// Closes the server: responds to the messages in the mailbox, runs follow-ups for the grace period, cancels async actions,
    /// stops the children in reverse order, delivers the remaining signals, and writes a snapshot with the pending directives.
    async fn close(&mut self, mailbox: &mut mpsc::Receiver<BoxEnvelope>, reason: &StopReason) {
        mailbox.close();
        self.is_closing = true;
        let mut grace = self.grace_time();
        if matches!(reason, StopReason::Store(_)) {
            grace.end();
        } else {
            self.drain(mailbox).await;
            self.run_follow_ups(&mut grace).await;
        }
        self.tasks.drop_waiting();
        self.tasks.cancel.cancel();
        while let Some(ended) = self.tasks.next().await {
            self.task_ended(ended);
            self.run_follow_ups(&mut grace).await;
        }
        let report = self.children.stop_all().await;
        for child in &report.aborted {
            tracing::warn!(agent = G::SPEC.name, child = %child, "a child did not stop in its time and was aborted");
        }
        self.run_follow_ups(&mut grace).await;
        self.close_outbox().await;
        if let Err(error) = self.write_end().await {
            tracing::error!(
                agent = G::SPEC.name,
                error = full_text(&error),
                "the last snapshot was not stored"
            );
            if !error.leaves_log_usable() {
                self.stopping = Some(StopReason::Store(Arc::new(error)));
            }
        }
    }

    /// Delivers the remaining signals until the grace period is over, and leaves the rest in the log.
    async fn close_outbox(&mut self) {
        let Some(mut reports) = self.delivery_reports.take() else {
            return;
        };
        let mut outbox = self.outbox.take();
        // A separate grace period, so that long follow-ups do not use up the time for signals.
        let mut grace = self.grace_time();
        loop {
            if self.deliveries.is_empty() {
                // The outbox task ends when its channel is closed.
                outbox = None;
            }
            tokio::select! {
                biased;
                report = reports.recv() => match report {
                    Some(report) => self.delivery_reported(report),
                    None => return,
                },
                Some(permit) = permit(&outbox) => {
                    if let Some(delivery) = self.deliveries.pop_front() {
                        self.undelivered += 1;
                        permit.send(delivery);
                    }
                }
                () = grace.ended() => return,
            }
        }
    }

    fn grace_time(&self) -> GraceTime {
        GraceTime::new(self.shared.clock.0.clone(), self.settings.grace)
    }

    /// Returns how long to wait for the signal sink and for a write in progress before abandoning them.
    fn last_wait(&self) -> GraceTime {
        let time = self.settings.grace.max(LAST_WAIT_MIN);
        GraceTime::new(self.shared.clock.0.clone(), time)
    }

    async fn write_end(&mut self) -> Result<(), StoreError> {
        // The snapshot must not contain changes whose records are not written.
        self.commit().await;
        match &mut self.journal {
            Some(journal) if journal.is_left_empty() => Ok(()),
            Some(journal) => {
                let notes = self.turns.note_rows(journal.seq());
                journal.snapshot(&self.agent, notes).await
            }
            None => Ok(()),
        }
    }
}

/// Reserves room for one delivery, and never completes without an outbox.
async fn permit(outbox: &Option<mpsc::Sender<Delivery>>) -> Option<mpsc::Permit<'_, Delivery>> {
    match outbox {
        Some(outbox) => outbox.reserve().await.ok(),
        None => std::future::pending().await,
    }
}
