//! The fields of an agent that begin with a value of the configuration, at a start with a stored state.

use crate::{Agent, Mounted};
use serde_json::Value;

/// Gives the fields with `#[skill(from_config, always)]` of all skills their values in the configuration.
pub fn take_config<G: Agent>(agent: &mut G) {
    let (state, env) = agent.__parts_mut();
    // A handle to the configurations, which are shared.
    let env = env.clone();
    for fields in G::__slots()
        .iter()
        .filter_map(|slot| slot.config_fields.as_ref())
    {
        (fields.take)(state, &env);
    }
    if let Some(mounted) = G::__mounted_mut(state) {
        mounted.take_config();
    }
}

/// The keys of the fields of a skill that keep a stored value although the configuration has another one than `stored`, the
/// configuration with which the state was stored, if it is known.
pub fn kept_fields<G: Agent>(agent: &G, skill: usize, stored: Option<&Value>) -> Vec<&'static str> {
    let (state, env) = agent.__parts();
    let fields = G::__slots()[skill].config_fields.as_ref();
    fields.map_or_else(Vec::new, |fields| (fields.kept)(state, env, stored))
}

/// Like [`kept_fields`], for a mounted skill whose stored options this build does not accept.
pub fn kept_fields_of_mounted<G: Agent>(agent: &G, name: &str) -> Vec<&'static str> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map_or_else(Vec::new, |mounted| Mounted::kept_fields(mounted, name))
}
