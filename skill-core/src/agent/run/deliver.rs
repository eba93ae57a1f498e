//! Delivers signals to an agent's hooks, without a server.

use crate::agent::run::transaction::Transaction;
use crate::context::CommandMeta;
use crate::{Agent, DeliverError, Directive, Handled, Signal};
use std::sync::Arc;

/// Implements `Agent::deliver`.
pub(crate) fn deliver<G: Agent>(
    agent: &mut G,
    signal: &Signal,
) -> Result<Option<Vec<Directive>>, DeliverError> {
    let meta = CommandMeta::of_signal(signal);
    let mut transaction = Transaction::begin(agent);
    match transaction.offer(signal, Some(&meta))? {
        Handled::Done => Ok(Some(transaction.commit().1)),
        Handled::Ignored => Ok(None),
    }
}

impl<G: Agent> Transaction<'_, G> {
    /// Offers a signal to `Hooks::handle_signal` of each interested skill, in requirement order, until one handles it.
    ///
    /// # Errors
    /// Returns the first hook error.
    pub(crate) fn offer(
        &mut self,
        signal: &Signal,
        meta: Option<&Arc<CommandMeta>>,
    ) -> Result<Handled, DeliverError> {
        let tables = G::__tables();
        for skill in tables.requirement_order() {
            let spec = &tables.skills[skill];
            if G::__slots()[skill].skill.hooks.is_none() || !spec.wants(signal.ty()) {
                continue;
            }
            match self.handle(skill, signal, meta) {
                Ok(Handled::Done) => return Ok(Handled::Done),
                Ok(Handled::Ignored) => {}
                Err(error) => {
                    return Err(match error.__into_mount_error() {
                        Ok(error) => DeliverError::Mount(*error),
                        Err(source) => DeliverError::Hook {
                            skill: spec.name.into(),
                            source,
                        },
                    });
                }
            }
        }
        self.handle_mounted(signal, meta)
    }
}
