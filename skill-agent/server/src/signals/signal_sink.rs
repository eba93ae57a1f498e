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
    /// A reply to the address in a signal's `replyto` extension.
    Reply {
        /// The `replyto` address.
        to: String,
        /// The reply signal.
        signal: Arc<Signal>,
    },
}

/// Receives an agent's outbound signals, in order and at least once each.
///
/// The server offers one signal at a time, until `publish` returns `Ok`. After an error or a panic, it waits as set by the
/// builder's `backoff`, and offers the signal again. The error policy applies to the first failure. If a sink can never take a
/// signal, it should store the signal elsewhere and return `Ok`. If there is a store, a signal that was not taken when the server
/// stopped is offered by the next server, **with the same id**. Without a store, it is lost.
///
/// Up to [`SIGNAL_SINK_CAPACITY`] signals can wait for the sink without delaying the agent. At this number, the agent waits for
/// room. A sink must not call its own server.
pub trait SignalSink: Send + Sync + 'static {
    /// Publishes one signal.
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_>;

    /// Returns the lane of a signal. Signals of one lane are published one after another, and lanes do not wait for each other.
    #[doc(hidden)]
    fn lane(&self, outbound: &OutboundSignal) -> Option<String> {
        let _ = outbound;
        None
    }
}

/// The future returned by [`SignalSink::publish`].
pub type PublishFuture<'a> = Pin<Box<dyn Future<Output = Result<(), HookError>> + Send + 'a>>;

/// The error of a sink that has given a signal up. The error policy applies, and the signal is not offered again.
#[doc(hidden)]
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct GivenUp(pub String);

/// The number of signals that can wait for a sink without delaying the agent.
pub const SIGNAL_SINK_CAPACITY: usize = 1024;

impl<T: SignalSink + ?Sized> SignalSink for Arc<T> {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        (**self).publish(outbound)
    }

    fn lane(&self, outbound: &OutboundSignal) -> Option<String> {
        (**self).lane(outbound)
    }
}
