//! Arguments, outputs and messages as JSON.

use crate::action::{Input, Kind};
use crate::panics::catch;
use crate::{Action, ActionSpec, StateError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_agent_schema::{self as json, HashedSchema, ReadError};
use std::cell::RefCell;
use std::collections::HashMap;

/// Reads a typed action from its arguments as JSON.
///
/// # Errors
/// Fails if the arguments are invalid.
pub fn from_arguments<A: Action>(arguments: &Value) -> Result<A, ReadError> {
    A::Kind::read(Input::Value(arguments))
}

/// Returns a typed action's arguments as JSON, or `None` if they cannot be serialized.
pub fn arguments<A: Action>(action: &A) -> Option<Value> {
    // serialization is user code, and may panic
    catch(|| A::Kind::to_value(action)).ok()?.ok()
}

/// Returns a typed action's arguments as JSON for display, or `null` if they cannot be serialized.
pub fn readable<A: Action>(action: &A) -> Value {
    arguments(action).unwrap_or_default()
}

/// Returns a hash of an action's arguments, and a hash of their schema. The order of keys, and of items in sets, makes no
/// difference.
pub fn arguments_hash(action: &ActionSpec, arguments: &Value) -> (u64, u64) {
    let hashed = hashed_schema(action.input_schema());
    (hashed.hash_value(arguments), hashed.hash)
}

pub(super) fn hashed_schema(schema: &'static Value) -> HashedSchema {
    thread_local! {
        /// The hashed schemas by address. Each action and skill has its own schema, so the address identifies it.
        static SCHEMAS: RefCell<HashMap<*const Value, HashedSchema>> = RefCell::default();
    }
    SCHEMAS.with_borrow_mut(|schemas| {
        let hashed = schemas.entry(std::ptr::from_ref(schema));
        *hashed.or_insert_with(|| HashedSchema::new(schema))
    })
}

/// Parses JSON text from outside, with the limits for arguments.
///
/// # Errors
/// Fails if the text is not JSON, too long or too deeply nested.
pub fn read_arguments(text: &str) -> Result<Value, ReadError> {
    json::read(text)
}

/// Returns a type's schema as a separate document.
pub fn type_schema<T: JsonSchema>() -> Value {
    json::schema_of::<T>().to_value()
}

/// Reads JSON text from outside as a `T`, with the limits for arguments, and checks the constraints in its schema.
///
/// # Errors
/// Returns the mistakes in the text, or every violated constraint, with their paths.
pub fn read_typed<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<T, StateError> {
    let read = json::read(text)
        .map_err(|error| json::with_all_mistakes::<T>(error, json::Sent::Text(text), schema))?;
    let problems = json::constraint_problems(&json::read(text)?, schema, "", &[], true);
    StateError::from_problems(problems).map_or(Ok(read), Err)
}

/// Checks arguments against a schema, for a tool without a Rust type.
///
/// # Errors
/// Returns the values that do not fit the schema, or else every violated constraint.
pub fn check_arguments(arguments: &Value, schema: &Value) -> Result<(), StateError> {
    // the references would point to different parts, so only the tool can check the arguments
    if json::has_inner_id(schema) {
        return Ok(());
    }
    let mut problems = json::structure_problems(arguments, schema);
    if problems.is_empty() {
        problems = json::constraint_problems(arguments, schema, "", &[], true);
    }
    json::finish(&mut problems, Some(arguments), schema);
    StateError::from_problems(problems).map_or(Ok(()), Err)
}

/// Returns `text` with the secrets at these paths of a state or configuration masked.
pub fn hide_secrets(text: &str, paths: &[&str], value: &Value) -> String {
    json::hide_secrets(text, &json::parts(value, paths))
}
