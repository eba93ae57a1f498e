//! Runs several steps on one agent, completely or not at all.

use crate::action::{Input, Request};
use crate::agent::mounting::apply_mounts;
use crate::agent::run::resolve::{ResolvedAction, check_current, resolve};
use crate::agent::slot::Undo;
use crate::context::{CommandMeta, QueuedEffects, QueuedMount};
use crate::mounted::MountError;
use crate::{Agent, CallError, CallFailure, Directive, Instruction, RunError};
use serde_json::Value;
use skill_agent_schema::as_value;
use std::sync::Arc;

/// A command with several steps in progress. If it is dropped before [`commit`](Self::commit), because of an error or a panic,
/// the steps are undone.
pub struct Transaction<'a, G: Agent> {
    pub(crate) agent: &'a mut G,
    /// The state of each changed skill, from before its first change.
    pub(crate) saved: Saved<G>,
    pub(crate) queued: QueuedEffects,
}

/// Saved states with their skills' state keys. The agent's own base fields have an empty key.
pub type Saved<G> = Vec<(&'static str, Undo<G>)>;

impl<'a, G: Agent> Transaction<'a, G> {
    /// Begins a transaction.
    pub fn begin(agent: &'a mut G) -> Self {
        Self {
            agent,
            saved: Vec::new(),
            queued: QueuedEffects::default(),
        }
    }

    /// Ends the transaction. Returns the replaced states and the queued directives.
    pub fn commit(mut self) -> (Saved<G>, Vec<Directive>) {
        (
            std::mem::take(&mut self.saved),
            std::mem::take(&mut self.queued.directives),
        )
    }

    /// Returns the agent in its current state.
    pub fn agent(&mut self) -> &mut G {
        self.agent
    }

    /// Returns the directives queued so far.
    pub fn directives(&mut self) -> &mut Vec<Directive> {
        &mut self.queued.directives
    }

    /// Saves a skill's state before it changes.
    fn save(&mut self, skill: u32) {
        let slot = &G::__slots()[skill as usize];
        self.save_as(slot.key, slot.save);
    }

    /// Saves every state.
    pub fn save_all(&mut self) {
        for skill in 0..G::__slots().len() {
            self.save(skill as u32);
        }
        if G::__mounted(self.agent.__parts().0).is_some() {
            self.save_mounted();
        }
    }

    /// Saves a state unless it is already saved. Returns whether this call saved it.
    pub(crate) fn save_as(&mut self, key: &'static str, save: fn(&G::State) -> Undo<G>) -> bool {
        let is_first = !self.is_saved(key);
        if is_first {
            self.saved.push((key, save(self.agent.__parts().0)));
        }
        is_first
    }

    /// Adds an undo for a replaced state, unless the state is already saved. Only the oldest saved state is restored.
    pub(crate) fn keep(&mut self, key: &'static str, undo: Undo<G>) {
        if !self.is_saved(key) {
            self.saved.push((key, undo));
        }
    }

    fn is_saved(&self, key: &str) -> bool {
        self.saved.iter().any(|(saved, _)| *saved == key)
    }

    /// Runs instructions one after another.
    ///
    /// # Errors
    /// Returns the first failed instruction and its error.
    pub fn run(
        &mut self,
        instructions: &[Instruction],
        meta: Option<&Arc<CommandMeta>>,
    ) -> Result<Vec<Value>, RunError> {
        let mut outputs = Vec::with_capacity(instructions.len());
        for (index, instruction) in instructions.iter().enumerate() {
            let output = self
                .step(&instruction.action, Input::Value(&instruction.params), meta)
                .map_err(|source| RunError::new(index, &instruction.action, source))?;
            outputs.push(output);
        }
        Ok(outputs)
    }

    /// Runs an action by name and returns its output as JSON.
    ///
    /// # Errors
    /// Fails if the action is unknown, if the arguments are invalid, if the action fails, or if a JSON value cannot represent its
    /// output.
    pub fn step(
        &mut self,
        action: &str,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<Value, CallError> {
        let action = resolve(self.agent, action)?;
        self.call_value(action, input, meta)
    }

    /// Runs a previously resolved action and returns its output as JSON.
    ///
    /// # Errors
    /// Fails for the same reasons as [`step`](Self::step), or if the action's skill has been replaced since.
    pub fn call_current(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<Value, CallError> {
        check_current(self.agent, action)?;
        self.call_value(action, input, meta)
    }

    fn call_value(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<Value, CallError> {
        let text = self.call(action, input, meta)?;
        as_value(&text).map_err(|source| CallError::Output {
            action: action.spec.name,
            source,
        })
    }

    /// Runs an action and returns its output as JSON text. The caller must refuse internal actions.
    ///
    /// # Errors
    /// Fails if the arguments are invalid, if the action fails, or if JSON cannot represent its output.
    pub fn call(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<String, CallError> {
        let ResolvedAction {
            id,
            spec,
            is_mounted,
            ..
        } = action;
        if is_mounted {
            return self.call_mounted(id, input, meta);
        }
        if spec.changes {
            self.save(id.skill);
        }
        let call = G::__slots()[id.skill as usize].call;
        let request = Request {
            input,
            meta,
            save: false,
        };
        let text = call(self.agent, id.action as usize, request, &mut self.queued)
            .map_err(|failure| failure.with_action(spec.name))?;
        self.apply_mounts()
            .map_err(|error| CallFailure::Mount(error).with_action(spec.name))?;
        Ok(text)
    }

    /// Adds the steps of a different transaction on the same agent to this one.
    pub fn absorb(&mut self, saved: Saved<G>, directives: Vec<Directive>) {
        for (key, undo) in saved {
            self.keep(key, undo);
        }
        self.queued.directives.extend(directives);
    }

    /// Applies the mounts queued by the last step.
    #[inline]
    pub(crate) fn apply_mounts(&mut self) -> Result<(), MountError> {
        if !self.queued.has_mounts() {
            return Ok(());
        }
        self.save_mounted();
        apply_mounts(self.agent, &mut self.queued).map_err(|failure| failure.error)
    }

    /// Applies the mounts queued by an action.
    ///
    /// # Errors
    /// Fails if a mount operation fails. The caller must then drop the transaction.
    pub fn mount_queued(&mut self, mounts: Vec<QueuedMount>) -> Result<(), MountError> {
        for mount in mounts {
            self.queued.push_mount(mount);
        }
        self.apply_mounts()
    }
}

/// The metadata of the command that a step belongs to.
pub type MetaRef<'a> = Option<&'a Arc<CommandMeta>>;

impl<G: Agent> Drop for Transaction<'_, G> {
    fn drop(&mut self) {
        let (state, _) = self.agent.__parts_mut();
        for (_, undo) in self.saved.drain(..) {
            undo(state);
        }
    }
}
