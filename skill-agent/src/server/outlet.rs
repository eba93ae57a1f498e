//! What an agent emits, for the world beyond the process.

use skill_core::{HookError, Signal};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// What leaves the agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outgoing {
    /// A signal it emitted.
    Emitted(Arc<Signal>),
    /// A reply to an address that a signal gave in its extension `replyto`.
    Reply {
        /// The address.
        to: String,
        /// The reply.
        signal: Arc<Signal>,
    },
}

/// Takes what an agent emits and does not lose it: at least once, in order.
///
/// One signal at a time is offered until `publish` answers `Ok`: again after an error or a panic, after the waits of the
/// builder's `backoff`, and the error policy hears of the first. An outlet that can never take some signal answers `Ok` and puts
/// it aside. With a store, a signal that was not taken when the server ended is offered by the next one, **with the same id**.
///
/// While it is busy at most [`OUTLET_CAPACITY`] wait, and then the agent waits too. It must not call its own server.
pub trait Outlet: Send + Sync + 'static {
    /// Takes one.
    fn publish(&self, outgoing: Outgoing) -> Published<'_>;
}

/// Whether it was taken.
pub type Published<'a> = Pin<Box<dyn Future<Output = Result<(), HookError>> + Send + 'a>>;

/// How much waits for an outlet before the agent does.
pub const OUTLET_CAPACITY: usize = 1024;

impl<T: Outlet + ?Sized> Outlet for Arc<T> {
    fn publish(&self, outgoing: Outgoing) -> Published<'_> {
        (**self).publish(outgoing)
    }
}
