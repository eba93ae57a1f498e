//! Calls by name.

use crate::action::{Input, Request};
use crate::agent::mounting::apply_mounts_or_report;
use crate::agent::run::resolve::{resolve, unknown};
use crate::agent::run::transaction::Transaction;
use crate::context::{CommandMeta, QueuedEffects};
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
    if G::__mountable().is_some() {
        return call_mountable(agent, name, arguments, meta);
    }
    let tables = G::__tables();
    let Some((index, spec)) = tables.find(name) else {
        return Err(unknown(agent, name));
    };
    if spec.internal {
        return Err(CallError::Internal { action: spec.name });
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

/// Calls an action of an agent that can mount skills. The action belongs to a listed or a mounted skill. If a mount fails, the
/// action is undone.
fn call_mountable<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    let action = resolve(agent, name)?;
    if action.spec.internal {
        let action = action.spec.name;
        return Err(CallError::Internal { action });
    }
    let mut transaction = Transaction::begin(agent);
    let output = transaction.call(action, Input::Text(arguments), meta)?;
    let (_, directives) = transaction.commit();
    Ok(Outcome::new(output, directives))
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
