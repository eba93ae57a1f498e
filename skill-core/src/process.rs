//! What the process layer needs of an agent and pure code does not. Not part of the API: it may change with any release.

pub use crate::action::Kind;
pub use crate::agent::{Attempted, MetaRef, Performed, Saved, Transaction, perform};
pub use crate::async_action::{
    ActionHost, AsyncDone, AsyncEntry, AsyncFailure, AsyncFuture, AsyncInput, AsyncOutput,
    AsyncRequest, Queued, SlotAsyncActions, address_of,
};
pub use crate::context::CommandMeta;
pub use crate::data::StoredState;
pub use crate::directive::DirectiveHandler;
pub use crate::error::CallFailure;
pub use crate::json::LegacyState;
pub use crate::mounted::{RestoredMounted, Wish};

use crate::agent::{MOUNTED_KEY, SlotVtable};
use crate::composition::split;
use crate::mounted::Serialized;
use crate::{
    Action, ActionSpec, Agent, CallError, ChildSpec, Directive, HookError, Instruction, Mounted,
    Route, SkillOf, SkillSpec, json,
};
use erased_serde::{Error, Serialize};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

/// The specs of an agent's skills; the agent itself comes first, and its key is empty.
pub fn skills<G: Agent>() -> &'static [SkillSpec] {
    G::__tables().skills
}

/// The key under which the state of a skill is kept.
pub fn key<G: Agent>(skill: usize) -> &'static str {
    G::__tables().slots[skill].key
}

/// Where an action stands.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The place of its skill; 0 is the agent itself, and those of mounted skills come after all others.
    pub skill: usize,
    /// Its place in that skill.
    pub action: usize,
    /// Its spec, under the name it has in the agent.
    pub spec: &'static ActionSpec,
    is_mounted: bool,
}

impl Address {
    /// Whether its skill was mounted at run time.
    pub fn is_mounted(&self) -> bool {
        self.is_mounted
    }

    /// Whether a server starts it beside the mailbox. Resources are given to the skills of the list alone: a skill with an
    /// async action is not mounted.
    pub fn is_async(&self) -> bool {
        self.spec.is_async && !self.is_mounted
    }
}

/// Whether a server starts the action of that name beside the mailbox.
pub fn is_async<G: Agent>(name: &str) -> bool {
    let tables = G::__tables();
    tables.find(name).is_some_and(|(_, spec)| spec.is_async)
}

/// Finds an action by the name it has in the agent now.
///
/// # Errors
/// When there is none.
pub fn find<G: Agent>(agent: &G, name: &str) -> Result<Address, CallError> {
    let tables = G::__tables();
    if let Some((index, spec)) = tables.find(name) {
        let (skill, action) = tables.addresses[index];
        return Ok(Address {
            skill: skill as usize,
            action: action as usize,
            spec,
            is_mounted: false,
        });
    }
    let mounted = G::__mounted(agent.__parts().0);
    let address = mounted.and_then(|mounted| mounted.address(name));
    match (mounted, address) {
        (Some(mounted), Some((skill, action))) => Ok(Address {
            skill,
            action,
            spec: mounted.action_at((skill, action)),
            is_mounted: true,
        }),
        _ => Err(crate::agent::unknown(agent, name)),
    }
}

/// The routes of an action of a mounted skill.
pub fn mounted_routes<G: Agent>(agent: &G, skill: &str, action: &str) -> &'static [Route] {
    let mounted = G::__mounted(agent.__parts().0);
    let actions = mounted.and_then(|mounted| mounted.actions_of(skill));
    let mut actions = actions.unwrap_or_default().iter();
    actions
        .find(|spec| spec.name == action)
        .map_or(&[], |spec| spec.routes)
}

/// The registrations of the skills that are mounted.
pub fn registrations<G: Agent>(agent: &G) -> Vec<Directive> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map(Mounted::registrations).unwrap_or_default()
}

/// The spec of a typed action of an instance, under the name it has in the agent.
pub fn spec_of<G, A, const AT: usize>() -> &'static ActionSpec
where
    G: Agent,
    A: Action<Skill: SkillOf<G, AT>>,
{
    let tables = G::__tables();
    let address = address_of::<G, A, AT>();
    let index = tables
        .addresses
        .iter()
        .position(|other| Some(*other) == address);
    // an action that its skill does not list has its own name only
    index.map_or(const { &A::SPEC }, |index| &tables.actions[index])
}

/// The answer of an action as a value.
///
/// # Errors
/// When a value holds less than the text.
pub fn as_value(action: &'static str, text: &str) -> Result<Value, CallError> {
    crate::agent::as_value(text).map_err(|source| CallError::Output { action, source })
}

/// Why an internal action is not called by name.
pub fn internal(spec: &ActionSpec) -> CallError {
    CallError::Internal { action: spec.name }
}

/// The key of the mounted skills, which are kept as one.
pub const MOUNTED: &str = MOUNTED_KEY;

/// Whether the agent mounts skills.
pub fn mounts<G: Agent>() -> bool {
    G::__mountable().is_some()
}

/// Gives the state of a skill, or the mounted skills, to a store.
pub fn with_stored<G: Agent, T>(
    agent: &G,
    key: &str,
    write: impl FnOnce(&dyn Serialize) -> T,
) -> Option<T> {
    let state = agent.__parts().0;
    match slot::<G>(key) {
        Some(slot) => Some(write((slot.stored)(state))),
        None if key == MOUNTED_KEY => G::__mounted(state).map(|it| write(&Serialized(it))),
        None => None,
    }
}

/// Takes the state of a skill from a store; `None` where the agent has none of that key.
///
/// # Errors
/// When it is no state of the skill.
pub fn from_stored<G: Agent>(
    agent: &mut G,
    key: &str,
    stored: &mut StoredState<'_, '_>,
) -> Option<Result<(), Error>> {
    let slot = slot::<G>(key)?;
    Some((slot.from_stored)(agent.__parts_mut().0, stored))
}

/// Takes the mounted skills from a store, but for those of which `is_forgotten` holds, by name or state key; `None` where
/// the agent mounts none.
///
/// # Errors
/// When they are no mounted skills, or one of them cannot be taken over.
pub fn mounted_from_stored<G: Agent>(
    agent: &mut G,
    stored: &mut StoredState<'_, '_>,
    is_forgotten: &dyn Fn(&str) -> bool,
) -> Option<Result<RestoredMounted, Error>> {
    let mounted = G::__mounted_mut(agent.__parts_mut().0)?;
    Some(mounted.take_stored(stored, is_forgotten))
}

/// Makes the state of a skill from one of an older version, by `Hooks::restore`; `None` where there is no such hook.
///
/// # Errors
/// The hook's own.
pub fn migrate<G: Agent>(
    agent: &mut G,
    key: &str,
    version: &str,
    state: Value,
) -> Option<Result<(), HookError>> {
    let hooks = slot::<G>(key)?.hooks.as_ref()?;
    Some((hooks.restore)(agent.__parts_mut().0, version, state))
}

fn slot<G: Agent>(key: &str) -> Option<&'static SlotVtable<G>> {
    G::__tables().slots.iter().find(|slot| slot.key == key)
}

/// The configuration of a skill, as JSON.
pub fn config<G: Agent>(agent: &G, skill: usize) -> Value {
    (G::__tables().slots[skill].config)(agent.__parts().1)
}

/// Whether a skill wants to see signals of a type.
pub fn wants<G: Agent>(skill: usize, ty: &str) -> bool {
    crate::routing::wants(&skills::<G>()[skill], ty)
}

/// Whether a skill has hooks.
pub fn has_hooks<G: Agent>(skill: usize) -> bool {
    G::__tables().slots[skill].hooks.is_some()
}

/// The routes that the hooks of a skill make from its configuration.
pub fn hook_routes<G: Agent>(agent: &G, skill: usize) -> Vec<(Route, Instruction)> {
    match &G::__tables().slots[skill].hooks {
        Some(hooks) => (hooks.routes)(agent.__parts().1),
        None => Vec::new(),
    }
}

/// The children that the hooks of a skill declare.
pub fn child_specs<G: Agent>(agent: &G, skill: usize) -> Vec<ChildSpec> {
    match &G::__tables().slots[skill].hooks {
        Some(hooks) => (hooks.child_specs)(agent.__parts().1),
        None => Vec::new(),
    }
}

/// Puts states back.
pub fn undo<G: Agent>(agent: &mut G, saved: Saved<G>) {
    for (_, undo) in saved {
        undo(agent.__parts_mut().0);
    }
}

/// The places of the skills, each after those it requires; the agent itself first. `agent!` has refused circles.
pub fn in_requirement_order<G: Agent>() -> Vec<usize> {
    let skills = skills::<G>();
    let mut order = vec![0];
    let mut is_placed = vec![false; skills.len()];
    for skill in 1..skills.len() {
        place(skills, skill, &mut is_placed, &mut order);
    }
    order
}

fn place(skills: &[SkillSpec], skill: usize, is_placed: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut is_placed[skill], true) {
        return;
    }
    for required in skills[skill].requires {
        let (name, _) = split(required);
        let other = (1..skills.len())
            .find(|other| skills[*other].name == name || skills[*other].declared_name() == name);
        if let Some(other) = other {
            place(skills, other, is_placed, order);
        }
    }
    order.push(skill);
}

/// The arguments of a typed action as far as JSON holds them: for people to read.
pub fn readable<A: Action>(action: &A) -> Value {
    // it is the user's code, and whoever only reads must not be the end of a server
    let value =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| A::Kind::to_value(action)));
    value.ok().and_then(Result::ok).unwrap_or(Value::Null)
}

/// Reads JSON text that somebody sent, with the limits that hold for arguments.
///
/// # Errors
/// When it is no JSON, too long or too deep.
pub fn read_arguments(text: &str) -> Result<Value, json::ReadError> {
    json::read(text)
}

/// Tells one shape of a skill's state from another. What is only said of it, and the order of its fields, are no part of it.
pub fn schema_fingerprint<G: Agent>(skill: usize) -> u64 {
    fingerprint(G::__tables().slots[skill].schema)
}

/// The same of a schema.
pub(crate) fn fingerprint(schema: fn(&mut SchemaGenerator) -> Schema) -> u64 {
    let mut generator = json::generator();
    let schema = schema(&mut generator);
    let definitions = Value::Object(generator.take_definitions(true));
    let text = format!(
        "{}{}",
        bones(schema.as_value(), false),
        bones(&definitions, true)
    );
    fnv(text.as_bytes())
}

/// Tells one build of an agent from another, as far as its skills go.
pub fn build<G: Agent>() -> String {
    let mut text = format!("{:?}", (G::SPEC.name, G::SPEC.version));
    for (index, spec) in skills::<G>().iter().enumerate() {
        let shape = schema_fingerprint::<G>(index);
        let place = (spec.name, key::<G>(index), spec.type_path, spec.version);
        text += &format!("{:?}", (place, shape));
    }
    for mountable in G::__mountable().unwrap_or_default() {
        let spec = mountable.spec();
        text += &format!("{:?}", (spec.name, spec.type_path, spec.version));
    }
    format!("{:016x}", fnv(text.as_bytes()))
}

/// A schema without what is only said of it, its keys in order; or a map of schemas by names that may be any.
fn bones(schema: &Value, is_by_name: bool) -> Value {
    const SAID: [&str; 6] = [
        "$schema",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
    ];
    const BY_NAME: [&str; 3] = ["properties", "patternProperties", "$defs"];
    match schema {
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            keys.retain(|key| is_by_name || !SAID.contains(&key.as_str()));
            keys.sort_unstable();
            let bare =
                |key: &String| bones(&object[key], !is_by_name && BY_NAME.contains(&key.as_str()));
            Value::Object(
                keys.into_iter()
                    .map(|key| (key.clone(), bare(key)))
                    .collect(),
            )
        }
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(|schema| bones(schema, false)).collect();
            if list.iter().all(Value::is_string) {
                list.sort_unstable_by(|a, b| a.as_str().cmp(&b.as_str()));
            }
            Value::Array(list)
        }
        other => other.clone(),
    }
}

/// FNV-1a, which is the same in every build and on every machine.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
