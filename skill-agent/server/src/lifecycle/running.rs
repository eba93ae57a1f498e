//! Tracks which server code is running on this thread, so that a request to the same server can detect a deadlock.

use crate::error::Deadlock;
use crate::lifecycle::shared::Shared;
use std::future::Future;
use std::ptr::from_ref;
use std::sync::Arc;

tokio::task_local! {
    /// The server code that this task runs. Set while the task's future is polled, even while the future blocks on other futures.
    /// Tasks that the code spawns do not inherit the value.
    static RUNNING: Running;
}

/// Identifies a running server by the address of its shared state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServerId(usize);

impl ServerId {
    pub(crate) fn of(shared: &Shared) -> Self {
        Self(from_ref(shared).addr())
    }
}

/// The code that a server runs.
struct Running {
    server: ServerId,
    code: Code,
}

enum Code {
    /// Pure actions, hooks and all other code in the server task.
    Owner,
    SignalSink,
    /// An async action that runs under the given idempotency key, in its stored form.
    Keyed(Arc<str>),
}

/// Runs the server task.
pub(crate) fn as_owner<F: Future>(server: ServerId, task: F) -> impl Future<Output = F::Output> {
    let code = Code::Owner;
    RUNNING.scope(Running { server, code }, task)
}

/// Runs a server's signal sink.
pub(crate) fn as_signal_sink<F: Future>(
    server: ServerId,
    publish: F,
) -> impl Future<Output = F::Output> {
    let code = Code::SignalSink;
    RUNNING.scope(Running { server, code }, publish)
}

/// Runs an async action under an idempotency key.
pub(crate) fn under_key<F: Future>(
    server: ServerId,
    key: &str,
    action: F,
) -> impl Future<Output = F::Output> + use<F> {
    let code = Code::Keyed(key.into());
    RUNNING.scope(Running { server, code }, action)
}

/// Reads a value from the server's running code, if this thread is running code of that server.
fn code<T>(server: ServerId, read: impl FnOnce(&Code) -> Option<T>) -> Option<T> {
    let running = RUNNING.try_with(|running| {
        let is_own = running.server == server;
        is_own.then(|| read(&running.code)).flatten()
    });
    running.ok().flatten()
}

/// Returns an error if the server is waiting for the code that is running here.
pub(crate) fn ensure_not_awaited(server: ServerId) -> Result<(), Deadlock> {
    let awaited = code(server, |code| match code {
        Code::Owner => Some(Deadlock::Owner),
        Code::SignalSink => Some(Deadlock::SignalSink),
        Code::Keyed(_) => None,
    });
    awaited.map_or(Ok(()), Err)
}

/// Returns the idempotency key of the async action that is running here, if any.
pub(crate) fn running_key(server: ServerId) -> Option<Arc<str>> {
    code(server, |code| match code {
        Code::Keyed(key) => Some(key.clone()),
        Code::Owner | Code::SignalSink => None,
    })
}
