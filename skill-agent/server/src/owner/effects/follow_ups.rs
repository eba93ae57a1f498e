//! Follow-ups during a stop, which run for at most the grace period.

use crate::mailbox::message::BoxEnvelope;
use crate::owner::lifecycle::grace::GraceTime;
use crate::owner::{BATCH, Owner};
use skill_core::Agent;
use tokio::sync::mpsc;

impl<G: Agent> Owner<G> {
    /// Responds to all messages in the mailbox without a time limit, and leaves follow-ups for later.
    pub(crate) async fn drain(&mut self, mailbox: &mut mpsc::Receiver<BoxEnvelope>) {
        let mut messages = Vec::new();
        while mailbox.recv_many(&mut messages, BATCH).await > 0 {
            self.take(&mut messages).await;
            self.commit().await;
        }
    }

    /// Runs follow-ups until none are left or the grace period is over. Even then, work with a waiting caller is completed, unless
    /// the server must end at once.
    pub(crate) async fn run_follow_ups(&mut self, grace: &mut GraceTime) {
        loop {
            self.commit().await;
            if self.must_end() {
                return;
            }
            while let Some(scheduled) = self.schedules.pop_follow_up() {
                self.deliver_scheduled(scheduled);
            }
            let mut is_over = false;
            for _ in 0..BATCH {
                let is_needed = !self.retries.is_empty();
                is_over = !is_needed && !self.has_no_steps() && grace.is_over().await;
                if is_over || self.batch.is_full() || !self.run_next() {
                    break;
                }
            }
            if self.batch.is_empty() && (is_over || self.has_no_follow_ups()) {
                return;
            }
        }
    }

    fn has_no_follow_ups(&self) -> bool {
        self.has_no_steps() && self.schedules.has_no_follow_ups()
    }
}
