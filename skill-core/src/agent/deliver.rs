//! Signals for the hooks of an agent, without a server.

use super::transaction::Transaction;
use crate::context::Occasion;
use crate::process::in_requirement_order;
use crate::routing::wants;
use crate::{Agent, DeliverError, Directive, Handled, Signal};
use std::sync::Arc;

/// `Agent::deliver`: the agent's own hooks, those of its skills, and those of mounted ones.
pub(crate) fn deliver<G: Agent>(
    agent: &mut G,
    signal: &Signal,
) -> Result<Option<Vec<Directive>>, DeliverError> {
    let occasion = Arc::new(Occasion {
        signal: Some(signal.clone()),
        ..Occasion::default()
    });
    let mut transaction = Transaction::begin(agent);
    match transaction.offer(signal, Some(&occasion))? {
        Handled::Done => Ok(Some(transaction.commit().1)),
        Handled::Ignored => Ok(None),
    }
}

impl<G: Agent> Transaction<'_, G> {
    /// Offers a signal to `Hooks::handle_signal` of each skill that wants it, in requirement order, until one
    /// handles it.
    ///
    /// # Errors
    /// The first error of a hook.
    pub(crate) fn offer(
        &mut self,
        signal: &Signal,
        occasion: Option<&Arc<Occasion>>,
    ) -> Result<Handled, DeliverError> {
        let anatomy = G::__anatomy();
        for place in in_requirement_order::<G>() {
            let spec = &anatomy.skills[place];
            if anatomy.slots[place].hooks.is_none() || !wants(spec, signal.ty()) {
                continue;
            }
            match self.handle(place, signal, occasion) {
                Ok(Handled::Done) => return Ok(Handled::Done),
                Ok(Handled::Ignored) => {}
                Err(source) => {
                    return Err(DeliverError::Hook {
                        skill: spec.name.into(),
                        source: source.into_inner(),
                    });
                }
            }
        }
        self.handle_mounted(signal, occasion)
    }
}
