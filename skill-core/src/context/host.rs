//! The interface between a running async action and its server.

use serde_json::Value;
use std::future::Future;
use std::pin::Pin;

/// The server side of a running async action. It implements `progress` and `cancelled` of the action's context.
pub trait ActionHost: Send + Sync {
    /// Forwards the action's progress. `skill` is the instance's name.
    fn progress(&self, skill: &str, value: Value);

    /// Returns whether the caller has stopped waiting.
    fn is_cancelled(&self) -> bool;

    /// Completes when the caller has stopped waiting.
    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
