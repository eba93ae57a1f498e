//! The pending directives of a log.

use crate::chain::Chain;
use skill_agent_store::Logged;
use std::collections::BTreeMap;

/// Logged directives that are not done, by their numbers.
pub(crate) type PendingDirectives = BTreeMap<u64, PendingDirective>;

/// A logged directive that is not done.
#[derive(Clone, Debug)]
pub(crate) struct PendingDirective {
    pub(crate) logged: Logged,
    /// The chain that it goes on with; the default for a directive that leads to no other command.
    pub(crate) chain: Chain,
}

impl PendingDirective {
    /// The directive as it is logged now: other commands of its cause may have queued follow-ups since it was logged.
    pub(super) fn to_logged(&self) -> Logged {
        Logged {
            cause: self.chain.logged_cause(),
            ..self.logged.clone()
        }
    }
}
