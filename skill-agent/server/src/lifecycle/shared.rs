//! The state that a server's handles and its task share.

use crate::clock::CaughtClock;
use crate::journal::Recovery;
use crate::lifecycle::stop_reason::{ServerEnd, StopReason};
use crate::mailbox::shutdown::StopFlag;
use crate::signals::misspelled::PatternWarnings;
use crate::signals::subscription::Hub;
use crate::stats::Counters;
use skill_core::Agent;
use skill_core::process::{self, InstanceTools};
use skill_core::spec::AgentSpec;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::watch;

/// The state that the handles and the server task share.
pub(crate) struct Shared {
    pub(crate) agent: AgentFacts,
    pub(crate) hub: Arc<Hub>,
    pub(crate) counters: Counters,
    pub(crate) clock: CaughtClock,
    pub(crate) stop_flag: StopFlag,
    pub(crate) closed: watch::Receiver<Option<ServerEnd>>,
    pub(crate) recovery: Recovery,
    pub(crate) has_store: bool,
    /// Whether another crate owns the rows in the log.
    pub(crate) rows_claim: Arc<AtomicBool>,
    /// How long running work may continue after a deadline or a stop.
    pub(crate) grace: Duration,
    /// The capacity of a subscription, in signals.
    pub(crate) subscription: usize,
    pub(crate) pattern_warnings: PatternWarnings,
}

impl Shared {
    /// Waits until the server has stopped and released its store.
    pub(crate) async fn ended(&self) -> ServerEnd {
        let mut closed = self.closed.clone();
        let end = closed.wait_for(Option::is_some).await;
        let end = end.ok().and_then(|end| end.clone());
        end.unwrap_or_else(ServerEnd::lost)
    }

    /// Returns why the server has stopped, or `None` while it is running.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        let end = self.closed.borrow();
        end.as_ref().map(|end| end.reason.clone())
    }
}

/// Facts about the type of the agent, for handles without that type.
pub(crate) struct AgentFacts {
    pub(crate) spec: &'static AgentSpec,
    pub(crate) listed_tools: fn() -> Vec<InstanceTools>,
    pub(crate) is_async: fn(&str) -> bool,
    pub(crate) mounts: bool,
    pub(crate) has_hooks: bool,
    pub(crate) warn_of_pattern: fn(&PatternWarnings, &str),
}

impl AgentFacts {
    pub(crate) fn of<G: Agent>() -> Self {
        Self {
            spec: &G::SPEC,
            listed_tools: process::listed_tools::<G>,
            is_async: process::is_async::<G>,
            mounts: process::mounts::<G>(),
            has_hooks: process::any_has_hooks::<G>(),
            warn_of_pattern: PatternWarnings::warn_once::<G>,
        }
    }
}
