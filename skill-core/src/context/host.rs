//! The interface between a running async action and its server.

use serde_json::Value;
use std::future::Future;
use std::pin::Pin;

/// The server side of a running async action; implements `progress` and `cancelled` of its context.
pub trait ActionHost: Send + Sync {
    /// Forwards the progress of the action. `skill` is the name of the instance.
    fn progress(&self, skill: &str, value: Value);

    /// Whether the caller has stopped waiting.
    fn is_cancelled(&self) -> bool;

    /// Completes when the caller has stopped waiting.
    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
