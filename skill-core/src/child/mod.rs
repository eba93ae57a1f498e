//! Children: what a skill needs running beside its served agent, described here and run by the process layer.

mod context;
mod host;
mod spec;
mod testing;

pub use context::ChildContext;
pub use host::{ChildHost, ChildSendError, ChildStop};
pub use spec::{ChildFuture, ChildSpec, Restart, Shutdown};
pub use testing::ChildTest;

use std::pin::Pin;

/// A future behind a pointer: what traits answer that are used as `dyn`.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
