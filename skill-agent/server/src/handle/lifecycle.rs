//! The statistics and the shutdown of a server.

use super::AgentServer;
use crate::journal::Recovery;
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::lifecycle::stop_report::StopReport;
use crate::mailbox::shutdown::StopLevel;
use crate::stats::Stats;

impl<G> AgentServer<G> {
    /// Returns the server's current statistics.
    pub fn stats(&self) -> Stats {
        let waiting = self.mailbox.max_capacity() - self.mailbox.capacity();
        self.shared.counters.read(waiting)
    }

    /// Returns a report on the contents of the store when the server started.
    pub fn recovery(&self) -> &Recovery {
        &self.shared.recovery
    }

    /// Stops the server and waits until it has stopped. The server accepts no more messages, and responds to those in the mailbox.
    /// It runs follow-ups for at most the grace period, cancels async actions, stops the children in reverse order, each within its
    /// own shutdown time, and writes a last snapshot. Returns how many directives were not done.
    ///
    /// # Errors
    /// Returns the stop reason if the server stopped for any other reason.
    pub async fn stop(&self) -> Result<StopReport, StopReason> {
        self.shared.stop_flag.raise(StopLevel::Stop);
        let ServerEnd { reason, report } = self.shared.ended().await;
        match reason {
            StopReason::Stopped => Ok(report),
            reason => Err(reason),
        }
    }

    /// Stops the server at once. Waiting messages fail with [`ServeError::Stopped`](crate::ServeError::Stopped), running actions
    /// are dropped, and nothing more is stored. Acknowledged commands are already in the store. This method also ends a
    /// [`stop`](Self::stop) that hangs. If a write to the store hangs, the server waits for the grace period, but at least one
    /// second, and then gives up the write.
    pub fn kill(&self) {
        self.shared.stop_flag.raise(StopLevel::Kill);
    }

    /// Waits until the server has stopped and released its store, and returns the stop reason. After a [`kill`](Self::kill), a
    /// write that hangs may still hold the store.
    pub async fn closed(&self) -> StopReason {
        self.shared.ended().await.reason
    }

    /// Like [`closed`](Self::closed), but the future does not keep the server running.
    #[doc(hidden)]
    pub fn when_closed(&self) -> impl Future<Output = ()> + Send + use<G> {
        let mut closed = self.shared.closed.clone();
        async move {
            let _ = closed.wait_for(Option::is_some).await;
        }
    }

    /// Returns why the server has stopped, or `None` while it is running.
    #[doc(hidden)]
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.shared.stop_reason()
    }
}
