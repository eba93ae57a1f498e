//! The report of a stop.

/// The numbers of directives that a server left undone when it stopped; see [`AgentServer::stop`](crate::AgentServer::stop).
///
/// It counts directives: follow-ups that did not run within the grace time, scheduled signals that are not due, and signals that the
/// signal sink did not take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StopReport {
    /// Directives that the store keeps, and that the next start executes; always 0 without a store.
    pub pending: usize,
    /// Directives that are lost, because the server has no store; always 0 with one.
    pub dropped: usize,
}
