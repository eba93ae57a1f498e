//! What a child needs of the process layer. The pure layer has no tasks and no mailbox, so it names them by traits.

use super::BoxFuture;
use crate::Signal;
use std::any::{Any, TypeId};

/// What a server gives to its children. Implemented by the process layer; a skill meets it as [`ChildContext`](super::ChildContext).
pub trait ChildHost: Send + Sync + 'static {
    /// The name of the agent.
    fn agent_name(&self) -> &str;

    /// The id of the agent, where it was given one.
    fn agent_id(&self) -> Option<&str>;

    /// Puts a signal of the child `child` into the agent's mailbox, if there is room.
    ///
    /// # Errors
    /// When there is none, or the agent has stopped.
    fn send(&self, child: &str, signal: Signal) -> Result<(), ChildSendError>;

    /// Puts a signal of the child `child` into the agent's mailbox as soon as there is room.
    fn deliver(&self, child: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>>;

    /// The resource of the type `of`, as an `Arc<T>`, where `of` is the `TypeId` of `T`.
    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        let _ = of;
        None
    }
}

/// The wish that one run of a child should end.
pub trait ChildStop: Send + Sync + 'static {
    /// Whether it was said.
    fn is_stopping(&self) -> bool;

    /// Completes when it is said; at once if it was.
    fn stopped(&self) -> BoxFuture<()>;
}

/// Why a signal of a child did not reach its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ChildSendError {
    /// The mailbox has no room; `deliver` waits for it.
    #[error("the mailbox of the agent is full")]
    Full,
    /// Nobody reads it any more.
    #[error("the agent has stopped")]
    Stopped,
}
