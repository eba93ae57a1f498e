//! The queued effects of a signal's async actions.

use crate::lifecycle::settings::Settings;
use crate::owner::call::admission::AdmittedAction;
use crate::owner::signal::interruption::{Interruption, failed};
use crate::owner::signal::progress::AsyncAnswer;
use serde_json::Value;
use skill_core::process::{self, CallFailure, CommandMeta, Transaction};
use skill_core::{Agent, CallError};
use std::sync::Arc;

/// Applies an async action's result: runs its `then` instructions and queues its directives.
pub(crate) fn apply<G: Agent>(
    settings: &Settings<G>,
    run: &mut Transaction<'_, G>,
    action: &str,
    result: Result<AsyncAnswer, CallError>,
    meta: &Arc<CommandMeta>,
) -> Result<Result<Value, CallError>, Interruption> {
    let mut answer = match result {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(error)),
    };
    let (then, mounts) = (answer.queued.take_then(), answer.queued.take_mounts());
    run.directives().extend(answer.queued.directives);
    for instruction in &then {
        let AdmittedAction { at, arguments } = match settings.admit_then(run.agent(), instruction) {
            Ok(admitted) => admitted,
            Err(error) => return failed(error).map(Err),
        };
        if let Err(error) = arguments.with(|input| run.call_current(at, input, Some(meta))) {
            return Ok(Err(error));
        }
    }
    let mounted = run.mount_queued(mounts);
    Ok(mounted.map(|()| answer.output).or_else(|error| {
        let at = process::resolve(run.agent(), action)?;
        Err(CallFailure::Mount(error).with_action(at.spec.name))
    }))
}
