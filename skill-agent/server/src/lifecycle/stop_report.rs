//! The report of a stop.

/// How many directives a stopped server has not done; see [`AgentServer::stop`](crate::AgentServer::stop).
///
/// This includes follow-ups that did not run within the grace period, scheduled signals that are not due yet, and signals that
/// the signal sink did not take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StopReport {
    /// The number of directives kept in the store for the next start, always 0 without a store.
    pub pending: usize,
    /// The number of directives that are lost because the server has no store, always 0 with a store.
    pub dropped: usize,
}
