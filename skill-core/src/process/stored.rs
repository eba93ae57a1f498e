//! How an agent's states are written to a store and read from it.

use crate::agent::{MOUNTED_KEY, Slot};
use crate::bounds::StoredState;
use crate::hooks::restore_if_implemented;
use crate::mounted::{RestoredMounted, Serialized};
use crate::process::json::hashed_schema;
use crate::process::skill_at;
use crate::{Agent, HookError};
use erased_serde::{Error, Serialize};
use serde_json::{Value, json};
use skill_agent_schema::HashedSchema;

/// Serializes a skill's state, or all mounted skills, with `write`. Returns `None` if the agent has no such key.
pub fn with_stored<G: Agent, T>(
    agent: &G,
    key: &str,
    write: impl FnOnce(&dyn Serialize) -> T,
) -> Option<T> {
    let state = agent.__parts().0;
    match slot::<G>(key) {
        Some(slot) => Some(write((slot.skill.state.stored)((slot.of)(state)))),
        None if key == MOUNTED_KEY => {
            G::__mounted(state).map(|mounted| write(&Serialized(mounted)))
        }
        None => None,
    }
}

/// Restores a skill's state from a store. The key of a mounted `counter` is `skills.counter`. Returns `None` if the agent has no
/// skill with that key.
///
/// # Errors
/// Fails if the stored value is not a state of the skill.
pub fn from_stored<G: Agent>(
    agent: &mut G,
    key: &str,
    stored: &mut StoredState<'_, '_>,
) -> Option<Result<(), Error>> {
    let state = agent.__parts_mut().0;
    match slot::<G>(key) {
        Some(slot) => {
            Some((slot.skill.state.from_stored)(stored).map(|mut new| slot.put(state, &mut new)))
        }
        None => G::__mounted_mut(state)?.load_state(mounted_key(key)?, stored),
    }
}

/// Restores the mounted skills from a store. Leaves out skills for whose name or state key `is_forgotten` returns true, and
/// states with a different schema or from an incompatible version. Returns `None` if the agent cannot mount skills.
///
/// # Errors
/// Fails if the stored value is malformed, or if one of the skills cannot be restored.
pub fn mounted_from_stored<G: Agent>(
    agent: &mut G,
    stored: &mut StoredState<'_, '_>,
    is_forgotten: &dyn Fn(&str) -> bool,
) -> Option<Result<RestoredMounted, Error>> {
    let mounted = G::__mounted_mut(agent.__parts_mut().0)?;
    Some(mounted.restore_from(stored, is_forgotten))
}

/// Reads a state from a store without keeping it, and serializes it again with `write`. The key names a skill, as in
/// [`from_stored`], or all mounted skills. Returns `None` if the agent has no such key.
///
/// # Errors
/// Fails if the stored value is not a state of the skill, or if mounted skills cannot be restored.
pub fn read_back<G: Agent>(
    agent: &G,
    key: &str,
    stored: &mut StoredState<'_, '_>,
    write: &mut dyn FnMut(&dyn Serialize),
) -> Option<Result<(), Error>> {
    match slot::<G>(key) {
        Some(slot) => {
            let fns = slot.skill.state;
            Some((fns.from_stored)(stored).map(|state| write((fns.stored)(&*state))))
        }
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

/// Converts a stored state of a different version with `Hooks::restore` of the skill with the key `key`, as in [`from_stored`].
/// Returns `None` if the skill does not implement it.
///
/// # Errors
/// Returns the hook's error.
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
    let restored = (slot.skill.hooks.as_ref()?.restore)(version, state);
    restore_if_implemented(restored.map(|mut new| slot.put(states, &mut new)))
}

/// Returns a mounted skill's state key: `counter` for `skills.counter`.
fn mounted_key(key: &str) -> Option<&str> {
    key.strip_prefix(MOUNTED_KEY)?.strip_prefix('.')
}

/// Returns a hash of a state as JSON. The order of keys, and of items in states with sets, makes no difference.
pub fn state_hash<G: Agent>(key: &str, state: &Value) -> u64 {
    let spec = skill_at::<G>(key);
    match spec.and_then(|spec| spec.state_schema) {
        Some(schema) => hashed_schema(schema()).hash_value(state),
        // mounted skills may have sets
        None => HashedSchema::new(&json!({ "uniqueItems": true })).hash_value(state),
    }
}

fn slot<G: Agent>(key: &str) -> Option<&'static Slot<G>> {
    G::__slots().iter().find(|slot| slot.key() == key)
}
