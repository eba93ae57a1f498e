//! Calls by name.

use super::slot::Undo;
use crate::action::{Input, Request};
use crate::{Agent, CallError, Directive, Instruction, Outcome, RunError, Stamp, WriteError, json};
use serde_json::Value;

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
    let mut saved = Saved::<G>(Vec::new());
    for (index, instruction) in instructions.iter().enumerate() {
        match one(agent, instruction, stamp, &mut saved, &mut directives) {
            Ok(output) => outputs.push(output),
            Err(source) => {
                saved.put_back(agent);
                return Err(RunError {
                    index,
                    action: instruction.action.clone().into_owned(),
                    source,
                });
            }
        }
    }
    Ok(Outcome::new(outputs, directives))
}

/// The states that skills had before the first instruction that touched them, by the place of the skill.
struct Saved<G: Agent>(Vec<(u32, Undo<G>)>);

impl<G: Agent> Saved<G> {
    fn save(&mut self, agent: &G, skill: u32) {
        if !self.0.iter().any(|(saved, _)| *saved == skill) {
            let slot = &G::__anatomy().slots[skill as usize];
            self.0.push((skill, (slot.save)(agent.__parts().0)));
        }
    }

    fn put_back(self, agent: &mut G) {
        let (state, _) = agent.__parts_mut();
        for (_, undo) in self.0 {
            undo(state);
        }
    }
}

fn one<G: Agent>(
    agent: &mut G,
    instruction: &Instruction,
    stamp: Option<&Stamp>,
    saved: &mut Saved<G>,
    directives: &mut Vec<Directive>,
) -> Result<Value, CallError> {
    let anatomy = G::__anatomy();
    let name = &*instruction.action;
    let index = anatomy.find(name).ok_or_else(|| unknown::<G>(name))?;
    let spec = &anatomy.actions[index];
    let (skill, action) = anatomy.addresses[index];
    saved.save(agent, skill);
    let call = anatomy.slots[skill as usize].call;
    let request = Request {
        input: Input::Value(&instruction.params),
        stamp,
        save: false,
    };
    let text = call(agent, action as usize, request, directives)
        .map_err(|failure| CallError::because(spec.name, failure))?;
    serde_json::from_str(&text).map_err(|error| CallError::Output {
        action: spec.name,
        source: WriteError::Other(error.to_string()),
    })
}

#[cold]
fn unknown<G: Agent>(name: &str) -> CallError {
    let offered = G::__anatomy().tools.iter().map(|tool| tool.name);
    CallError::UnknownAction {
        agent: G::SPEC.name,
        action: name.to_owned(),
        suggestion: json::nearest(name, offered),
    }
}
