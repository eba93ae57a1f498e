//! The thread of the connections to models.
//!
//! A server may send interim responses, such as `103`, without end. hyper reads them for as long as they come, for seconds without a
//! pause. On the runtime of the program it would stop the other tasks, the limits of time and the cancellation of the turn. Connections
//! are therefore tasks of a runtime of their own.

use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};
use std::thread;

use futures_core::Stream;
use futures_core::stream::BoxStream;
use tokio::runtime::{Builder, Handle};

/// A stream whose connections are on that thread.
pub(super) struct OnConnections<T>(pub(super) BoxStream<'static, T>);

impl<T> Stream for OnConnections<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        // hyper starts its tasks in the runtime that is entered
        let _entered = runtime().map(Handle::enter);
        self.0.as_mut().poll_next(cx)
    }
}

/// The runtime, which is started once; nothing if there is no room for a thread, and the runtime of the program has to do.
fn runtime() -> Option<&'static Handle> {
    static RUNTIME: OnceLock<Option<Handle>> = OnceLock::new();
    let start = || {
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        let handle = runtime.handle().clone();
        let thread = thread::Builder::new().name("skill-agent-http".to_owned());
        let run = move || runtime.block_on(std::future::pending::<()>());
        thread.spawn(run).ok()?;
        Some(handle)
    };
    RUNTIME.get_or_init(start).as_ref()
}
