//! Signals that leave the process.

use skill_core::{HookError, Signal};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A signal that leaves the agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OutboundSignal {
    /// A signal that the agent emitted.
    Emitted(Arc<Signal>),
    /// A reply to the address that a signal gave in its extension `replyto`.
    Reply {
        /// The address.
        to: String,
        /// The reply.
        signal: Arc<Signal>,
    },
}

/// Takes the signals that an agent emits, at least once and in order.
///
/// The server offers one signal at a time until `publish` returns `Ok`. After an error or a panic it waits, by the builder's
/// `backoff`, and offers the signal again; the error policy handles the first failure. A sink that can never take some signal
/// returns `Ok` and stores it elsewhere. With a store, a signal that was not taken when the server ended is offered by the
/// next server, **with the same id**.
///
/// At most [`SIGNAL_SINK_CAPACITY`] signals wait for the sink; the agent waits while there are more. A sink must not call its
/// own server.
pub trait SignalSink: Send + Sync + 'static {
    /// Publishes one signal.
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_>;
}

/// The future of [`SignalSink::publish`].
pub type PublishFuture<'a> = Pin<Box<dyn Future<Output = Result<(), HookError>> + Send + 'a>>;

/// How many signals wait for a sink before the agent waits.
pub const SIGNAL_SINK_CAPACITY: usize = 1024;

impl<T: SignalSink + ?Sized> SignalSink for Arc<T> {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        (**self).publish(outbound)
    }
}
