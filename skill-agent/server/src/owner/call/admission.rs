//! Admission: the guard decides on each action, regardless of the kind of call.

use crate::error::ServeError;
use crate::guard::{ApprovalRequest, Attempt, Decision, GuardCheck, UNWRITABLE, wrong_replacement};
use crate::lifecycle::settings::Settings;
use crate::owner::call::arguments::Arguments;
use crate::panics::catch;
use serde_json::Value;
use skill_core::process::{self, DeclaredNames, ResolvedAction, full_text};
use skill_core::{ActionSpec, Agent, CallError, Caller, Hints, Instruction, Tool, WriteError};
use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;

/// The reason for a denial if there is no approver.
pub(crate) const NO_APPROVER: &str = "approval is required, but the server has no approver";

/// The decision on an action that is not refused.
pub(crate) enum Admission {
    Allowed,
    /// The approver must decide.
    Ask(Box<ApprovalRequest>),
}

/// Why an action does not run.
pub(crate) enum Refusal<E> {
    /// The guard or the approver denied the action, the approver cannot be asked, or the approver's arguments are wrong.
    Denied(Cow<'static, str>),
    /// The call failed, for example because the action's arguments are wrong.
    Failed(ServeError<E>),
}

impl<E> Refusal<E> {
    /// Converts the refusal to the command's error.
    pub(crate) fn into_error(self, action: impl Into<Cow<'static, str>>) -> ServeError<E> {
        match self {
            Self::Denied(reason) => ServeError::Denied {
                action: action.into(),
                reason,
            },
            Self::Failed(error) => error,
        }
    }

    /// Creates the refusal for wrong arguments from the approver. Such arguments are not the caller's fault.
    pub(crate) fn of_replaced(error: impl Display) -> Self {
        Self::Denied(wrong_replacement(error).into())
    }
}

/// Checks the condition of an action that is called by name.
pub(crate) fn check_condition<G: Agent>(
    agent: &G,
    at: ResolvedAction,
) -> Result<(), ServeError<CallError>> {
    if !at.spec.conditional {
        return Ok(());
    }
    match catch(|| process::check_condition(agent, at)) {
        Ok(checked) => checked.map_err(ServeError::Action),
        Err(message) => Err(ServeError::panicked(Some(at.spec.name), message)),
    }
}

impl<G: Agent> Settings<G> {
    /// Returns whether to ask the guard about an action with these hints.
    pub(crate) fn must_ask(&self, caller: &Caller, hints: Hints, check: GuardCheck) -> bool {
        check != GuardCheck::Skip && self.guard.applies_to(caller, hints)
    }

    /// Asks the guard about an action with complete arguments. `names` returns the declared names of the skill and the action.
    pub(crate) fn admit<E>(
        &self,
        caller: &Caller,
        spec: &ActionSpec,
        action: &dyn Any,
        write: &dyn Fn() -> Result<Value, WriteError>,
        check: GuardCheck,
        names: impl FnOnce() -> DeclaredNames,
    ) -> Result<Admission, Refusal<E>> {
        let attempt = Attempt::new(caller, Tool::of(spec), action, write);
        match self.guard.decide(&attempt) {
            Decision::Allow => return Ok(Admission::Allowed),
            Decision::Ask if check == GuardCheck::DenyOnly => return Ok(Admission::Allowed),
            Decision::Deny(reason) => return Err(Refusal::Denied(reason)),
            Decision::Ask => {}
        }
        if self.approver.is_none() {
            return Err(Refusal::Denied(NO_APPROVER.into()));
        }
        // Serializing the arguments and the schemas runs user code.
        let request = catch(|| {
            let (arguments, names) = (write().ok()?, names());
            let names = (names.skill, names.action);
            Some(ApprovalRequest::new(
                caller,
                &attempt.tool,
                names,
                arguments,
            ))
        });
        match request {
            Ok(Some(request)) => Ok(Admission::Ask(Box::new(request))),
            _ => Err(Refusal::Denied(UNWRITABLE.into())),
        }
    }

    /// Asks the guard about an action called by name, after parsing its arguments. If the guard need not be asked, the arguments
    /// are not parsed.
    pub(crate) fn admit_by_name(
        &self,
        agent: &G,
        caller: &Caller,
        at: ResolvedAction,
        arguments: &mut Arguments,
        check: GuardCheck,
    ) -> Result<Admission, Refusal<CallError>> {
        if !self.must_ask(caller, at.spec.hints, check) {
            return Ok(Admission::Allowed);
        }
        let action = arguments.read(agent, at).map_err(Refusal::Failed)?;
        self.admit(
            caller,
            at.spec,
            action.as_any(),
            &|| action.arguments(),
            check,
            || process::declared_names(agent, at),
        )
    }

    /// Parses the approver's arguments for an action, and asks the guard about them.
    pub(crate) fn admit_replaced(
        &self,
        agent: &G,
        caller: &Caller,
        at: ResolvedAction,
        arguments: Value,
    ) -> Result<Arguments, Refusal<CallError>> {
        let mut arguments = Arguments::replaced(agent, at, arguments)?;
        let check = GuardCheck::DenyOnly;
        self.admit_by_name(agent, caller, at, &mut arguments, check)?;
        Ok(arguments)
    }

    /// Asks the guard about an instruction that an async action queued with `cx.then`. The approver cannot be asked at this
    /// point.
    pub(crate) fn admit_then(
        &self,
        agent: &G,
        instruction: &Instruction,
    ) -> Result<AdmittedAction, ServeError<CallError>> {
        let at = process::resolve(agent, &instruction.action).map_err(ServeError::Action)?;
        let mut arguments = Arguments::Value(instruction.params.clone());
        let (caller, check) = (&Caller::Agent, GuardCheck::Full);
        let refusal = match self.admit_by_name(agent, caller, at, &mut arguments, check) {
            Ok(Admission::Allowed) => return Ok(AdmittedAction { at, arguments }),
            Ok(Admission::Ask(_)) => {
                let reason = "approval is required, but an instruction queued with `cx.then` cannot wait for it";
                Refusal::Denied(reason.into())
            }
            Err(refusal) => refusal,
        };
        Err(refusal.into_error(at.spec.name))
    }
}

/// An action, with the arguments that the guard allowed.
pub(crate) struct AdmittedAction {
    pub(crate) at: ResolvedAction,
    pub(crate) arguments: Arguments,
}

impl AdmittedAction {
    /// Returns the instruction for people who read the log, with the parsed arguments if they were parsed.
    pub(crate) fn shown(&self, instruction: &Instruction) -> Instruction {
        match &self.arguments {
            Arguments::Read(_) => {
                Instruction::new(instruction.action.clone(), self.arguments.to_value())
            }
            Arguments::Text(_) | Arguments::Value(_) => instruction.clone(),
        }
    }
}

impl Arguments {
    /// Parses the approver's arguments.
    pub(crate) fn replaced<G: Agent>(
        agent: &G,
        at: ResolvedAction,
        arguments: Value,
    ) -> Result<Self, Refusal<CallError>> {
        let mut arguments = Self::Value(arguments);
        let read = arguments.read(agent, at).map(|_| ());
        read.map_err(|error| Refusal::of_replaced(full_text(&error)))?;
        Ok(arguments)
    }
}
