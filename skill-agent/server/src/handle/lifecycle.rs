//! The statistics and the shutdown of a server.

use super::AgentServer;
use crate::journal::Recovery;
use crate::lifecycle::rest::{Idleness, Rest};
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::lifecycle::stop_report::StopReport;
use crate::mailbox::shutdown::StopLevel;
use crate::mailbox::{Mailbox, ResponseFuture};
use crate::stats::Stats;
use std::convert::Infallible;

impl<G> AgentServer<G> {
    /// Returns the server's current statistics, all zero for an agent that sleeps.
    pub fn stats(&self) -> Stats {
        match &self.mailbox {
            Mailbox::Of(mailbox) => {
                let waiting = mailbox.max_capacity() - mailbox.capacity();
                self.shared.counters.read(waiting)
            }
            Mailbox::ById(_) => match self.started() {
                Some(server) => server.handle::<G>().stats(),
                None => Stats::default(),
            },
        }
    }

    /// Returns a report on the contents of the store when the server started. It is empty for a handle by id.
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
        let Some(server) = self.started() else {
            return Ok(StopReport::default());
        };
        server.shared.stop_flag.raise(StopLevel::Stop);
        let ServerEnd { reason, report, .. } = server.shared.ended().await;
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
        if let Some(server) = self.started() {
            server.shared.stop_flag.raise(StopLevel::Kill);
        }
    }

    /// Waits until the server has stopped and released its store, and returns the stop reason. After a [`kill`](Self::kill), a
    /// write that hangs may still hold the store.
    pub async fn closed(&self) -> StopReason {
        self.shared.ended().await.reason
    }

    /// Like [`closed`](Self::closed), but the future does not keep the server running. For a handle by id, it completes at once.
    #[doc(hidden)]
    pub fn when_closed(&self) -> impl Future<Output = ()> + Send + use<G> {
        let closed = match &self.mailbox {
            Mailbox::Of(_) => Some(self.shared.closed.clone()),
            // the next server of the agent can start at any time
            Mailbox::ById(_) => None,
        };
        async move {
            if let Some(mut closed) = closed {
                let _ = closed.wait_for(Option::is_some).await;
            }
        }
    }

    /// Waits until the server has nothing to do. A child or a conversation may still run.
    #[doc(hidden)]
    pub fn when_idle(&self) -> ResponseFuture<'_, G, (), Infallible> {
        self.exchange(|owner, responder| owner.when_idle(responder))
    }

    /// Stops the server if it has nothing to do.
    #[doc(hidden)]
    pub fn stop_if_idle(&self) -> ResponseFuture<'_, G, Idleness, Infallible> {
        self.exchange(|owner, responder| owner.stop_if_idle(responder))
    }

    /// Waits until the server has stopped. Returns the work that is left, or `None` if the server's task was lost.
    #[doc(hidden)]
    pub fn rested(&self) -> impl Future<Output = Option<Rest>> + Send + use<G> {
        let mut closed = self.shared.closed.clone();
        async move {
            let end = closed.wait_for(Option::is_some).await;
            end.ok()
                .and_then(|end| end.as_ref().and_then(|end| end.rest))
        }
    }

    /// Returns why the server has stopped, or `None` while it is running.
    #[doc(hidden)]
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.shared.stop_reason()
    }
}
