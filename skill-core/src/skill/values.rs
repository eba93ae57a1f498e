//! A skill's state and configuration without an agent, for tests of skill libraries.

use crate::action::{ErasedAction, Input};
use crate::bounds::{ConfigOf, Configuration, PartialJson, StoredState, of};
use crate::skill::{config_json_schema, state_json_schema};
use crate::{ActionEntry, Skill};
use erased_serde::{Error, Serialize};
use serde_json::Value;
use skill_agent_schema::{Problem, ReadError, Update, constraint_problems, structure_problems};
use std::sync::Arc;

/// Functions over a skill's state, or over its configuration.
#[expect(missing_debug_implementations, reason = "it holds function pointers")]
pub struct ValueFns<T> {
    /// Returns the JSON schema.
    pub schema: fn() -> Value,
    /// The paths of the secrets.
    pub secrets: &'static [&'static str],
    /// Converts a value to JSON.
    pub to_json: fn(&T) -> PartialJson,
    /// Reads a whole value from JSON. Struct fields that are missing keep their current values.
    pub from_json: fn(&T, &Value) -> Result<T, Vec<Problem>>,
    /// Returns the value in the form in which a store serializes it.
    pub stored: fn(&T) -> &dyn Serialize,
    /// Reads a value from a store.
    pub from_stored: fn(&mut StoredState<'_, '_>) -> Result<T, Error>,
}

/// Returns the functions over a skill's state.
pub fn state_fns<S: Skill>() -> ValueFns<S> {
    // not those of the vtable, which the bases of several agents share
    ValueFns {
        schema: || {
            let declared = S::SPEC.state_schema;
            declared.map_or_else(state_json_schema::<S>, |schema| schema().clone())
        },
        secrets: S::SPEC.state_secrets,
        to_json: |state| (S::Config::__STATE.value)(state),
        from_json: |present, value| {
            let (mut problems, layout) = (Vec::new(), S::SPEC.state_layout());
            let update = Update::Replace;
            let new =
                (S::Config::__STATE.update)(present, value, update, "", layout, &mut problems);
            new.map(|new| S::Config::__clone(of(&*new))).ok_or(problems)
        },
        stored: |state| (S::Config::__STATE.stored)(state),
        from_stored: |stored| {
            let state = (S::Config::__STATE.from_stored)(stored)?;
            Ok(S::Config::__clone(of(&*state)))
        },
    }
}

/// Returns the functions over a skill's configuration.
pub fn config_fns<S: Skill>() -> ValueFns<S::Config> {
    ValueFns {
        schema: || {
            let declared = S::SPEC.config_schema;
            declared.map_or_else(config_json_schema::<S>, |schema| schema().clone())
        },
        secrets: S::SPEC.config_secrets,
        to_json: |config| (S::Config::__FNS.value)(config),
        from_json: |present, value| {
            let (mut problems, layout) = (Vec::new(), S::SPEC.config_layout());
            let merged = (S::Config::__FNS.merge)(present, value, "", layout, &mut problems);
            let merged = merged.and_then(|merged| merged.downcast().ok());
            merged.and_then(Arc::into_inner).ok_or(problems)
        },
        stored: S::Config::__stored_config,
        from_stored: S::Config::__config_from_stored,
    }
}

/// Returns a skill's default configuration.
pub fn default_config<S: Skill>() -> S::Config {
    S::Config::__default()
}

/// Finds the parts of a value that its schema does not allow, with their paths. If the value is incomplete, its structure is not
/// checked.
pub fn schema_problems(
    value: &Value,
    schema: &Value,
    secrets: &[&str],
    is_complete: bool,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    if is_complete {
        problems = structure_problems(value, schema);
    }
    problems.extend(constraint_problems(value, schema, "", secrets, true));
    problems
}

/// Reads an action's arguments from JSON.
///
/// # Errors
/// Fails if the action does not accept the arguments.
pub fn read_entry<S: Skill>(
    entry: &ActionEntry<S>,
    arguments: &Value,
) -> Result<ErasedAction, ReadError> {
    (entry.read)(Input::Value(arguments))
}
