//! What the process layer needs of an agent and pure code does not. Not part of the API: it may change with any release.

pub use crate::action::Kind;
pub use crate::agent::{
    AsyncRequest, Attempted, MetaRef, Performed, ResolvedAction, Saved, SlotAsyncActions,
    Transaction, action_id_of, perform, requirement_order, resolve, spec_of,
};
pub use crate::async_action::{
    AsyncDone, AsyncEntry, AsyncFailure, AsyncFuture, AsyncInput, AsyncOutput,
};
pub use crate::composition::ActionId;
pub use crate::context::{ActionHost, CommandMeta, QueuedEffects, QueuedMount};
pub use crate::data::StoredState;
pub use crate::directive::DirectiveHandler;
pub use crate::error::CallFailure;
pub use crate::json::LegacyState;
pub use crate::mounted::RestoredMounted;

use crate::agent::{MOUNTED_KEY, SlotVtable};
use crate::mounted::Serialized;
use crate::{
    Action, ActionSpec, Agent, CallError, ChildSpec, Directive, HookError, Instruction, Mounted,
    Route, SkillSpec, json,
};
use erased_serde::{Error, Serialize};
use serde_json::Value;
use skill_agent_grammar::fnv1a;

/// The specs of an agent's skills; the agent itself comes first, and its key is empty.
pub fn skills<G: Agent>() -> &'static [SkillSpec] {
    G::__tables().skills
}

/// The key under which the state of a skill is kept.
pub fn key<G: Agent>(skill: usize) -> &'static str {
    G::__slots()[skill].key
}

/// Whether a server starts the action of that name beside the mailbox.
pub fn is_async<G: Agent>(name: &str) -> bool {
    let tables = G::__tables();
    tables.find(name).is_some_and(|(_, spec)| spec.is_async)
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

/// The answer of an action as a value.
///
/// # Errors
/// When a value holds less than the text.
pub fn as_value(action: &'static str, text: &str) -> Result<Value, CallError> {
    json::as_value(text).map_err(|source| CallError::Output { action, source })
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
    G::__slots().iter().find(|slot| slot.key == key)
}

/// The configuration of a skill, as JSON.
pub fn config<G: Agent>(agent: &G, skill: usize) -> Value {
    (G::__slots()[skill].config)(agent.__parts().1)
}

/// Whether a skill wants to see signals of a type.
pub fn wants<G: Agent>(skill: usize, ty: &str) -> bool {
    skills::<G>()[skill].wants(ty)
}

/// Whether a skill has hooks.
pub fn has_hooks<G: Agent>(skill: usize) -> bool {
    G::__slots()[skill].hooks.is_some()
}

/// The routes that the hooks of a skill make from its configuration.
pub fn hook_routes<G: Agent>(agent: &G, skill: usize) -> Vec<(Route, Instruction)> {
    match &G::__slots()[skill].hooks {
        Some(hooks) => (hooks.routes)(agent.__parts().1),
        None => Vec::new(),
    }
}

/// The children that the hooks of a skill declare.
pub fn child_specs<G: Agent>(agent: &G, skill: usize) -> Vec<ChildSpec> {
    match &G::__slots()[skill].hooks {
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
    json::fingerprint(G::__slots()[skill].schema)
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
    format!("{:016x}", fnv1a(&text))
}
