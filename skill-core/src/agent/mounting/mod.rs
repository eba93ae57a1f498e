//! Mounted skills in a transaction. They are saved together as one state.

mod apply;

pub(super) use apply::{apply_mounts, apply_mounts_or_report};

use super::state::MOUNTED_KEY;
use crate::action::{Input, Undo};
use crate::agent::run::resolve::{IS_MOUNTED, ResolvedAction};
use crate::agent::run::transaction::{MetaRef, SavedState, Transaction};
use crate::context::{CommandMeta, MountOp};
use crate::mounted::{CallSource, MountError, Mounted, Registry};
use crate::{Agent, CallFailure, DeliverError, Handled, Signal};
use std::sync::Arc;

impl<G: Agent> Transaction<'_, G> {
    /// Saves the mounted skills. Returns whether this transaction had not saved them before.
    pub(super) fn save_mounted(&mut self) -> bool {
        let mounted = G::__mounted(self.agent.__parts().0);
        let Some(mounted) = mounted.filter(|_| !self.is_saved(MOUNTED_KEY)) else {
            return false;
        };
        let saved = SavedState::of_mounted(mounted);
        self.saved.push(saved);
        true
    }

    /// Runs a mounted skill's action. The mounted skills are saved only if the action can change state or mounts something.
    #[cold]
    pub(super) fn call_mounted(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<String, CallFailure> {
        if action.spec.changes {
            self.save_mounted();
        }
        let (state, env) = self.agent.__parts_mut();
        let source = CallSource { id: env.id(), meta };
        let mounted = G::__mounted_mut(state).expect(IS_MOUNTED);
        mounted.call(action.id, input, source, Undo::None, &mut self.queued)
    }

    /// Performs a mount operation.
    ///
    /// # Errors
    /// Fails if the operation fails, or if the agent has no `mounted: [...]`.
    pub fn mount(&mut self, op: &MountOp) -> Result<(), MountError> {
        let Some(mut mounted) = G::__mounted(self.agent.__parts().0).cloned() else {
            return Err(MountError::mounts_none(G::SPEC.name, op.skill()));
        };
        let directives = mounted.apply_op(op)?;
        self.save_mounted();
        if let Some(present) = G::__mounted_mut(self.agent.__parts_mut().0) {
            *present = mounted;
        }
        self.queued.directives.extend(directives);
        Ok(())
    }

    /// Offers a signal to the mounted skills.
    ///
    /// # Errors
    /// Returns the first hook error.
    pub fn handle_mounted(
        &mut self,
        signal: &Signal,
        meta: Option<&Arc<CommandMeta>>,
    ) -> Result<Handled, DeliverError> {
        if G::__mounted(self.agent.__parts().0).is_none_or(Mounted::is_empty) {
            return Ok(Handled::Ignored);
        }
        let is_first = self.save_mounted();
        let (state, env) = self.agent.__parts_mut();
        let id = env.id();
        let caller = CallSource { id, meta };
        let mounted = G::__mounted_mut(state)
            .expect("an agent whose mounted skills are not empty can mount skills");
        let delivered = mounted.deliver_for(signal, caller);
        if is_first && !matches!(delivered, Ok(Some(_))) {
            // a hook that ignored the signal or failed has changed nothing
            self.saved.pop();
        }
        match delivered? {
            Some(mut queued) => {
                self.queued.directives.append(&mut queued.directives);
                let mounts = queued.take_mounts();
                self.mount_queued(mounts).map_err(DeliverError::Mount)?;
                Ok(Handled::Done)
            }
            None => Ok(Handled::Ignored),
        }
    }
}

impl Mounted {
    /// Also checks names, state keys and tools against the agent `G`, and lets mounted skills require the agent's skills.
    #[must_use]
    pub fn for_agent<G: Agent>(self) -> Self {
        self.with_host(G::__tables())
    }

    /// Creates the empty collection of mounted skills for a new agent.
    #[doc(hidden)]
    pub fn __of_agent<G: Agent>() -> Self {
        let mountable = G::__mountable().unwrap_or_default();
        Self::with_registry(Registry::from_static(mountable)).for_agent::<G>()
    }
}
