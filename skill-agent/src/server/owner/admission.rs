//! Admission: the guard decides on an action, whichever way it came in.

use super::arguments::Arguments;
use crate::panics::catch;
use crate::server::error::ServeError;
use crate::server::guard::{ApprovalRequest, Attempt, Decision, Standing, UNWRITABLE};
use crate::server::settings::Settings;
use serde_json::Value;
use skill_core::process::{self, DeclaredNames, ResolvedAction};
use skill_core::{ActionSpec, Agent, CallError, Caller, Hints, Instruction, WriteError};
use std::any::Any;
use std::borrow::Cow;

/// Why an action does not run now.
pub(crate) enum Refusal<E> {
    /// The guard denied it, or nobody could be asked.
    Denied(Cow<'static, str>),
    /// The approver has to decide on it.
    Ask(Box<ApprovalRequest>),
    /// Its arguments are wrong.
    Failed(ServeError<E>),
}

impl<G: Agent> Settings<G> {
    /// Whether the guard is asked about an action with these hints.
    pub(super) fn must_ask(&self, caller: &Caller, hints: Hints, standing: Standing) -> bool {
        standing != Standing::Allowed && self.guard.applies_to(caller, hints)
    }

    /// Asks the guard about an action with its complete arguments. `names` returns the declared names of the skill and the action.
    pub(super) fn admit<E>(
        &self,
        caller: &Caller,
        spec: &ActionSpec,
        action: &dyn Any,
        write: &dyn Fn() -> Result<Value, WriteError>,
        standing: Standing,
        names: impl FnOnce() -> DeclaredNames,
    ) -> Result<(), Refusal<E>> {
        let attempt = Attempt::new(caller, spec, action, write);
        match self.guard.decide(&attempt) {
            Decision::Allow => return Ok(()),
            Decision::Ask if standing == Standing::Approved => return Ok(()),
            Decision::Deny(reason) => return Err(Refusal::Denied(reason)),
            Decision::Ask => {}
        }
        if self.approver.is_none() {
            let reason = "nobody could be asked: the server has no approver";
            return Err(Refusal::Denied(reason.into()));
        }
        let Ok(Ok(arguments)) = catch(write) else {
            return Err(Refusal::Denied(UNWRITABLE.into()));
        };
        let request = ApprovalRequest::new(caller, &attempt.tool, names(), arguments);
        Err(Refusal::Ask(Box::new(request)))
    }

    /// Asks the guard about an action that is called by name, after its arguments were read. They are not read if the guard
    /// need not be asked.
    pub(super) fn admit_by_name(
        &self,
        agent: &G,
        caller: &Caller,
        at: ResolvedAction,
        arguments: &mut Arguments,
        standing: Standing,
    ) -> Result<(), Refusal<CallError>> {
        if !self.must_ask(caller, at.spec.hints, standing) {
            return Ok(());
        }
        let action = arguments.read(agent, at).map_err(Refusal::Failed)?;
        self.admit(
            caller,
            at.spec,
            action.as_any(),
            &|| action.arguments(),
            standing,
            || process::declared_names(agent, at),
        )
    }

    /// Asks the guard about an instruction that an async action queued with `cx.then`. Returns its arguments. The approver cannot
    /// be asked at this point.
    pub(super) fn admit_then(
        &self,
        agent: &G,
        instruction: &Instruction,
    ) -> Result<Arguments, (&'static str, Refusal<CallError>)> {
        let mut arguments = Arguments::Value(instruction.params.clone());
        // An unknown action fails when it is run.
        let Ok(at) = process::resolve(agent, &instruction.action) else {
            return Ok(arguments);
        };
        let (caller, standing) = (&Caller::Agent, Standing::Unchecked);
        match self.admit_by_name(agent, caller, at, &mut arguments, standing) {
            Ok(()) => Ok(arguments),
            Err(Refusal::Ask(_)) => {
                let reason = "nobody can be asked about an instruction that an async action queued";
                Err((at.spec.name, Refusal::Denied(reason.into())))
            }
            Err(refusal) => Err((at.spec.name, refusal)),
        }
    }
}
