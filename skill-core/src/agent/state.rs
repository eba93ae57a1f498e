//! An agent's state as one JSON document: base fields, and each skill under its key.

use super::flat::Flat;
use crate::bounds::ConfigOf;
use crate::{Agent, Mounted, Skill, SkillOf, SkillSpec};
use schemars::Schema;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use skill_agent_schema as json;
use skill_agent_schema::{
    self, MAX_DEPTH, NOT_A_KEY, Problem, ReadError, StateError, Update, WriteError, is_full,
    prefixed,
};

/// The maximum size of a state document: 64 MiB.
pub(crate) const MAX_STATE_BYTES: usize = 64 << 20;

/// The key of the mounted skills in the state.
pub(crate) const MOUNTED_KEY: &str = "skills";

/// Merges a patch into the state. Changes nothing if there is a problem.
pub(crate) fn set<G: Agent>(agent: &mut G, patch: &Value) -> Result<(), StateError> {
    let mut state = agent.__parts().0.clone();
    apply::<G>(&mut state, patch, Update::Patch)?;
    *agent.__parts_mut().0 = state;
    Ok(())
}

/// Replaces the state with a document. Missing parts get the values of a new agent with the same configuration. Changes nothing
/// if there is a problem.
pub(crate) fn replace<G: Agent>(agent: &mut G, document: &Value) -> Result<(), StateError> {
    let (state, env) = agent.__parts();
    let mut next = G::__from_env(env.clone());
    let new = next.__parts_mut().0;
    if let (Some(mounted), Some(present)) = (G::__mounted_mut(new), G::__mounted(state)) {
        // the skills that stay mounted keep their options
        *mounted = present.clone();
    }
    apply::<G>(new, document, Update::Replace)?;
    std::mem::swap(agent.__parts_mut().0, new);
    Ok(())
}

/// Applies a document to the state. If there is a problem, the state may be partly changed.
fn apply<G: Agent>(
    state: &mut G::State,
    document: &Value,
    update: Update,
) -> Result<(), StateError> {
    if json::value_is_too_deep(document) {
        return Err(ReadError::TooDeep { max: MAX_DEPTH }.into());
    }
    let mut problems = Vec::new();
    apply_by_key::<G>(state, document, update, &mut problems);
    check(problems)
}

/// Parses a document's JSON text.
pub(crate) fn read(text: &str) -> Result<Value, StateError> {
    Ok(json::read_document(text, MAX_STATE_BYTES)?)
}

/// Returns an error if there are problems.
pub(crate) fn check(problems: Vec<Problem>) -> Result<(), StateError> {
    StateError::from_problems(problems).map_or(Ok(()), Err)
}

/// Returns the document as an object, or adds a problem if it is not one.
pub(crate) fn as_object<'a>(
    document: &'a Value,
    problems: &mut Vec<Problem>,
) -> Option<&'a Map<String, Value>> {
    let object = document.as_object();
    if object.is_none() {
        problems.push(Problem::new("", "expected an object"));
    }
    object
}

fn apply_by_key<G: Agent>(
    state: &mut G::State,
    document: &Value,
    update: Update,
    problems: &mut Vec<Problem>,
) {
    let tables = G::__tables();
    let Some(document) = as_object(document, problems) else {
        return;
    };
    let mut base = Map::new();
    for (key, value) in document {
        if is_full(problems) {
            return;
        }
        if let Some(slot) = G::__slots()[1..].iter().find(|slot| slot.key() == key) {
            if value.is_array() {
                // serde's derive would accept an array of the fields in order
                problems.push(Problem::new(json::join("", key), "expected an object"));
            } else {
                slot.update(state, value, update, problems);
            }
        } else if tables.base_keys.contains(&key.as_str()) {
            base.insert(key.clone(), value.clone());
        } else if key == MOUNTED_KEY && G::__mounted(state).is_some() {
            update_mounted::<G>(state, value, update, problems);
        } else {
            problems.push(unknown_key::<G>(key));
        }
    }
    if !base.is_empty() {
        G::__slots()[0].update(state, &Value::Object(base), update, problems);
    }
    if update == Update::Replace && !document.contains_key(MOUNTED_KEY) {
        update_mounted::<G>(state, &Value::Object(Map::new()), update, problems);
    }
}

fn update_mounted<G: Agent>(
    state: &mut G::State,
    document: &Value,
    update: Update,
    problems: &mut Vec<Problem>,
) {
    if let Some(mounted) = G::__mounted_mut(state)
        && let Some(next) = mounted.updated(document, update, MOUNTED_KEY, problems)
    {
        *mounted = next;
    }
}

#[cold]
fn unknown_key<G: Agent>(key: &str) -> Problem {
    let tables = G::__tables();
    let skills = G::__slots()[1..].iter().map(|slot| slot.key());
    let mounted = G::__mountable().map(|_| MOUNTED_KEY);
    let known = tables.base_keys.iter().copied();
    let known = known.chain(skills).chain(mounted);
    Problem::unknown_field(json::join("", key), key, known)
}

/// Generates the schema of the state, with the agent's defaults.
pub(crate) fn schema<G: Agent>() -> Schema {
    let mut generator = json::generator();
    let mut object = json::ObjectSchema::new(G::SPEC.description.unwrap_or_default());
    let base = (G::__slots()[0].skill.state.schema)(&mut generator);
    let base_properties = base.get("properties").and_then(Value::as_object);
    for (key, value) in base_properties.into_iter().flatten() {
        if let Ok(schema) = Schema::try_from(value.clone()) {
            object = object.property(key, schema);
        }
    }
    for slot in &G::__slots()[1..] {
        object = object.property(slot.key(), (slot.skill.state.schema)(&mut generator));
    }
    if let Some(mountable) = G::__mountable() {
        let schema = Mounted::state_schema(mountable, &mut generator);
        object = object.property(MOUNTED_KEY, schema);
    }
    let mut schema = json::partial(json::closed(object.finish(generator)));
    json::with_defaults(&mut schema, &values(&G::new()).0);
    let secrets = secrets::<G>();
    json::without_secrets(&mut schema, &texts(&secrets));
    schema
}

/// Returns the paths of the secrets in the state, including those in mountable skills.
pub(crate) fn secrets<G: Agent>() -> Vec<String> {
    let mut secrets = Vec::new();
    for (slot, spec) in G::__slots().iter().zip(G::__tables().skills) {
        add_secrets(&mut secrets, slot.key(), spec);
    }
    for entry in G::__mountable().unwrap_or_default() {
        let spec = entry.spec();
        add_secrets(&mut secrets, &json::join(MOUNTED_KEY, spec.state_key), spec);
    }
    secrets
}

fn add_secrets(secrets: &mut Vec<String>, at: &str, spec: &SkillSpec) {
    secrets.extend(spec.state_secrets.iter().map(|path| prefixed(at, path)));
}

/// Masks the secrets in a value. `keys` lead from the state to the value.
pub(crate) fn mask<G: Agent>(keys: &[&str], value: &mut Value) {
    json::mask(value, keys, &texts(&secrets::<G>()));
}

fn texts(paths: &[String]) -> Vec<&str> {
    paths.iter().map(String::as_str).collect()
}

/// Returns the state as JSON.
pub(crate) fn to_value<G: Agent>(agent: &G) -> Result<Value, StateError> {
    let (value, problems) = values(agent);
    check(problems)?;
    Ok(value)
}

/// Returns the part of the state that JSON can represent, and the problems with the rest.
fn values<G: Agent>(agent: &G) -> (Value, Vec<Problem>) {
    let state = agent.__parts().0;
    let mut object = Map::new();
    let mut problems = Vec::new();
    for slot in G::__slots() {
        let (value, unwritable) = slot.value(state);
        problems.extend(unwritable.map(|error| write_problem::<G>(slot.key(), &error)));
        match value {
            Value::Object(base) if slot.key().is_empty() => object.extend(base),
            value => {
                object.insert(slot.key().to_owned(), value);
            }
        }
    }
    if let Some(mounted) = G::__mounted(state) {
        let (value, unwritable) = mounted.value();
        problems.extend(unwritable.map(|error| write_problem::<G>(MOUNTED_KEY, &error)));
        object.insert(MOUNTED_KEY.to_owned(), value);
    }
    (Value::Object(object), problems)
}

/// Serializes the base fields into the map of the state.
///
/// # Errors
/// Returns the serializer's error.
pub fn write_base<B: Skill, M: SerializeMap>(base: &B, map: &mut M) -> Result<(), M::Error> {
    B::Config::__serialize_state(base, Flat(map))
}

/// Serializes one skill into the map of the state.
///
/// # Errors
/// Returns the serializer's error.
pub fn write_skill<G: Agent, S: SkillOf<G, AT>, const AT: usize, M: SerializeMap>(
    skill: &S,
    map: &mut M,
) -> Result<(), M::Error> {
    map.serialize_entry(
        crate::agent::run::skill_of::key_of::<G, S, AT>(),
        &SerializedState(skill),
    )
}

/// Serializes the mounted skills into the map of the state.
///
/// # Errors
/// Returns the serializer's error.
pub fn write_mounted<M: SerializeMap>(skills: &Mounted, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry(MOUNTED_KEY, skills)
}

/// Returns the state values that violate a schema constraint, with their paths. Unless `quotes` is set, the problems do not quote
/// the values.
pub(crate) fn violations<G: Agent>(agent: &G, quotes: bool) -> Vec<Problem> {
    let state = agent.__parts().0;
    let mut problems = Vec::new();
    for (slot, spec) in G::__slots().iter().zip(G::__tables().skills) {
        let (value, _) = slot.value(state);
        problems.extend(spec.state_problems(&value, slot.key(), quotes));
    }
    if let Some(mounted) = G::__mounted(state) {
        problems.extend(mounted.violations(MOUNTED_KEY, quotes));
    }
    problems
}

struct SerializedState<'a, S>(&'a S);

impl<S: Skill> Serialize for SerializedState<'_, S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        S::Config::__serialize_state(self.0, serializer)
    }
}

/// Creates the problem for a value that JSON cannot represent.
#[cold]
fn write_problem<G: Agent>(at: &str, error: &WriteError) -> Problem {
    match error {
        WriteError::NotFinite { path, value, .. } => {
            let path = prefixed(at, path);
            let value = if json::is_secret(&path, &texts(&secrets::<G>())) {
                json::MASK
            } else {
                value
            };
            Problem::new(path, format!("JSON cannot hold {value}"))
        }
        WriteError::NotAKey { path } => {
            Problem::new(prefixed(at, path), format!("the map has {NOT_A_KEY}"))
        }
        other => Problem::new(at, other.to_string()),
    }
}
