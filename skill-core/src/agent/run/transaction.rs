//! Runs several steps on one agent, completely or not at all.

use crate::action::{Input, Request, Undo};
use crate::agent::mounting::apply_mounts;
use crate::agent::run::condition::check_condition;
use crate::agent::run::resolve::{ResolvedAction, check_current, resolve};
use crate::agent::slot::Slot;
use crate::agent::state::MOUNTED_KEY;
use crate::bounds::{SharedState, of, of_mut};
use crate::context::{CommandMeta, QueuedEffects, QueuedMount};
use crate::mounted::{MountError, Mounted, Serialized};
use crate::panics::Replaced;
use crate::{Agent, CallError, CallFailure, Directive, Instruction, RunError};
use erased_serde::Serialize;
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

/// The states from before a command, without the unchanged ones.
pub type Saved<G> = Vec<SavedState<G>>;

/// A state from before a command.
pub struct SavedState<G: Agent> {
    /// The skill's slot, or `None` for the mounted skills, which are saved together.
    slot: Option<&'static Slot<G>>,
    state: Replaced<SharedState>,
}

impl<G: Agent> SavedState<G> {
    pub(crate) fn of_skill(slot: &'static Slot<G>, state: SharedState) -> Self {
        Self {
            slot: Some(slot),
            state: Replaced::new(state),
        }
    }

    pub(crate) fn of_mounted(mounted: &Mounted) -> Self {
        Self {
            slot: None,
            state: Replaced::new(Arc::new(mounted.clone())),
        }
    }

    /// Returns the skill's state key; empty for the agent's own base fields, and a key of their own for the mounted skills.
    pub fn key(&self) -> &'static str {
        self.slot.map_or(MOUNTED_KEY, Slot::key)
    }

    /// Serializes the state with `write`.
    pub fn with_stored<T>(&self, write: impl FnOnce(&dyn Serialize) -> T) -> Option<T> {
        let saved = &**self.state.get()?;
        Some(match self.slot {
            Some(slot) => write((slot.skill.state.stored)(saved)),
            None => write(&Serialized(of(saved))),
        })
    }

    /// Restores the state.
    pub(crate) fn put_back(mut self, state: &mut G::State) {
        // a saved state has no other owner
        let Some(saved) = self.state.get_mut().and_then(Arc::get_mut) else {
            return;
        };
        match self.slot {
            Some(slot) => slot.swap(state, saved),
            None => {
                if let Some(mounted) = G::__mounted_mut(state) {
                    std::mem::swap(mounted, of_mut(saved));
                }
            }
        }
    }
}

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
    fn save(&mut self, slot: &'static Slot<G>) {
        if !self.is_saved(slot.key()) {
            let state = (slot.of)(self.agent.__parts().0);
            let copy = (slot.skill.state.copy)(state);
            self.saved.push(SavedState::of_skill(slot, copy));
        }
    }

    /// Saves the state with this key, as [`SavedState::key`] returns it, before it is replaced.
    pub fn save_state(&mut self, key: &str) {
        match G::__slots().iter().find(|slot| slot.key() == key) {
            Some(slot) => self.save(slot),
            None => _ = self.save_mounted(),
        }
    }

    /// Saves every state.
    pub fn save_all(&mut self) {
        for slot in G::__slots() {
            self.save(slot);
        }
        self.save_mounted();
    }

    /// Keeps a replaced state, unless the state is already saved. Only the oldest saved state is restored.
    pub(crate) fn keep(&mut self, saved: SavedState<G>) {
        if !self.is_saved(saved.key()) {
            self.saved.push(saved);
        }
    }

    pub(crate) fn is_saved(&self, key: &str) -> bool {
        // a batch mostly meets the same key again
        let is_key = |saved: &str| std::ptr::eq(saved, key) || saved == key;
        self.saved.iter().any(|saved| is_key(saved.key()))
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

    /// Like [`call_current`](Self::call_current), but checks the action's condition first.
    ///
    /// # Errors
    /// Also fails if the condition refuses the call.
    pub fn call_checked(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<Value, CallError> {
        check_current(self.agent, action)?;
        check_condition(self.agent, action)?;
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
        let text = if action.is_mounted {
            self.call_mounted(action, input, meta)
        } else {
            self.call_listed(action, input, meta)
        };
        let text = text.map_err(|failure| failure.with_action(action.spec.name))?;
        match self.apply_mounts() {
            Ok(()) => Ok(text),
            Err(error) => Err(CallFailure::Mount(error).with_action(action.spec.name)),
        }
    }

    #[inline]
    fn call_listed(
        &mut self,
        action: ResolvedAction,
        input: Input<'_>,
        meta: MetaRef<'_>,
    ) -> Result<String, CallFailure> {
        let slot = &G::__slots()[action.id.skill as usize];
        if action.spec.changes {
            self.save(slot);
        }
        let (state, env) = self.agent.__parts_mut();
        let parts = slot.parts(env, meta);
        let mut request = Request {
            cx: &parts,
            input,
            undo: Undo::None,
        };
        let index = action.id.action as usize;
        (slot.call)(state, index, &mut request, &mut self.queued)
    }

    /// Adds the steps of a different transaction on the same agent to this one.
    pub fn absorb(&mut self, saved: Saved<G>, directives: Vec<Directive>) {
        for saved in saved {
            self.keep(saved);
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
        for saved in self.saved.drain(..) {
            saved.put_back(state);
        }
    }
}
