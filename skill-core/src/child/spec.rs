//! The description of a child: its id, and how it starts, restarts and stops.

use super::{BoxFuture, ChildContext};
use crate::HookError;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A running child's future.
pub type ChildFuture = BoxFuture<Result<(), HookError>>;

/// A task that runs next to a served agent, declared by a skill in [`Hooks::child_specs`](crate::Hooks::child_specs). The terms
/// follow OTP supervisors.
///
/// A child cannot access the agent's state. It does things that pure code cannot do, such as listening, polling and waiting, and
/// sends signals to the agent.
///
/// ```
/// use serde_json::json;
/// use skill_core::child::{Restart, Shutdown};
/// use skill_core::{ChildContext, ChildSpec, Signal};
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
    /// The child's id, unique in the agent.
    pub id: Cow<'static, str>,
    /// When the child is restarted after it ends.
    pub restart: Restart,
    /// How the child is stopped.
    pub shutdown: Shutdown,
    /// Whether the child waits for a `Spawn` directive instead of starting with the server.
    pub on_demand: bool,
    start: Arc<dyn Fn(ChildContext) -> ChildFuture + Send + Sync>,
}

/// When an ended child is restarted. A child that was asked to stop is never restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Restart {
    /// Always. The child is not expected to end.
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
    /// The child is asked to stop, and is aborted if it is still running after this time.
    After(Duration),
    /// The child is aborted at once.
    Brutal,
}

impl Default for Shutdown {
    /// Returns `After` five seconds.
    fn default() -> Self {
        Self::After(Duration::from_secs(5))
    }
}

impl ChildSpec {
    /// Describes a child that runs the future returned by `start`. By default it is permanent, has five seconds to stop, and
    /// starts with the server.
    ///
    /// `start` is called at every start, in the child's task. If it panics, the child counts as panicked.
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

    /// Sets when the child is restarted.
    #[must_use]
    pub fn restart(mut self, restart: Restart) -> Self {
        self.restart = restart;
        self
    }

    /// Sets how the child is stopped.
    #[must_use]
    pub fn shutdown(mut self, shutdown: Shutdown) -> Self {
        self.shutdown = shutdown;
        self
    }

    /// Starts the child only when a `Spawn` directive names its id, instead of with the server.
    #[must_use]
    pub fn on_demand(mut self) -> Self {
        self.on_demand = true;
        self
    }

    /// Returns the child's future. Called by servers and by tests of a child.
    pub fn start(&self, cx: ChildContext) -> ChildFuture {
        (self.start)(cx)
    }
}

// not derived: closures do not implement `Debug`
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
