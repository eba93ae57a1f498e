//! The server that owns an agent: one task, a bounded mailbox, calls and signals in, answers and directives out.
//!
//! [`AgentServer`] is the handle. What it does with a signal, in order (seed 001, "Callback Flow"): `prepare_signal` of every
//! skill whose `signals` match, the router, the instructions as one run, `transform_result`, the record, the answer, the
//! directives. Without a route, `handle_signal` of each skill until one handles it; what that hook wants to
//! [`run`](skill_core::Context::run) is run like routed instructions, and answers.
//!
//! Nothing of it changes what [`cmd`](skill_core::Agent::cmd) means.

mod ask;
mod builder;
mod closed;
mod error;
mod exchange;
mod guard;
mod handle;
mod host;
mod ids;
mod ledger;
mod letter;
mod life;
mod orders;
mod outlet;
mod owner;
pub(crate) mod panics;
mod plan;
mod press;
mod recent;
mod recovery;
mod schedule;
mod shared;
mod stats;
mod subscription;

pub use builder::{AgentServerBuilder, CONCURRENT_ACTIONS, ErrorPolicy, MAILBOX_CAPACITY};
pub use closed::StopReason;
pub use error::{
    CallJsonError, RecoveryError, ServeError, SetError, SignalError, StartError, ThenError,
};
pub use guard::{Approver, Attempt, Caller, ConfirmDestructive, Decision, Guard, Question};
pub use outlet::{OUTLET_CAPACITY, Outgoing, Outlet, Published};
pub use recovery::Recovery;
pub use stats::Stats;
pub use subscription::{SUBSCRIPTION_CAPACITY, Subscription};

pub(crate) use exchange::signal_letter;
pub use handle::AgentServer;
pub(crate) use shared::Shared;

/// How many commands may follow from one another, by `Run` and by signals that come back, before the chain is cut.
pub const MAX_HOPS: u32 = 32;
