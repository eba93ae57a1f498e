//! Calls by name.

use super::apply_mounts::apply_mounts_or_report;
use super::resolve::{resolve, unknown};
use super::transaction::Transaction;
use crate::action::{Input, Request};
use crate::context::{CommandMeta, QueuedEffects};
use crate::mounted::CallSource;
use crate::{Agent, CallError, Instruction, Outcome, RunError};
use serde_json::Value;
use std::sync::Arc;

/// Implements `Agent::call_json`.
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
    if G::__mountable().is_some() {
        return call_mountable(agent, name, arguments, meta);
    }
    let id = tables.action_ids[index];
    let mut queued = QueuedEffects::default();
    let call = G::__slots()[id.skill as usize].call;
    let request = Request {
        input: Input::Text(arguments),
        meta,
        save: true,
    };
    match call(agent, id.action as usize, request, &mut queued) {
        Ok(output) => {
            if queued.has_mounts() {
                apply_mounts_or_report(agent, &mut queued);
            }
            Ok(Outcome::new(output, queued.into_directives()))
        }
        Err(failure) => Err(failure.with_action(spec.name)),
    }
}

/// Calls an action of an agent that can mount skills, so that a mount that fails undoes the action.
fn call_mountable<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    let action = resolve(agent, name)?;
    let mut transaction = Transaction::begin(agent);
    let output = transaction.call(action, Input::Text(arguments), meta)?;
    let (_, directives) = transaction.commit();
    Ok(Outcome::new(output, directives))
}

/// Calls an action that no listed skill has, so it may belong to a mounted one.
#[cold]
fn call_mounted<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    let (state, env) = agent.__parts_mut();
    let agent_id = env.id();
    if let Some(mounted) = G::__mounted_mut(state)
        && let Some(id) = mounted.action_id(name)
    {
        let caller = CallSource { id: agent_id, meta };
        return mounted.call_for(id, arguments, caller);
    }
    Err(unknown(agent, name))
}

/// Implements `Agent::run`.
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
