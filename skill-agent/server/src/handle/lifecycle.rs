//! The figures and the end of a server.

use super::AgentServer;
use crate::journal::Recovery;
use crate::mailbox::shutdown::StopLevel;
use crate::stats::Stats;
use crate::stop_reason::{ServerEnd, StopReason};
use crate::stop_report::StopReport;
use skill_core::Agent;

impl<G: Agent> AgentServer<G> {
    /// Returns the figures of the server at this moment.
    pub fn stats(&self) -> Stats {
        let waiting = self.mailbox.max_capacity() - self.mailbox.capacity();
        self.shared.counters.read(waiting)
    }

    /// Returns what was found in the store at the start.
    pub fn recovery(&self) -> &Recovery {
        &self.shared.recovery
    }

    /// Stops the server: it accepts no more messages, responds to those in the mailbox, runs the follow-ups of commands for at most
    /// the grace time, cancels async actions, stops the children in reverse order, each within its own time, and writes a last
    /// snapshot. Returns how many directives were left undone.
    ///
    /// # Errors
    /// The reason, when the server stopped for another reason than this call.
    pub async fn stop(&self) -> Result<StopReport, StopReason> {
        self.shared.stop_flag.raise(StopLevel::Stop);
        let ServerEnd { reason, report } = self.shared.ended().await;
        match reason {
            StopReason::Stopped => Ok(report),
            reason => Err(reason),
        }
    }

    /// Stops the server at once: waiting messages get no response, running actions are dropped, and nothing more is stored.
    /// Acknowledged commands are stored already. This also ends a [`stop`](Self::stop) that hangs; a write of the store that hangs is
    /// awaited for the grace time, at least one second, and then left behind.
    pub fn kill(&self) {
        self.shared.stop_flag.raise(StopLevel::Kill);
    }

    /// Waits until the server has stopped and released its store, and returns the reason. After a [`kill`](Self::kill) a write that
    /// hangs may still keep the store.
    pub async fn closed(&self) -> StopReason {
        self.shared.ended().await.reason
    }
}
