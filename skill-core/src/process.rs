//! Functions on agents for the process layer. Not part of the public API: they may change in any release.

pub use crate::action::{ErasedAction, Input, Kind, Performed};
pub use crate::agent::{
    AppliedAction, AsyncRequest, DeclaredNames, InstanceTools, MetaRef, ResolvedAction, Saved,
    SlotAsyncActions, Transaction, action_id_of, check_current, declared_names, kept_fields,
    kept_fields_of_mounted, leave_out_unknown, listed_tools, mounted_skills, perform, read_action,
    requirement_order, resolve, spec_of, take_config, tools_of, tools_of_mounted,
};
pub use crate::async_action::{
    AsyncDone, AsyncEntry, AsyncFailure, AsyncFuture, AsyncInput, AsyncOutput,
};
pub use crate::bounds::StoredState;
pub use crate::composition::ActionId;
pub use crate::context::{ActionHost, CommandMeta, MountOp, QueuedEffects, QueuedMount};
pub use crate::directive::DirectiveHandler;
pub use crate::error::{CallFailure, full_text};
pub use crate::mounted::{OtherState, RestoredMounted, stored_name_and_state};
pub use crate::panics::{catch, message_of};
pub use crate::skill_values::{
    ValueFns, config_fns, default_config, read_entry, schema_problems, state_fns,
};
pub use crate::stored::{Comparison, Difference, NamedField, StoredValue};
pub use crate::text_part::{MAX_TEXT, NoPart, part_at};
pub use crate::tokens;
pub use skill_agent_schema::{join, prefixed, shorten_type};

use crate::agent::{MOUNTED_KEY, SlotVtable, key_of};
use crate::hooks::restore_if_implemented;
use crate::mounted::Serialized;
use crate::{
    Action, ActionSpec, Agent, CallError, ChildSpec, Directive, HookError, Instruction, Mountable,
    Mounted, Problem, Route, SkillOf, SkillSpec, StateError, routing,
};
use erased_serde::{Error, Serialize};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_agent_grammar::fnv1a;
pub use skill_agent_grammar::is_tool_name;
use skill_agent_schema::{self as json, HashedSchema};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

/// Whether the keys of JSON objects stay in their order, which cargo decides for all crates of a build.
pub const ORDERED_JSON: bool = cfg!(feature = "ordered-json");

/// The specs of an agent's skills; the agent itself comes first.
pub fn skills<G: Agent>() -> &'static [SkillSpec] {
    G::__tables().skills
}

/// The state key of a skill; empty for the agent itself.
pub fn key<G: Agent>(skill: usize) -> &'static str {
    G::__slots()[skill].key
}

/// The spec of the skill with a state key.
pub fn skill_at<G: Agent>(key: &str) -> Option<&'static SkillSpec> {
    let index = G::__slots().iter().position(|slot| slot.key == key)?;
    skills::<G>().get(index)
}

/// Whether the action with that name is async.
pub fn is_async<G: Agent>(name: &str) -> bool {
    let tables = G::__tables();
    tables.find(name).is_some_and(|(_, spec)| spec.is_async)
}

/// The spec of the listed skill that has the action of that name; `None` if the agent itself has it.
pub fn skill_of<G: Agent>(action: &str) -> Option<&'static SkillSpec> {
    let tables = G::__tables();
    let (index, _) = tables.find(action)?;
    let skill = tables.action_ids[index].skill as usize;
    (skill > 0).then(|| &tables.skills[skill])
}

/// The routes of an action of an enabled mounted skill.
pub fn mounted_routes<G: Agent>(agent: &G, skill: &str, action: &str) -> &'static [Route] {
    let mounted = G::__mounted(agent.__parts().0);
    let actions = mounted.and_then(|mounted| mounted.actions_of(skill));
    let mut actions = actions.unwrap_or_default().iter();
    actions
        .find(|spec| spec.name == action)
        .map_or(&[], |spec| spec.routes)
}

/// The name of the first disabled skill that would take part in signals of a type if it were enabled.
pub fn disabled_for<G: Agent>(agent: &G, ty: &str) -> Option<&'static str> {
    let mounted = G::__mounted(agent.__parts().0)?;
    mounted.disabled_for(ty).map(|spec| spec.name)
}

/// The first mistake in the type of a signal, and its place; `None` for a type.
pub fn mistake_in_signal_type(ty: &str) -> Option<String> {
    routing::mistake_in_signal_type(ty)
}

/// The registrations of the mounted skills.
pub fn registrations<G: Agent>(agent: &G) -> Vec<Directive> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map(Mounted::registrations).unwrap_or_default()
}

/// Converts the output of an action from JSON text to a value.
///
/// # Errors
/// If the value cannot represent all of the text.
pub fn as_value(action: &'static str, text: &str) -> Result<Value, CallError> {
    json::as_value(text).map_err(|source| CallError::Output { action, source })
}

/// The error of a call by name to an internal action.
pub fn internal(spec: &ActionSpec) -> CallError {
    CallError::Internal { action: spec.name }
}

/// The state key of all mounted skills, which are stored as one state.
pub const MOUNTED: &str = MOUNTED_KEY;

/// Whether the agent can mount skills.
pub fn mounts<G: Agent>() -> bool {
    G::__mountable().is_some()
}

/// Serializes the state of a skill, or all mounted skills, with `write`. Returns `None` if the agent has no such key.
pub fn with_stored<G: Agent, T>(
    agent: &G,
    key: &str,
    write: impl FnOnce(&dyn Serialize) -> T,
) -> Option<T> {
    let state = agent.__parts().0;
    match slot::<G>(key) {
        Some(slot) => Some(write((slot.stored)(state))),
        None if key == MOUNTED_KEY => {
            G::__mounted(state).map(|mounted| write(&Serialized(mounted)))
        }
        None => None,
    }
}

/// Restores the state of a skill from a store. The key of a mounted `counter` is `skills.counter`. Returns `None` if the agent has
/// no skill with that key.
///
/// # Errors
/// If the stored value is not a state of the skill.
pub fn from_stored<G: Agent>(
    agent: &mut G,
    key: &str,
    stored: &mut StoredState<'_, '_>,
) -> Option<Result<(), Error>> {
    let state = agent.__parts_mut().0;
    match slot::<G>(key) {
        Some(slot) => Some((slot.from_stored)(state, stored)),
        None => G::__mounted_mut(state)?.load_state(mounted_key(key)?, stored),
    }
}

/// Restores the mounted skills from a store, except those for which `is_forgotten` returns true for the name or state key, and
/// except states with another schema or of an incompatible version. Returns `None` if the agent cannot mount skills.
///
/// # Errors
/// If the stored value is malformed, or one of the skills cannot be restored.
pub fn mounted_from_stored<G: Agent>(
    agent: &mut G,
    stored: &mut StoredState<'_, '_>,
    is_forgotten: &dyn Fn(&str) -> bool,
) -> Option<Result<RestoredMounted, Error>> {
    let mounted = G::__mounted_mut(agent.__parts_mut().0)?;
    Some(mounted.restore_from(stored, is_forgotten))
}

/// Reads a state from a store without keeping it, and serializes it again with `write`. The key is that of a skill, as in
/// [`from_stored`], or of all mounted skills. Returns `None` if the agent has no such key.
///
/// # Errors
/// If the stored value is not a state of the skill, or mounted skills cannot be restored.
pub fn read_back<G: Agent>(
    agent: &G,
    key: &str,
    stored: &mut StoredState<'_, '_>,
    write: &mut dyn FnMut(&dyn Serialize),
) -> Option<Result<(), Error>> {
    match slot::<G>(key) {
        Some(slot) => Some((slot.read_back)(stored, write)),
        None if key == MOUNTED_KEY => {
            let mut mounted = G::__mounted(agent.__parts().0)?.clone();
            let restored = mounted.restore_from(stored, &|_| false);
            Some(restored.map(|_| write(&Serialized(&mounted))))
        }
        None => {
            let mounted = G::__mounted(agent.__parts().0)?;
            mounted.read_back_state(mounted_key(key)?, stored, write)
        }
    }
}

/// Converts a stored state of another version with `Hooks::restore` of the skill with a key, as in [`from_stored`]. Returns `None`
/// if the skill does not implement it.
///
/// # Errors
/// Returns the error of the hook.
pub fn migrate<G: Agent>(
    agent: &mut G,
    key: &str,
    version: &str,
    state: Value,
) -> Option<Result<(), HookError>> {
    let states = agent.__parts_mut().0;
    let Some(slot) = slot::<G>(key) else {
        return G::__mounted_mut(states)?.migrate_state(mounted_key(key)?, version, state);
    };
    let hooks = slot.hooks.as_ref()?;
    restore_if_implemented((hooks.restore)(states, version, state))
}

/// The state key of a mounted skill: `counter` of `skills.counter`.
fn mounted_key(key: &str) -> Option<&str> {
    key.strip_prefix(MOUNTED_KEY)?.strip_prefix('.')
}

fn slot<G: Agent>(key: &str) -> Option<&'static SlotVtable<G>> {
    G::__slots().iter().find(|slot| slot.key == key)
}

/// The configuration of a skill, as JSON.
pub fn config<G: Agent>(agent: &G, skill: usize) -> Value {
    (G::__slots()[skill].config)(agent.__parts().1)
}

/// Whether a skill is offered signals of a type.
pub fn wants<G: Agent>(skill: usize, ty: &str) -> bool {
    skills::<G>()[skill].wants(ty)
}

/// Whether a skill has hooks.
pub fn has_hooks<G: Agent>(skill: usize) -> bool {
    G::__slots()[skill].hooks.is_some()
}

/// The routes that `Hooks::routes` of a skill returns for its configuration.
pub fn hook_routes<G: Agent>(agent: &G, skill: usize) -> Vec<(Route, Instruction)> {
    match &G::__slots()[skill].hooks {
        Some(hooks) => (hooks.routes)(agent.__parts().1),
        None => Vec::new(),
    }
}

/// The children that `Hooks::child_specs` of a skill returns for its configuration.
pub fn child_specs<G: Agent>(agent: &G, skill: usize) -> Vec<ChildSpec> {
    match &G::__slots()[skill].hooks {
        Some(hooks) => (hooks.child_specs)(agent.__parts().1),
        None => Vec::new(),
    }
}

/// Restores the saved states.
pub fn undo<G: Agent>(agent: &mut G, saved: Saved<G>) {
    for (_, undo) in saved {
        undo(agent.__parts_mut().0);
    }
}

/// Reads a typed action from its arguments as JSON.
///
/// # Errors
/// If the arguments are wrong.
pub fn from_arguments<A: Action>(arguments: &Value) -> Result<A, json::ReadError> {
    A::Kind::read(Input::Value(arguments))
}

/// The arguments of a typed action as JSON; `None` if they cannot be serialized.
pub fn arguments<A: Action>(action: &A) -> Option<Value> {
    // serialization is user code, and may panic
    catch(|| A::Kind::to_value(action)).ok()?.ok()
}

/// The arguments of a typed action as JSON for display; `null` if they cannot be serialized.
pub fn readable<A: Action>(action: &A) -> Value {
    arguments(action).unwrap_or_default()
}

/// The state key of the instance at `AT`; empty for the agent's own base.
pub fn instance_key<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> &'static str {
    key_of::<G, S, AT>()
}

/// A hash of the arguments of an action, and one of their schema. The order of keys and of items of sets makes no difference.
pub fn arguments_hash(action: &ActionSpec, arguments: &Value) -> (u64, u64) {
    thread_local! {
        /// By the address of the schema. Each action has one.
        static SCHEMAS: RefCell<HashMap<*const Value, HashedSchema>> = RefCell::default();
    }
    let schema = action.input_schema();
    let hashed = SCHEMAS.with_borrow_mut(|schemas| {
        let hashed = schemas.entry(std::ptr::from_ref(schema));
        *hashed.or_insert_with(|| HashedSchema::new(schema))
    });
    (hashed.hash_value(arguments), hashed.hash)
}

/// The JSON text of a value with sorted keys, whatever order they have in the value.
pub fn canonical_text(value: &Value) -> String {
    json::canonical_text(value)
}

/// Parses JSON text from outside, with the limits for arguments.
///
/// # Errors
/// If the text is not JSON, too long or too deeply nested.
pub fn read_arguments(text: &str) -> Result<Value, json::ReadError> {
    json::read(text)
}

/// The schema of a type, as a document of its own.
pub fn type_schema<T: JsonSchema>() -> Value {
    json::schema_of::<T>().to_value()
}

/// Reads JSON text from outside as a `T`, with the limits for arguments, and checks the constraints of its schema.
///
/// # Errors
/// The mistakes of the text, or every violated constraint, with their paths.
pub fn read_typed<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<T, StateError> {
    let read = json::read(text)
        .map_err(|error| json::with_all_mistakes::<T>(error, json::Sent::Text(text), schema))?;
    let problems = json::constraint_problems(&json::read(text)?, schema, "", &[], true);
    StateError::from_problems(problems).map_or(Ok(read), Err)
}

/// Checks arguments against a schema, for a tool that has no Rust type.
///
/// # Errors
/// The values that do not fit the schema, or else every violated constraint.
pub fn check_arguments(arguments: &Value, schema: &Value) -> Result<(), StateError> {
    // the references would lead to other parts; the tool itself decides
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

/// A name of a caller for a message. Callers may send a megabyte.
pub fn shorten_name(name: &str) -> Cow<'_, str> {
    json::shorten_name(name)
}

/// A hash of the schema of a skill's state, without annotations and independent of the order of fields.
pub fn schema_fingerprint<G: Agent>(skill: usize) -> u64 {
    json::fingerprint(G::__slots()[skill].schema)
}

/// The spec of a skill that the agent may mount.
pub fn mountable<G: Agent>(name: &str) -> Option<&'static SkillSpec> {
    let mut specs = G::__mountable()?.iter().map(Mountable::spec);
    specs.find(|spec| spec.name == name)
}

/// Replaces the secrets in the state of an agent, or in the part of it to which `keys` lead, by [`MASK`](crate::spec::MASK).
pub fn mask_state<G: Agent>(keys: &[&str], value: &mut Value) {
    crate::agent::mask::<G>(keys, value);
}

/// A text without the values of a state that it has as whole words.
pub fn hide_values(text: &str, values: &[&Value]) -> String {
    json::hide_values(text, values)
}

/// A text without the secrets at these paths of a state or configuration.
pub fn hide_secrets(text: &str, paths: &[&str], value: &Value) -> String {
    json::hide_secrets(text, &json::parts(value, paths))
}

/// Checks the constraints of the configurations of an agent.
///
/// # Errors
/// Returns every value that violates a constraint of its schema.
pub fn check_config<G: Agent>(agent: &G) -> Result<(), StateError> {
    crate::agent::check_config::<G>(agent.__parts().1)
}

/// Finds the values of the state of an agent that violate a constraint of its schema, with their paths. Without `quotes`, the problems
/// do not quote them.
pub fn violations<G: Agent>(agent: &G, quotes: bool) -> Vec<Problem> {
    crate::agent::violations(agent, quotes)
}

/// The paths of the entries of a stored state that may have another name in the schema: those that it does not know, beside a field of
/// the schema that is missing. Secrets are left out.
pub fn unknown_entries(
    spec: &SkillSpec,
    state: &Value,
    named: NamedField<'_>,
) -> Vec<Vec<StoredValue>> {
    let Some(schema) = spec.state_schema else {
        return Vec::new();
    };
    crate::stored::unknown_entries(state, schema(), named, spec.state_secrets)
}

/// A hash of an agent's name, version and skills, which differs between builds with different skills.
pub fn build<G: Agent>() -> String {
    let mut text = format!("{:?}", (G::SPEC.name, G::SPEC.version));
    for (index, spec) in skills::<G>().iter().enumerate() {
        let shape = schema_fingerprint::<G>(index);
        let identity = (spec.name, key::<G>(index), spec.type_path, spec.version);
        text += &format!("{:?}", (identity, shape));
    }
    for mountable in G::__mountable().unwrap_or_default() {
        let spec = mountable.spec();
        text += &format!("{:?}", (spec.name, spec.type_path, spec.version));
    }
    format!("{:016x}", fnv1a(&text))
}
