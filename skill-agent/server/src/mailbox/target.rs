//! The server that a handle sends its messages to: a started one, or that of an agent which is woken for them.

use super::message::BoxEnvelope;
use crate::error::NotAwake;
use crate::lifecycle::shared::Shared;
use skill_core::child::BoxFuture;
use std::fmt;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The mailbox that a handle sends to.
#[derive(Clone)]
pub(crate) enum Mailbox {
    /// The mailbox of a started server.
    Of(mpsc::Sender<BoxEnvelope>),
    /// The mailbox of an agent that is woken when the handle is used.
    ById(Arc<dyn Wake>),
}

/// A started server.
#[doc(hidden)]
#[derive(Clone)]
pub struct Started {
    pub(crate) mailbox: mpsc::Sender<BoxEnvelope>,
    pub(crate) shared: Arc<Shared>,
}

impl Started {
    /// Returns whether the server takes no more messages.
    pub fn is_closed(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Returns whether both are one server.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

/// Wakes an agent by its id.
#[doc(hidden)]
pub trait Wake: Send + Sync + 'static {
    /// Returns the server, if it is awake.
    fn server(&self) -> Option<Started>;

    /// Takes a lease, if the agent is awake.
    fn lease(self: Arc<Self>) -> Option<Lease>;

    /// Wakes the agent, and takes a lease.
    fn wake(self: Arc<Self>) -> BoxFuture<Result<Lease, NotAwake>>;

    /// Gives a lease back.
    fn release(&self);
}

/// The server of an agent that stays awake as long as this value exists.
#[doc(hidden)]
pub struct Lease {
    server: Started,
    wake: Arc<dyn Wake>,
}

impl Lease {
    /// Creates a lease, which [`Wake::release`] gives back.
    pub fn new(server: Started, wake: Arc<dyn Wake>) -> Self {
        Self { server, wake }
    }

    /// Returns the server.
    pub fn server(&self) -> &Started {
        &self.server
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.wake.release();
    }
}

/// A server that takes messages.
pub(crate) enum Reached<'a> {
    /// The server of the handle.
    Here(&'a mpsc::Sender<BoxEnvelope>, &'a Shared),
    /// The server of an agent that was woken.
    Woken(Lease),
}

impl Reached<'_> {
    pub(crate) fn mailbox(&self) -> &mpsc::Sender<BoxEnvelope> {
        match self {
            Self::Here(mailbox, _) => mailbox,
            Self::Woken(lease) => &lease.server.mailbox,
        }
    }

    pub(crate) fn shared(&self) -> &Shared {
        match self {
            Self::Here(_, shared) => shared,
            Self::Woken(lease) => &lease.server.shared,
        }
    }
}

impl Mailbox {
    /// Returns the server, or the agent to wake if it sleeps. `shared` is the state of the handle.
    pub(crate) fn reach<'a>(
        &'a self,
        shared: &'a Shared,
    ) -> Result<Reached<'a>, &'a Arc<dyn Wake>> {
        match self {
            Self::Of(mailbox) => Ok(Reached::Here(mailbox, shared)),
            Self::ById(wake) => Arc::clone(wake).lease().map(Reached::Woken).ok_or(wake),
        }
    }
}

impl fmt::Debug for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agent = self.shared.agent.spec.name;
        f.debug_tuple("Started").field(&agent).finish()
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lease").field(&self.server).finish()
    }
}
