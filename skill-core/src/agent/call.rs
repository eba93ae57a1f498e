//! Calls by name.

use super::transaction::Transaction;
use crate::action::{Input, Request};
use crate::context::CommandMeta;
use crate::mounted::{CallSource, Wishes, grant};
use crate::{Agent, CallError, Instruction, Outcome, RunError, WriteError, json};
use serde_json::Value;
use std::sync::Arc;

/// A caller may send a megabyte as the name of an action; no more of it than this gets into a message.
pub(crate) const LONGEST_NAME: usize = 64;

/// `Agent::call`: the text of a model's tool call.
pub(crate) fn call<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    let tables = G::__tables();
    let Some((index, spec)) = tables.find(name) else {
        return call_mounted(agent, name, arguments, meta);
    };
    if spec.internal {
        return Err(CallError::Internal { action: spec.name });
    }
    let (skill, action) = tables.addresses[index];
    let mut directives = Vec::new();
    let call = tables.slots[skill as usize].call;
    let wishes = Wishes::default();
    let request = Request {
        input: Input::Text(arguments),
        meta,
        save: true,
        wishes: &wishes,
    };
    match call(agent, action as usize, request, &mut directives) {
        Ok(output) => {
            let wishes = wishes.take();
            if !wishes.is_empty() {
                grant(agent, wishes, &mut directives);
            }
            Ok(Outcome::new(output, directives))
        }
        Err(failure) => Err(CallError::because(spec.name, failure)),
    }
}

/// What no skill of the list has may be an action of a mounted one.
#[cold]
fn call_mounted<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    let (state, env) = agent.__parts_mut();
    let id = env.id();
    if let Some(mounted) = G::__mounted_mut(state)
        && let Some(address) = mounted.address(name)
    {
        return mounted.call_for(address, arguments, CallSource { id, meta });
    }
    Err(unknown(agent, name))
}

/// `Agent::run`: all instructions, or none.
pub(crate) fn run<G: Agent>(
    agent: &mut G,
    instructions: &[Instruction],
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<Vec<Value>>, RunError> {
    let mut transaction = Transaction::begin(agent);
    let outputs = transaction.run(instructions, meta)?;
    let (_, directives) = transaction.commit();
    Ok(Outcome::new(outputs, directives))
}

/// An answer as a value, which holds less than the text: no integer beyond 64 bits, no more than 128 levels.
pub(crate) fn as_value(text: &str) -> Result<Value, WriteError> {
    if json::has_wide_integer(text) {
        let message = "an integer has more than 64 bits, which a JSON value cannot hold";
        return Err(WriteError::Other(message.to_owned()));
    }
    serde_json::from_str(text).map_err(|error| WriteError::Other(error.to_string()))
}

#[cold]
pub(crate) fn unknown<G: Agent>(agent: &G, name: &str) -> CallError {
    let tools = agent.all_tools();
    let offered = tools.iter().map(|tool| tool.name);
    CallError::UnknownAction {
        agent: G::SPEC.name,
        action: json::shorten(name, LONGEST_NAME).into_owned(),
        suggestion: json::nearest(name, offered),
    }
}
