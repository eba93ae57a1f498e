//! The pending directives of a log.

use crate::chain::Chain;
use crate::turns::TurnId;
use skill_agent_store::{DecodeError, Logged, decode};
use skill_core::Directive;
use std::collections::BTreeMap;

/// Logged directives that are not done, by number.
pub(crate) type PendingDirectives = BTreeMap<u64, PendingDirective>;

/// A logged directive that is not done.
#[derive(Clone, Debug)]
pub(crate) struct PendingDirective {
    pub(crate) logged: Logged,
    /// The chain that the directive continues, or the default if it leads to no other command.
    pub(crate) chain: Chain,
}

impl PendingDirective {
    /// Returns the turn of a conversation that queued the directive, if any.
    pub(crate) fn turn(&self) -> Option<TurnId> {
        self.logged.turn.as_deref().and_then(TurnId::of_text)
    }

    /// Decodes the directive.
    pub(crate) fn directive(&self) -> Result<Directive, DecodeError> {
        decode(&self.logged.directive)
    }

    /// Returns the directive as it would be logged now. Other commands of its cause may have queued follow-ups in the meantime.
    pub(super) fn to_logged(&self) -> Logged {
        Logged {
            cause: self.chain.logged_cause(),
            ..self.logged.clone()
        }
    }
}
