//! Traits through which a child uses the process layer. This crate has no tasks and no mailbox.

use super::BoxFuture;
use crate::Signal;
use serde_json::Value;
use std::any::{Any, TypeId};
use std::error::Error;

/// A child's server. Implemented by the process layer; skills use it through [`ChildContext`](super::ChildContext).
pub trait ChildHost: Send + Sync + 'static {
    /// Returns the agent's name.
    fn agent_name(&self) -> &str;

    /// Returns the agent's id.
    fn agent_id(&self) -> Option<&str>;

    /// Puts a signal from the child `child` into the agent's mailbox, if the mailbox has room.
    ///
    /// # Errors
    /// Fails if the mailbox is full or the agent has stopped.
    fn send(&self, child: &str, signal: Signal) -> Result<(), ChildSendError>;

    /// Puts a signal from the child `child` into the agent's mailbox as soon as there is room.
    fn deliver(&self, child: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>>;

    /// Puts a signal from the child `child` into the agent's mailbox as soon as there is room, and waits for the response.
    fn request(&self, child: &str, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>>;

    /// Returns the resource of the type with the id `of`. For a type `T`, the value is an `Arc<T>`.
    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        let _ = of;
        None
    }
}

/// The stop request for one run of a child.
pub trait ChildStop: Send + Sync + 'static {
    /// Returns whether the child was asked to stop.
    fn is_stopping(&self) -> bool;

    /// Completes when the child is asked to stop, or at once if that has already happened.
    fn stopped(&self) -> BoxFuture<()>;
}

/// The error returned when a child cannot send a signal to its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ChildSendError {
    /// The mailbox is full. `deliver` would wait for room.
    #[error("the mailbox of the agent is full")]
    Full,
    /// The agent has stopped.
    #[error("the agent has stopped")]
    Stopped,
}

/// The error returned when a child's request to its agent fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChildRequestError {
    /// The agent stopped before it received the request.
    #[error("the agent has stopped")]
    Stopped,
    /// The agent received the request and did not answer it. The source is the process layer's error, a
    /// `ServeError<SignalError>`.
    #[error("the request failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}
