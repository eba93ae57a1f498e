//! Calls hooks as steps of a transaction.

use crate::agent::run::transaction::{MetaRef, SavedState, Transaction};
use crate::hooks::{HookAnswer, HookRequest};
use crate::{Agent, Handled, HookError, Signal, Start};
use serde_json::Value;

impl<G: Agent> Transaction<'_, G> {
    /// Calls a skill's `on_mount`.
    ///
    /// # Errors
    /// Returns the hook's error. The hook has then changed and queued nothing.
    pub fn on_mount(
        &mut self,
        skill: usize,
        start: Start,
        meta: MetaRef<'_>,
    ) -> Result<(), HookError> {
        self.hook(skill, HookRequest::Mount(start), meta).map(drop)
    }

    /// Calls a skill's `prepare_signal`.
    ///
    /// # Errors
    /// Returns the hook's error. The hook has then changed and queued nothing.
    pub fn prepare(
        &mut self,
        skill: usize,
        signal: Signal,
        meta: MetaRef<'_>,
    ) -> Result<Signal, HookError> {
        match self.hook(skill, HookRequest::Prepare(signal), meta)? {
            HookAnswer::Prepared(signal) => Ok(signal),
            other => unreachable!("a signal is prepared, not {other:?}"),
        }
    }

    /// Calls a skill's `handle_signal`.
    ///
    /// # Errors
    /// Returns the hook's error. The hook has then changed and queued nothing.
    pub fn handle(
        &mut self,
        skill: usize,
        signal: &Signal,
        meta: MetaRef<'_>,
    ) -> Result<Handled, HookError> {
        match self.hook(skill, HookRequest::Handle(signal), meta)? {
            HookAnswer::Handled(handled) => Ok(handled),
            other => unreachable!("a signal is handled, not {other:?}"),
        }
    }

    /// Calls a skill's `transform_result`.
    ///
    /// # Errors
    /// Returns the hook's error. The hook has then changed and queued nothing.
    pub fn transform(
        &mut self,
        skill: usize,
        signal: &Signal,
        result: Result<Value, HookError>,
        meta: MetaRef<'_>,
    ) -> Result<Value, HookError> {
        match self.hook(skill, HookRequest::Transform(signal, result), meta)? {
            HookAnswer::Transformed(value) => Ok(value),
            other => unreachable!("a result is transformed, not {other:?}"),
        }
    }

    /// Calls a hook, or returns its default answer if the skill has no hooks. If the hook did not change the state, the state is
    /// not saved, so nothing is recorded for the hook.
    fn hook(
        &mut self,
        skill: usize,
        request: HookRequest<'_>,
        meta: MetaRef<'_>,
    ) -> Result<HookAnswer, HookError> {
        let slot = &G::__slots()[skill];
        let Some(hooks) = &slot.skill.hooks else {
            return request.default_answer();
        };
        let (state, env) = self.agent.__parts_mut();
        let parts = slot.parts(env, meta);
        let (answer, new) = (hooks.call)((slot.of)(state), parts, request, &mut self.queued)?;
        if let Some(mut new) = new {
            slot.put(state, &mut new);
            self.keep(SavedState::of_skill(slot, new));
        }
        self.apply_mounts().map_err(HookError::of_mount)?;
        Ok(answer)
    }
}
