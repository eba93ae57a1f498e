//! Children: tasks that a skill needs next to its served agent. They are described here and run by the process layer.

mod context;
mod host;
mod spec;
mod testing;

pub use context::ChildContext;
pub use host::{ChildHost, ChildRequestError, ChildSendError, ChildStop};
pub use spec::{ChildFuture, ChildSpec, Restart, Shutdown};
pub use testing::ChildTest;

use std::pin::Pin;

/// A boxed future, as methods of object-safe traits return it.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
