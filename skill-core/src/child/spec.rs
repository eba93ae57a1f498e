//! What a child is: its id, how it starts, when it is started again, how it is stopped.

use super::{BoxFuture, ChildContext};
use crate::HookError;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a running child is: it ends well, or with an error.
pub type ChildFuture = BoxFuture<Result<(), HookError>>;

/// A task that runs beside a served agent, as a skill declares it in [`Hooks::child_specs`](crate::Hooks::child_specs)
/// (seed 001, `child_spec/1`; the words are those of OTP's supervisors).
///
/// A child has no access to the state of the agent. It does what pure code cannot (listen, poll, wait) and tells the agent
/// by signals.
///
/// ```
/// use serde_json::json;
/// use skill_core::{ChildContext, ChildSpec, Restart, Shutdown, Signal};
/// use std::time::Duration;
///
/// let feed = ChildSpec::new("feed", async |cx: ChildContext| {
///     cx.deliver(Signal::new("feed.opened", json!({}))).await?;
///     cx.stopped().await;
///     Ok(())
/// })
/// .restart(Restart::Transient)
/// .shutdown(Shutdown::After(Duration::from_secs(1)));
/// assert_eq!((&*feed.id, feed.restart), ("feed", Restart::Transient));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct ChildSpec {
    /// Its name, of which an agent has one.
    pub id: Cow<'static, str>,
    /// When it is started again after it ended.
    pub restart: Restart,
    /// How long it may take to stop.
    pub shutdown: Shutdown,
    /// Whether it waits for a `Spawn` directive instead of starting with the server.
    pub on_demand: bool,
    start: Arc<dyn Fn(ChildContext) -> ChildFuture + Send + Sync>,
}

/// When a child that ended is started again. A child that was asked to stop never is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Restart {
    /// Always: it is not supposed to end.
    #[default]
    Permanent,
    /// After an error or a panic.
    Transient,
    /// Never.
    Temporary,
}

/// How a child is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shutdown {
    /// It is asked, and aborted when it still runs after this time.
    After(Duration),
    /// It is aborted at once, without being asked.
    Brutal,
}

impl Default for Shutdown {
    /// Five seconds.
    fn default() -> Self {
        Self::After(Duration::from_secs(5))
    }
}

impl ChildSpec {
    /// A child that runs what `start` makes. It is permanent, has five seconds to stop, and starts with the server.
    ///
    /// `start` is called for every start, in the task of the child, so that a panic in it is one of the child.
    pub fn new<F, R>(id: impl Into<Cow<'static, str>>, start: F) -> Self
    where
        F: Fn(ChildContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), HookError>> + Send + 'static,
    {
        Self {
            id: id.into(),
            restart: Restart::default(),
            shutdown: Shutdown::default(),
            on_demand: false,
            start: Arc::new(move |cx| Box::pin(start(cx))),
        }
    }

    /// Says when it is started again.
    #[must_use]
    pub fn restart(mut self, restart: Restart) -> Self {
        self.restart = restart;
        self
    }

    /// Says how it is stopped.
    #[must_use]
    pub fn shutdown(mut self, shutdown: Shutdown) -> Self {
        self.shutdown = shutdown;
        self
    }

    /// Leaves it until a `Spawn` directive names its id.
    #[must_use]
    pub fn on_demand(mut self) -> Self {
        self.on_demand = true;
        self
    }

    /// The child itself, which runs when it is polled. A server calls this; so does a test of the child.
    pub fn start(&self, cx: ChildContext) -> ChildFuture {
        (self.start)(cx)
    }
}

// by hand: there is nothing to say of a closure
impl fmt::Debug for ChildSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildSpec")
            .field("id", &self.id)
            .field("restart", &self.restart)
            .field("shutdown", &self.shutdown)
            .field("on_demand", &self.on_demand)
            .finish_non_exhaustive()
    }
}
