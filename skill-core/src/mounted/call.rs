//! Calls mounted actions by name.

use super::{CallSource, Mountable, Mounted, MountedSkill};
use crate::action::{ErasedAction, Input, Undo};
use crate::composition::ActionId;
use crate::context::QueuedEffects;
use crate::mounted::rules::entry_meta::has_tool;
use crate::{ActionSpec, CallError, CallFailure, Instruction, Outcome, RunError, SkillSpec};
use serde_json::Value;
use skill_agent_grammar::nearest_within;
use skill_agent_schema::{as_value, shorten_name};
use std::any::TypeId;
use std::borrow::Cow;

impl Mounted {
    /// Runs an enabled skill's action by name with its arguments as JSON text, and returns its output as JSON text. Like
    /// [`Agent::call_json`](crate::Agent::call_json).
    ///
    /// # Errors
    /// Fails if the action is unknown or internal, if its condition refuses the call, if the arguments are invalid, if the action
    /// fails, or if JSON cannot represent its output. Nothing has changed.
    ///
    /// # Panics
    /// Panics if the action or its condition panics. The skill then keeps the changes made before the panic; [`run`](Self::run)
    /// undoes such changes.
    pub fn call_json(
        &mut self,
        action: &str,
        arguments: &str,
    ) -> Result<Outcome<String>, CallError> {
        let Some(id) = self.action_id(action) else {
            return Err(self.unknown(action));
        };
        let spec = self.action_spec(id);
        if spec.internal {
            return Err(CallError::Internal { action: spec.name });
        }
        let checked = self.check_condition(id);
        checked.map_err(|reason| CallError::NotNow {
            action: spec.name,
            reason,
        })?;
        let mut queued = QueuedEffects::default();
        let input = Input::Text(arguments);
        let output = self.call(id, input, CallSource::default(), Undo::Copy, &mut queued);
        let output = output.map_err(|failure| failure.with_action(spec.name))?;
        self.apply_mounts_or_report(&mut queued);
        Ok(Outcome::new(output, queued.directives))
    }

    /// Runs instructions one after another: all of them succeed, or none takes effect. They may name internal actions.
    ///
    /// # Errors
    /// Returns the first failed instruction and its error. Nothing has changed.
    pub fn run(&mut self, instructions: &[Instruction]) -> Result<Outcome<Vec<Value>>, RunError> {
        let mut run = PendingRun {
            mounted: self,
            before: None,
        };
        let mut outputs = Vec::with_capacity(instructions.len());
        let mut queued = QueuedEffects::default();
        for (index, instruction) in instructions.iter().enumerate() {
            let output = run.step(instruction, &mut queued);
            outputs
                .push(output.map_err(|source| RunError::new(index, &instruction.action, source))?);
        }
        run.before = None;
        Ok(Outcome::new(outputs, queued.directives))
    }

    /// Finds an enabled skill's action by name.
    pub(crate) fn action_id(&self, action: &str) -> Option<ActionId> {
        self.find_action(action, true)
    }

    /// Returns the error for a disabled skill's action, or `None` if no disabled skill has the action.
    #[cold]
    pub(crate) fn disabled(&self, action: &str) -> Option<CallError> {
        let id = self.find_action(action, false)?;
        Some(CallError::Disabled {
            skill: self.skill_spec(id).name,
            action: self.action_spec(id).name,
        })
    }

    /// Finds an enabled or disabled skill's action by name.
    fn find_action(&self, action: &str, enabled: bool) -> Option<ActionId> {
        let entries = self.entries.iter().enumerate();
        let mut entries = entries.filter(|(_, entry)| entry.enabled == enabled);
        entries.find_map(|(at, entry)| {
            let mut actions = entry.actions().iter();
            let index = actions.position(|spec| spec.name == action)?;
            Some(ActionId::new(at, index))
        })
    }

    /// Returns an action's spec.
    pub(crate) fn action_spec(&self, id: ActionId) -> &'static ActionSpec {
        &self.entries[id.skill as usize].actions()[id.action as usize]
    }

    /// Returns the spec of an action's skill.
    pub(crate) fn skill_spec(&self, id: ActionId) -> &'static SkillSpec {
        self.skill_at(id).spec()
    }

    /// Returns the type of an action's skill.
    pub(crate) fn skill_type(&self, id: ActionId) -> TypeId {
        self.skill_at(id).skill_type()
    }

    fn skill_at(&self, id: ActionId) -> &MountedSkill {
        let skill = self.entries[id.skill as usize].skill();
        skill.expect("only skills have actions")
    }

    /// Returns the actions of a mounted and enabled skill.
    pub(crate) fn actions_of(&self, skill: &str) -> Option<&'static [ActionSpec]> {
        let entry = &self.entries[self.find(skill)?];
        entry.enabled.then(|| entry.actions())
    }

    /// Reads an action's arguments. The action may be internal.
    pub(crate) fn read(&self, id: ActionId, input: Input<'_>) -> Result<ErasedAction, CallError> {
        let skill = self.skill_at(id);
        let index = id.action as usize;
        let action = skill.spec().actions[index].name;
        let read = skill.read(index, input);
        read.map_err(|error| CallFailure::from(error).with_action(action))
    }

    /// Checks an action's condition.
    pub(crate) fn check_condition(&self, id: ActionId) -> Result<(), Cow<'static, str>> {
        self.skill_at(id).check_condition(id.action as usize)
    }

    /// Calls an action, which may be internal. The caller must apply the queued mounts.
    pub(crate) fn call(
        &mut self,
        id: ActionId,
        input: Input<'_>,
        source: CallSource<'_>,
        undo: Undo,
        queued: &mut QueuedEffects,
    ) -> Result<String, CallFailure> {
        let host = (self.host.0.agent, source);
        let skill = self.entries[id.skill as usize].skill_mut();
        let skill = skill.expect("only skills have actions");
        skill.call(id.action as usize, input, host, undo, queued)
    }

    #[cold]
    fn unknown(&self, action: &str) -> CallError {
        if let Some(disabled) = self.disabled(action) {
            return disabled;
        }
        let offered = self.enabled_actions().filter(|(_, spec)| !spec.internal);
        let offered: Vec<&str> = offered.map(|(_, spec)| spec.name).collect();
        CallError::UnknownAction {
            agent: self.host.0.agent,
            action: shorten_name(action).into_owned(),
            suggestion: nearest_within(action, offered),
            unmounted: self.unmounted_with(action),
        }
    }

    /// Returns the name of an unmounted skill in the registry that has the action as a tool.
    pub(crate) fn unmounted_with(&self, action: &str) -> Option<&'static str> {
        let mut entries = self.registry.entries().iter();
        let has_action = |entry: &&Mountable| has_tool(entry.spec.actions, action);
        let found = entries.find(|entry| has_action(entry) && !self.is_mounted(entry.spec.name));
        found.map(|entry| entry.spec.name)
    }
}

/// A run of several instructions in progress. If it is dropped early, because of an error or a panic, the steps are undone.
struct PendingRun<'a> {
    mounted: &'a mut Mounted,
    /// A copy of the mounted skills from before the first step that changes something. The copy is made as late as possible,
    /// because a state that is shared with a copy must be cloned before a call.
    before: Option<Mounted>,
}

impl PendingRun<'_> {
    fn step(
        &mut self,
        instruction: &Instruction,
        queued: &mut QueuedEffects,
    ) -> Result<Value, CallError> {
        let Some(id) = self.mounted.action_id(&instruction.action) else {
            return Err(self.mounted.unknown(&instruction.action));
        };
        let spec = self.mounted.action_spec(id);
        if spec.changes {
            self.save();
        }
        let (input, source) = (Input::Value(&instruction.params), CallSource::default());
        let text = self.mounted.call(id, input, source, Undo::None, queued);
        let value = text.and_then(|text| {
            if queued.has_mounts() {
                self.save();
                let applied = self.mounted.apply_mounts(queued);
                applied.map_err(|failure| CallFailure::Mount(failure.error))?;
            }
            as_value(&text).map_err(CallFailure::Output)
        });
        value.map_err(|failure| failure.with_action(spec.name))
    }

    fn save(&mut self) {
        self.before.get_or_insert_with(|| self.mounted.clone());
    }
}

impl Drop for PendingRun<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            *self.mounted = before;
        }
    }
}
