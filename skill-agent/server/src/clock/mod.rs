//! The server's source of time, which tests replace to decide when time passes.

mod caught;
#[cfg(any(test, feature = "testing"))]
mod manual;
mod system;

#[doc(hidden)]
pub use caught::CaughtClock;
#[cfg(any(test, feature = "testing"))]
pub use manual::ManualClock;
pub use system::SystemClock;

use skill_core::child::BoxFuture;
use std::fmt::Debug;
use std::time::{Duration, SystemTime};

/// The source of time for schedules, deadlines, backoff and the shutdown times of children.
///
/// [`SystemClock`] uses the machine's clock, whereas `testing::ManualClock` stands still until a test advances it.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Returns the wall-clock time, which may be set back while the program runs.
    fn now(&self) -> SystemTime;

    /// Completes after `duration`, counted from this call. Drop the future to stop waiting.
    fn sleep(&self, duration: Duration) -> BoxFuture<()>;
}
