//! Requests that would wait for themselves.

/// Why a request to a server would wait for itself. Nothing of it has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Deadlock {
    /// It comes from code in the task of the server: a pure action, a hook, a guard or a rule.
    #[error(
        "it comes from an action, a hook or a guard that the server runs before anything else; queue the action with `cx.run`, or make it an async one"
    )]
    Owner,
    /// It comes from the signal sink of the server.
    #[error(
        "it comes from the signal sink, for which the server may wait; make the request in a task of its own"
    )]
    SignalSink,
    /// It comes from an async action that runs under the same idempotency key.
    #[error(
        "it comes from the async action that runs under the same idempotency key; use another key"
    )]
    Key,
}
