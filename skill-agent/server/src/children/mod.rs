//! The children of a served agent: background tasks that its skills declare. They start in the given order, are restarted when they
//! end, and stop in reverse order, as under an OTP supervisor.
//!
//! A server owns one [`Supervisor`] and selects on its [`next_event`](Supervisor::next_event). The supervisor itself has no task:
//! restarts happen only while `next_event` is polled.

mod child;
mod error;
mod event;
mod limits;
mod restart;
mod stop;
mod supervisor;

pub(crate) mod host;
#[cfg(test)]
mod tests;

pub use error::ChildError;
pub use event::{ChildEvent, ExitReason, RestartLimitExceeded};
pub use limits::{Backoff, RestartLimits};
pub use stop::StopReport;
pub use supervisor::{ChildStats, Supervisor};
