//! Calls of mounted actions by name.

use super::{CallSource, Mounted, Wishes};
use crate::action::Input;
use crate::agent::{LONGEST_NAME, as_value};
use crate::json::{nearest, shorten};
use crate::{ActionSpec, CallError, Directive, Instruction, Outcome, RunError};
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
        match self.address(action) {
            Some(address) => self.call_for(address, arguments, CallSource::default()),
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
        let mut directives = Vec::new();
        for (index, instruction) in instructions.iter().enumerate() {
            let output = undo.step(instruction, &mut directives);
            outputs
                .push(output.map_err(|source| RunError::at(index, &instruction.action, source))?);
        }
        undo.before = None;
        Ok(Outcome::new(outputs, directives))
    }

    pub(crate) fn call_for(
        &mut self,
        address: (usize, usize),
        arguments: &str,
        caller: CallSource<'_>,
    ) -> Result<Outcome<String>, CallError> {
        let spec = self.action_at(address);
        if spec.internal {
            return Err(CallError::Internal { action: spec.name });
        }
        let mut directives = Vec::new();
        let output = self.call_at(address, Input::Text(arguments), caller, &mut directives)?;
        Ok(Outcome::new(output, directives))
    }

    /// The places of an action and its skill.
    pub(crate) fn address(&self, action: &str) -> Option<(usize, usize)> {
        let enabled = self.entries.iter().enumerate().filter(|(_, it)| it.enabled);
        enabled.into_iter().find_map(|(at, entry)| {
            let mut actions = entry.actions().iter();
            Some((at, actions.position(|spec| spec.name == action)?))
        })
    }

    /// The spec of an action at an address.
    pub(crate) fn action_at(&self, (skill, action): (usize, usize)) -> &'static ActionSpec {
        &self.entries[skill].actions()[action]
    }

    /// The actions of a mounted skill.
    pub(crate) fn actions_of(&self, skill: &str) -> Option<&'static [ActionSpec]> {
        Some(self.entries[self.find(skill)?].actions())
    }

    fn call_at(
        &mut self,
        address: (usize, usize),
        input: Input<'_>,
        caller: CallSource<'_>,
        directives: &mut Vec<Directive>,
    ) -> Result<String, CallError> {
        let wishes = Wishes::default();
        let text = self.call_wishing(address, input, caller, &wishes, directives)?;
        self.grant(wishes.take(), directives);
        Ok(text)
    }

    /// Calls an action, internal or not, and leaves it to the caller to grant what it wishes.
    pub(crate) fn call_wishing(
        &mut self,
        (at, index): (usize, usize),
        input: Input<'_>,
        caller: CallSource<'_>,
        wishes: &Wishes,
        directives: &mut Vec<Directive>,
    ) -> Result<String, CallError> {
        let call_env = caller.call_env(self.beside.agent, wishes);
        let piece = self.entries[at].skill_mut();
        let piece = piece.expect("an address is that of an action, and a document has none");
        let action = piece.spec().actions[index].name;
        let text = piece.call(index, input, call_env, directives);
        text.map_err(|failure| CallError::because(action, failure))
    }

    #[cold]
    fn unknown(&self, action: &str) -> CallError {
        let offered = self.enabled_actions().filter(|(_, spec)| !spec.internal);
        CallError::UnknownAction {
            agent: self.beside.agent,
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
        directives: &mut Vec<Directive>,
    ) -> Result<Value, CallError> {
        let Some(address) = self.mounted.address(&instruction.action) else {
            return Err(self.mounted.unknown(&instruction.action));
        };
        let spec = self.mounted.action_at(address);
        if spec.changes {
            self.save();
        }
        let (input, caller) = (Input::Value(&instruction.params), CallSource::default());
        let wishes = Wishes::default();
        let text = self
            .mounted
            .call_wishing(address, input, caller, &wishes, directives)?;
        let wishes = wishes.take();
        if !wishes.is_empty() {
            self.save();
            self.mounted.grant(wishes, directives);
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
