//! Calls by name.

use crate::action::{Input, Request, Undo};
use crate::agent::mounting::apply_mounts_or_report;
use crate::agent::run::condition::check_condition;
use crate::agent::run::resolve::{ResolvedAction, resolve, unknown};
use crate::agent::run::transaction::Transaction;
use crate::context::{CommandMeta, QueuedEffects};
use crate::{Agent, CallError, Instruction, Outcome, RunError};
use serde_json::Value;
use std::sync::Arc;

/// Implements `Agent::call_json`. An agent that can mount skills undoes the action if a mount fails.
pub(crate) fn call<G: Agent>(
    agent: &mut G,
    name: &str,
    arguments: &str,
    meta: Option<&Arc<CommandMeta>>,
) -> Result<Outcome<String>, CallError> {
    if G::__mountable().is_some() {
        let action = resolve(agent, name)?;
        check_offered(agent, action)?;
        let mut transaction = Transaction::begin(agent);
        let output = transaction.call(action, Input::Text(arguments), meta)?;
        let (_, directives) = transaction.commit();
        return Ok(Outcome::new(output, directives));
    }
    // without a transaction, which would cost a fifth of a short call
    let tables = G::__tables();
    let Some((index, spec)) = tables.find(name) else {
        return Err(unknown(agent, name));
    };
    let id = tables.action_ids[index];
    check_offered(agent, ResolvedAction::listed(id, spec))?;
    let slot = &G::__slots()[id.skill as usize];
    let (state, env) = agent.__parts_mut();
    let parts = slot.parts(env, meta);
    let mut request = Request {
        cx: &parts,
        input: Input::Text(arguments),
        undo: Undo::Copy,
    };
    let mut queued = QueuedEffects::default();
    match (slot.call)(state, id.action as usize, &mut request, &mut queued) {
        Ok(output) => {
            if queued.has_mounts() {
                apply_mounts_or_report(agent, &mut queued);
            }
            Ok(Outcome::new(output, queued.into_directives()))
        }
        Err(failure) => Err(failure.with_action(spec.name)),
    }
}

#[inline]
fn check_offered<G: Agent>(agent: &G, action: ResolvedAction) -> Result<(), CallError> {
    if action.spec.internal {
        let action = action.spec.name;
        return Err(CallError::Internal { action });
    }
    check_condition(agent, action)
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
