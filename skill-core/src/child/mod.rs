//! Children: tasks that a skill needs next to its served agent. This module describes children. The process layer runs them.

mod context;
mod host;
mod spec;
mod testing;

pub use context::ChildContext;
pub use host::{ChildHost, ChildRequestError, ChildSendError, ChildStop};
pub use spec::{ChildFuture, ChildSpec, Restart, Shutdown};
pub use testing::ChildTest;

use std::pin::Pin;

/// A boxed future, as returned by methods of object-safe traits.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
