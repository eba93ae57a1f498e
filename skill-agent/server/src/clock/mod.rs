//! Time, as a value that can be given: what a server waits for, a test can say has passed.

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

/// The source of time of the process layer, for schedules, deadlines, backoff and the stop times of children.
///
/// [`SystemClock`] is the machine's; `testing::ManualClock` stands still until it is advanced.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The wall-clock time. It may be set back while a program runs.
    fn now(&self) -> SystemTime;

    /// Completes after `duration`, counted from this call. Dropping the future is how one stops waiting.
    fn sleep(&self, duration: Duration) -> BoxFuture<()>;
}
