//! What an async action tells its caller while it runs, and hears from it.

use serde_json::Value;
use std::future::Future;
use std::pin::Pin;

/// The line between a running async action and its server; behind `progress` and `cancelled` of a context.
pub trait ActionHost: Send + Sync {
    /// Passes on how far the action has come; `skill` is the name of the instance.
    fn progress(&self, skill: &str, value: Value);

    /// Whether nobody waits for the answer any more.
    fn is_cancelled(&self) -> bool;

    /// Ends when that is so.
    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
