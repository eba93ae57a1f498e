//! A server's settings, collected by its builder.

use crate::children::{Backoff, RestartLimits};
use crate::clock::{Clock, SystemClock};
use crate::guard::{APPROVER_TIME_LIMIT, Approver, GuardPolicy};
use crate::journal::{RecoveryOptions, VerifyRecords};
use crate::signals::signal_sink::SignalSink;
use crate::signals::subscription::{Hub, SUBSCRIPTION_CAPACITY};
use skill_agent_store::Store;
use skill_core::process::{
    ActionHost, ActionId, AsyncFuture, AsyncInput, CallFailure, CommandMeta,
};
use skill_core::routing::PatternError;
use skill_core::{Agent, ChildSpec, Pattern};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The default capacity of the mailbox, in messages.
pub const MAILBOX_CAPACITY: usize = 1024;

/// The default maximum number of async actions that run at the same time.
pub const CONCURRENT_ACTIONS: usize = 64;

/// The default grace period.
pub(crate) const DEFAULT_GRACE: Duration = Duration::from_secs(5);

/// How the server handles errors that no caller waits for, such as a [`Directive::Error`](skill_core::Directive::Error), a failed
/// `Run`, or a failed signal that was sent without waiting for a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorPolicy {
    /// Logs the error with `tracing`, at the level `error`.
    #[default]
    Log,
    /// Logs the error, and emits a signal `agent.error` with the message.
    Emit,
    /// Logs the error, and stops the server.
    Stop,
}

/// Starts an async action with a snapshot of the agent and the server's resources. Returns `None` for a pure action.
pub(crate) type AsyncStarter<G> = Arc<
    dyn Fn(
            &G,
            ActionId,
            AsyncInput,
            &Arc<CommandMeta>,
            Arc<dyn ActionHost>,
        ) -> Option<Result<AsyncFuture, CallFailure>>
        + Send
        + Sync,
>;

/// An invalid pattern that was passed to the builder.
pub(crate) struct InvalidPattern {
    /// The builder's method.
    pub(crate) method: &'static str,
    pub(crate) error: PatternError,
}

/// All settings of a builder, except for the agent and its resources.
pub(crate) struct Settings<G: Agent> {
    pub(crate) store: Option<Box<dyn Store>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) guard: GuardPolicy,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) approver_time_limit: Duration,
    pub(crate) approval_secret: Option<Vec<u8>>,
    pub(crate) signal_sink: Option<Arc<dyn SignalSink>>,
    pub(crate) hub: Hub,
    pub(crate) error_policy: ErrorPolicy,
    pub(crate) loopback: Vec<Pattern>,
    /// The first invalid pattern, which `start` reports.
    pub(crate) invalid_pattern: Option<InvalidPattern>,
    pub(crate) mailbox: usize,
    pub(crate) subscription: usize,
    pub(crate) concurrency: usize,
    pub(crate) time_limit: Duration,
    pub(crate) grace: Duration,
    pub(crate) restart_limits: RestartLimits,
    pub(crate) backoff: Backoff,
    pub(crate) children: Vec<ChildSpec>,
    /// The resources shared with the children: an `Arc<T>` for each type `T`, by its `TypeId`.
    pub(crate) shared: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
    pub(crate) recovery: RecoveryOptions,
    /// Whether the log of an agent that changes nothing stays empty.
    pub(crate) leaves_empty_log: bool,
    pub(crate) trace_payloads: bool,
    pub(crate) verify_records: VerifyRecords,
    /// The `source` of the signals that the agent emits.
    pub(crate) source: String,
    pub(crate) starter: Option<AsyncStarter<G>>,
}

impl<G: Agent> Settings<G> {
    pub(crate) fn new(agent: &G) -> Self {
        let name = G::SPEC.name;
        Self {
            store: None,
            clock: Arc::new(SystemClock),
            guard: GuardPolicy::default(),
            approver: None,
            approver_time_limit: APPROVER_TIME_LIMIT,
            approval_secret: None,
            signal_sink: None,
            hub: Hub::default(),
            error_policy: ErrorPolicy::default(),
            loopback: Vec::new(),
            invalid_pattern: None,
            mailbox: MAILBOX_CAPACITY,
            subscription: SUBSCRIPTION_CAPACITY,
            concurrency: CONCURRENT_ACTIONS,
            time_limit: Duration::from_secs(60),
            grace: DEFAULT_GRACE,
            restart_limits: RestartLimits::default(),
            backoff: Backoff::default(),
            children: Vec::new(),
            shared: HashMap::new(),
            recovery: RecoveryOptions::default(),
            leaves_empty_log: false,
            trace_payloads: false,
            verify_records: VerifyRecords::default(),
            source: match agent.id() {
                Some(id) => format!("/{name}/{id}"),
                None => format!("/{name}"),
            },
            starter: None,
        }
    }
}
