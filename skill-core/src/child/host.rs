//! Traits for the parts of the process layer that a child needs. This crate has no tasks and no mailbox.

use super::BoxFuture;
use crate::Signal;
use serde_json::Value;
use std::any::{Any, TypeId};
use std::error::Error;

/// The server of a child. Implemented by the process layer; skills use it through [`ChildContext`](super::ChildContext).
pub trait ChildHost: Send + Sync + 'static {
    /// The name of the agent.
    fn agent_name(&self) -> &str;

    /// The id of the agent, if it has one.
    fn agent_id(&self) -> Option<&str>;

    /// Puts a signal of the child `child` into the agent's mailbox, if there is room.
    ///
    /// # Errors
    /// If there is no room, or if the agent has stopped.
    fn send(&self, child: &str, signal: Signal) -> Result<(), ChildSendError>;

    /// Puts a signal of the child `child` into the agent's mailbox as soon as there is room.
    fn deliver(&self, child: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>>;

    /// Puts a signal of the child `child` into the agent's mailbox as soon as there is room, and waits for the response.
    fn request(&self, child: &str, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>>;

    /// The resource of the type `T`, given its `TypeId`, as an `Arc<T>`.
    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        let _ = of;
        None
    }
}

/// The request to stop one run of a child.
pub trait ChildStop: Send + Sync + 'static {
    /// Whether the child was asked to stop.
    fn is_stopping(&self) -> bool;

    /// Completes when the child is asked to stop, or at once if it already was.
    fn stopped(&self) -> BoxFuture<()>;
}

/// The error of sending a signal from a child to its agent.
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

/// The error of a request of a child to its agent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChildRequestError {
    /// The agent has stopped before it took the request.
    #[error("the agent has stopped")]
    Stopped,
    /// The agent took the request and did not answer it. The source is the error of the process layer, a `ServeError<SignalError>`.
    #[error("the request failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}
