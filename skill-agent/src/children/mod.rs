//! The children of a served agent: tasks that its skills declare, started in order, watched, and stopped in the reverse
//! order (seed 001, `child_spec/1`; the rules are those of OTP's supervisors).
//!
//! A server owns one [`Supervisor`] and selects on its [`next_event`](Supervisor::next_event). Nothing here runs by itself:
//! a child that ended is started again while somebody waits for the next event.

mod child;
mod error;
mod event;
mod limits;
mod restart;
mod stop;
mod supervisor;

#[cfg(test)]
mod tests;

pub use error::ChildError;
pub use event::{ChildEvent, ExitReason, RestartStorm};
pub use limits::{Backoff, RestartLimits};
pub use stop::StopReport;
pub use supervisor::{ChildStats, Supervisor};
