//! Requests that would cause a deadlock.

/// Why a request to a server was not run: it would cause a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Deadlock {
    /// The request comes from code in the server task: a pure action, a hook, a guard or a rule.
    #[error(
        "it comes from an action, a hook or a guard that the server runs before anything else; queue the action with `cx.run`, or make it an async one"
    )]
    Owner,
    /// The request comes from the server's signal sink.
    #[error(
        "it comes from the signal sink, for which the server may wait; make the request in a task of its own"
    )]
    SignalSink,
    /// The request comes from an async action that runs under the same idempotency key.
    #[error(
        "it comes from the async action that runs under the same idempotency key; use another key"
    )]
    Key,
}
