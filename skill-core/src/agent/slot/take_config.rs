//! Updates the state fields that take their initial value from the configuration, when an agent starts with a stored state.

use crate::{Agent, Mounted};
use serde_json::Value;

/// Sets all fields with `#[skill(from_config, always)]` to their values in the configuration.
pub fn take_config<G: Agent>(agent: &mut G) {
    let (state, env) = agent.__parts_mut();
    // This copy is cheap, because the configurations are shared.
    let env = env.clone();
    for slot in G::__slots() {
        let config = slot.instance.config(&env);
        slot.skill.take_config((slot.of_mut)(state), config);
    }
    if let Some(mounted) = G::__mounted_mut(state) {
        mounted.take_config();
    }
}

/// Returns the keys of a skill's fields that keep a stored value although the configuration has a different one. `stored` is the
/// configuration at the time the state was stored, if known.
pub fn kept_fields<G: Agent>(agent: &G, skill: usize, stored: Option<&Value>) -> Vec<&'static str> {
    let (state, env) = agent.__parts();
    let slot = &G::__slots()[skill];
    let config = slot.instance.config(env);
    slot.skill.kept_fields((slot.of)(state), config, stored)
}

/// Like [`kept_fields`], for a mounted skill whose stored options this build does not accept.
pub fn kept_fields_of_mounted<G: Agent>(agent: &G, name: &str) -> Vec<&'static str> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map_or_else(Vec::new, |mounted| Mounted::kept_fields(mounted, name))
}
