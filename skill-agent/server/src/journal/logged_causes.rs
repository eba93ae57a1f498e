//! The causes of the directives in a log.

use super::{PendingDirective, PendingDirectives};
use crate::chain::{Cause, Chain};
use crate::turns::TurnId;
use skill_agent_store::{Logged, LoggedCause};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The causes in a log by id. Each has the highest follow-up count logged with any of its directives, including those already
/// done.
#[derive(Default)]
pub(super) struct LoggedCauses(HashMap<u64, LoggedCause>);

impl LoggedCauses {
    /// Records the cause of a logged directive.
    pub(super) fn see(&mut self, logged: &Logged) {
        if let Some(cause) = logged.cause {
            let latest = self.0.entry(cause.id).or_insert(cause);
            latest.follow_ups = latest.follow_ups.max(cause.follow_ups);
        }
    }

    /// Makes the pending directives of one cause share its count.
    pub(super) fn restore(self, pending: BTreeMap<u64, Logged>) -> PendingDirectives {
        let mut causes: HashMap<u64, Arc<Cause>> = HashMap::new();
        let mut restored = PendingDirectives::new();
        for (number, logged) in pending {
            let cause = logged.cause.map(|cause| {
                let latest = self.0.get(&cause.id).copied().unwrap_or(cause);
                let shared = causes.entry(cause.id);
                shared.or_insert_with(|| Cause::restored(latest)).clone()
            });
            let turn = logged.turn.as_deref().and_then(TurnId::of_text);
            let chain = Chain::restored(logged.hops, cause, turn);
            restored.insert(number, PendingDirective { logged, chain });
        }
        restored
    }
}
