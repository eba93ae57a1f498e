//! Calls by name.

use super::slot::Undo;
use crate::action::{Input, Request};
use crate::{Agent, CallError, Directive, Instruction, Outcome, RunError, Stamp, WriteError, json};
use serde_json::Value;

/// A caller may send a megabyte as the name of an action; no more of it than this gets into a message.
const LONGEST_NAME: usize = 64;

/// `Agent::call`: the text of a model's tool call.
pub(crate) fn call<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    stamp: Option<&Stamp>,
) -> Result<Outcome<String>, CallError> {
    let anatomy = G::__anatomy();
    let Some(index) = anatomy.find(name) else {
        return Err(unknown::<G>(name));
    };
    let spec = &anatomy.actions[index];
    if spec.internal {
        return Err(CallError::Internal { action: spec.name });
    }
    let (skill, action) = anatomy.addresses[index];
    let mut directives = Vec::new();
    let call = anatomy.slots[skill as usize].call;
    let request = Request {
        input: Input::Text(arguments),
        stamp,
        save: true,
    };
    match call(agent, action as usize, request, &mut directives) {
        Ok(output) => Ok(Outcome::new(output, directives)),
        Err(failure) => Err(CallError::because(spec.name, failure)),
    }
}

/// `Agent::run`: all instructions, or none.
pub(crate) fn run<G: Agent>(
    agent: &mut G,
    instructions: &[Instruction],
    stamp: Option<&Stamp>,
) -> Result<Outcome<Vec<Value>>, RunError> {
    let mut outputs = Vec::with_capacity(instructions.len());
    let mut directives = Vec::new();
    let mut run = Run {
        agent,
        saved: Vec::new(),
    };
    for (index, instruction) in instructions.iter().enumerate() {
        match one(&mut run, instruction, stamp, &mut directives) {
            Ok(output) => outputs.push(output),
            Err(source) => {
                return Err(RunError {
                    index,
                    action: json::shorten(&instruction.action, LONGEST_NAME).into_owned(),
                    source,
                });
            }
        }
    }
    run.saved.clear();
    Ok(Outcome::new(outputs, directives))
}

/// An agent in the middle of a run, and the states that skills had before the first instruction that changed them, by the
/// place of the skill. They are put back when the run is dropped before its end, by an error or by a panic.
struct Run<'a, G: Agent> {
    agent: &'a mut G,
    saved: Vec<(u32, Undo<G>)>,
}

impl<G: Agent> Run<'_, G> {
    fn save(&mut self, skill: u32) {
        if !self.saved.iter().any(|(saved, _)| *saved == skill) {
            let slot = &G::__anatomy().slots[skill as usize];
            self.saved
                .push((skill, (slot.save)(self.agent.__parts().0)));
        }
    }
}

impl<G: Agent> Drop for Run<'_, G> {
    fn drop(&mut self) {
        let (state, _) = self.agent.__parts_mut();
        for (_, undo) in self.saved.drain(..) {
            undo(state);
        }
    }
}

fn one<G: Agent>(
    run: &mut Run<'_, G>,
    instruction: &Instruction,
    stamp: Option<&Stamp>,
    directives: &mut Vec<Directive>,
) -> Result<Value, CallError> {
    let anatomy = G::__anatomy();
    let name = &*instruction.action;
    let index = anatomy.find(name).ok_or_else(|| unknown::<G>(name))?;
    let spec = &anatomy.actions[index];
    let (skill, action) = anatomy.addresses[index];
    if spec.changes {
        run.save(skill);
    }
    let call = anatomy.slots[skill as usize].call;
    let request = Request {
        input: Input::Value(&instruction.params),
        stamp,
        save: false,
    };
    let text = call(run.agent, action as usize, request, directives)
        .map_err(|failure| CallError::because(spec.name, failure))?;
    as_value(&text).map_err(|source| CallError::Output {
        action: spec.name,
        source,
    })
}

/// An answer as a value, which holds less than the text: no integer beyond 64 bits, no more than 128 levels.
fn as_value(text: &str) -> Result<Value, WriteError> {
    if json::has_wide_integer(text) {
        let message = "an integer has more than 64 bits, which a JSON value cannot hold";
        return Err(WriteError::Other(message.to_owned()));
    }
    serde_json::from_str(text).map_err(|error| WriteError::Other(error.to_string()))
}

#[cold]
fn unknown<G: Agent>(name: &str) -> CallError {
    let offered = G::__anatomy().tools.iter().map(|tool| tool.name);
    CallError::UnknownAction {
        agent: G::SPEC.name,
        action: json::shorten(name, LONGEST_NAME).into_owned(),
        suggestion: json::nearest(name, offered),
    }
}
