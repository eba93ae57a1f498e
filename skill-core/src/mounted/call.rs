//! Calls of mounted actions by name.

use super::{CallSource, Mounted};
use crate::action::Input;
use crate::composition::ActionId;
use crate::context::QueuedEffects;
use crate::error::LONGEST_NAME;
use crate::json::{as_value, nearest, shorten};
use crate::{ActionSpec, CallError, Instruction, Outcome, RunError};
use serde_json::Value;

impl Mounted {
    /// Runs an action of an enabled skill by name on the JSON text of its arguments; the answer is JSON text. As
    /// [`Agent::call`](crate::Agent::call).
    ///
    /// # Errors
    /// An unknown or internal action, wrong arguments, the action's own error, an answer that JSON cannot hold. Nothing has
    /// changed.
    pub fn call_json(
        &mut self,
        action: &str,
        arguments: &str,
    ) -> Result<Outcome<String>, CallError> {
        match self.action_id(action) {
            Some(id) => self.call_for(id, arguments, CallSource::default()),
            None => Err(self.unknown(action)),
        }
    }

    /// Runs instructions one after another: all of them, or none. Internal actions may be among them.
    ///
    /// # Errors
    /// The first that failed, and why; nothing has changed.
    pub fn run(&mut self, instructions: &[Instruction]) -> Result<Outcome<Vec<Value>>, RunError> {
        let mut undo = Undo {
            mounted: self,
            before: None,
        };
        let mut outputs = Vec::with_capacity(instructions.len());
        let mut queued = QueuedEffects::default();
        for (index, instruction) in instructions.iter().enumerate() {
            let output = undo.step(instruction, &mut queued);
            outputs
                .push(output.map_err(|source| RunError::at(index, &instruction.action, source))?);
        }
        undo.before = None;
        Ok(Outcome::new(outputs, queued.directives))
    }

    pub(crate) fn call_for(
        &mut self,
        id: ActionId,
        arguments: &str,
        caller: CallSource<'_>,
    ) -> Result<Outcome<String>, CallError> {
        let spec = self.action_spec(id);
        if spec.internal {
            return Err(CallError::Internal { action: spec.name });
        }
        let mut queued = QueuedEffects::default();
        let output = self.call_queueing(id, Input::Text(arguments), caller, &mut queued)?;
        self.apply_mounts(&mut queued);
        Ok(Outcome::new(output, queued.directives))
    }

    /// The places of an action and its skill.
    pub(crate) fn action_id(&self, action: &str) -> Option<ActionId> {
        let enabled = self.entries.iter().enumerate().filter(|(_, it)| it.enabled);
        enabled.into_iter().find_map(|(at, entry)| {
            let mut actions = entry.actions().iter();
            let index = actions.position(|spec| spec.name == action)?;
            Some(ActionId::new(at, index))
        })
    }

    /// The spec of an action at an address.
    pub(crate) fn action_spec(&self, id: ActionId) -> &'static ActionSpec {
        &self.entries[id.skill as usize].actions()[id.action as usize]
    }

    /// The actions of a mounted skill.
    pub(crate) fn actions_of(&self, skill: &str) -> Option<&'static [ActionSpec]> {
        Some(self.entries[self.find(skill)?].actions())
    }

    /// Calls an action, internal or not, and leaves it to the caller to grant what it wishes.
    pub(crate) fn call_queueing(
        &mut self,
        id: ActionId,
        input: Input<'_>,
        caller: CallSource<'_>,
        queued: &mut QueuedEffects,
    ) -> Result<String, CallError> {
        let call_env = caller.call_env(self.host.0.agent);
        let piece = self.entries[id.skill as usize].skill_mut();
        let piece = piece.expect("only skills have actions");
        let index = id.action as usize;
        let action = piece.spec().actions[index].name;
        let text = piece.call(index, input, call_env, queued);
        text.map_err(|failure| CallError::because(action, failure))
    }

    #[cold]
    fn unknown(&self, action: &str) -> CallError {
        let offered = self.enabled_actions().filter(|(_, spec)| !spec.internal);
        CallError::UnknownAction {
            agent: self.host.0.agent,
            action: shorten(action, LONGEST_NAME).into_owned(),
            suggestion: nearest(action, offered.map(|(_, spec)| spec.name)),
        }
    }
}

/// Mounted skills in the middle of a run; dropped there, by an error or by a panic, they are as they were.
struct Undo<'a> {
    mounted: &'a mut Mounted,
    /// Made before the first step that changes something: a state that a copy shares is copied before a call.
    before: Option<Mounted>,
}

impl Undo<'_> {
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
        let (input, caller) = (Input::Value(&instruction.params), CallSource::default());
        let text = self.mounted.call_queueing(id, input, caller, queued)?;
        if queued.has_mounts() {
            self.save();
            self.mounted.apply_mounts(queued);
        }
        as_value(&text).map_err(|source| CallError::Output {
            action: spec.name,
            source,
        })
    }

    fn save(&mut self) {
        self.before.get_or_insert_with(|| self.mounted.clone());
    }
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            *self.mounted = before;
        }
    }
}
