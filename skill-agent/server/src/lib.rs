//! A server owns an agent in one task. Calls and signals come in through a bounded mailbox, and outputs and directives go out.
//!
//! [`AgentServer`] is the handle to a server. For each signal, the server first calls `prepare_signal` of every skill whose
//! `signals` match, and then routes the signal. It runs the instructions as one transaction, calls `transform_result`, records
//! the changes, responds, and executes the directives. If no route matches, the server calls `handle_signal` of one skill after
//! another until a skill handles the signal. Actions that this hook queues with [`run`](skill_core::Context::run) run like routed
//! instructions, and their output is the response.
//!
//! [`cmd`](skill_core::Agent::cmd) has the same effect with and without a server.

mod builder;
mod chain;
pub mod children;
pub mod clock;
mod error;
mod guard;
mod handle;
mod idempotency;
mod ids;
mod journal;
pub(crate) mod lifecycle;
mod limits;
mod mailbox;
pub(crate) mod signals;
// rustc shows the name of this module in errors
#[doc(hidden)]
pub mod misused;
mod numbered;
mod owner;
mod panics;
mod preview;
mod progress;
mod rows;
mod stats;
mod turns;

pub use builder::{AgentServerBuilder, StartFuture};
pub use error::{
    Applied, CallJsonError, Deadlock, RecoveryError, RepeatError, SendError, ServeError, SetError,
    SignalError, StartError, ThenError,
};
pub use guard::{
    APPROVER_TIME_LIMIT, ApprovalRequest, Approver, Attempt, ConfirmDestructive, Decision, Guard,
    OPEN_APPROVALS, Verdict,
};
pub use handle::{
    AgentServer, AnyAgent, BoxFuture, CallerHandle, ErasedCallerHandle, ErasedResponseFuture,
    ErasedServer, ServerInstance,
};
pub use idempotency::CallKey;
pub use journal::{Recovery, VerifyRecords};
pub use lifecycle::settings::{CONCURRENT_ACTIONS, ErrorPolicy, MAILBOX_CAPACITY};
pub use lifecycle::stop_reason::StopReason;
pub use lifecycle::stop_report::StopReport;
pub use limits::{
    Limit, MAX_DIRECTIVES, MAX_FOLLOW_UPS, MAX_HOPS, MAX_KEY_BYTES, MAX_KEYS, MAX_SCHEDULES,
};
pub use mailbox::ResponseFuture;
pub use preview::{Preview, PreviewError};
pub use progress::{PROGRESS_CAPACITY, ProgressReceiver, ProgressSender, progress_channel};
pub use signals::signal_sink::{OutboundSignal, PublishFuture, SIGNAL_SINK_CAPACITY, SignalSink};
pub use signals::subscription::{SUBSCRIPTION_CAPACITY, Subscription};
pub use skill_core::{Caller, CallerKind, ForeignCaller};
pub use stats::Stats;

/// For the other crates of `skill-agent`. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::clock::CaughtClock;
    pub use crate::error::{NotAwake, with_reason};
    pub use crate::guard::{
        APPROVAL_SECRET_MIN, Asked, GuardPolicy, Rejection, Ruling, Seal, TOO_MANY_OPEN, ask, hex,
        new_secret, wrong_replacement,
    };
    pub use crate::handle::{ById, HandlesEnd, RowsClaim};
    pub use crate::idempotency::Decisions;
    pub use crate::ids::Ids;
    pub use crate::journal::{NotReadBack, Quoting, compare, millis, time};
    pub use crate::lifecycle::rest::{Idleness, Rest};
    pub use crate::limits::HELD_TIME;
    pub use crate::mailbox::{Lease, Started, Wake};
    pub use crate::not_read_by_for;
    pub use crate::panics::{catch, catch_async, drop_caught};
    pub use crate::rows::{GroupChange, Rows};
    pub use crate::signals::signal_sink::GivenUp;
    pub use crate::turns::{
        Changer, KEPT_TURN_BYTES, StateView, TurnEffect, TurnId, TurnsChange, TurnsError,
        TurnsRange, TurnsRestore, TurnsView,
    };
}
