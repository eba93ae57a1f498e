//! The arguments of an action called by name.

use crate::error::ServeError;
use crate::panics::catch;
use serde_json::Value;
use skill_core::process::{self, AsyncInput, ErasedAction, Input, Kind, ResolvedAction};
use skill_core::{Action, Agent, CallError};

/// The arguments of an action called by name.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// JSON text from a caller.
    Text(String),
    /// The value from an instruction.
    Value(Value),
    /// The parsed action, as the guard saw it.
    Read(ErasedAction),
}

impl Arguments {
    /// Wraps a typed action.
    pub(crate) fn of<A: Action + Send>(action: A) -> Self {
        Self::Read(A::Kind::erase(action))
    }

    /// Parses the arguments and fills in defaults, unless already done. From here on, the action runs with exactly these
    /// arguments.
    pub(crate) fn read<G: Agent>(
        &mut self,
        agent: &G,
        at: ResolvedAction,
    ) -> Result<&ErasedAction, ServeError<CallError>> {
        let input = match self {
            Self::Read(action) => return Ok(action),
            Self::Text(text) => Input::Text(text),
            Self::Value(value) => Input::Value(value),
        };
        let action = catch(|| process::read_action(agent, at, input))
            .map_err(|message| ServeError::panicked(None, message))?
            .map_err(ServeError::Action)?;
        *self = Self::Read(action);
        match self {
            Self::Read(action) => Ok(action),
            _ => unreachable!("the action was just put there"),
        }
    }

    /// Converts the arguments to JSON for people who read the log. Returns `null` if JSON cannot represent them.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Text(text) => serde_json::from_str(text).unwrap_or_default(),
            Self::Value(value) => value.clone(),
            Self::Read(action) => catch(|| action.arguments())
                .ok()
                .and_then(Result::ok)
                .unwrap_or_default(),
        }
    }

    /// Calls `run` with the arguments in the form that a transaction takes.
    pub(crate) fn with<T>(self, run: impl FnOnce(Input<'_>) -> T) -> T {
        match self {
            Self::Text(text) => run(Input::Text(&text)),
            Self::Value(value) => run(Input::Value(&value)),
            Self::Read(action) => run(Input::Action(&mut Some(action.into_any()))),
        }
    }

    pub(crate) fn into_async_input(self) -> AsyncInput {
        match self {
            Self::Text(text) => AsyncInput::Text(text),
            Self::Value(value) => AsyncInput::Value(value),
            Self::Read(action) => AsyncInput::Action(action.into_any()),
        }
    }
}
