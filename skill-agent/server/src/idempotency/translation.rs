//! Translation of keys from earlier builds.

use super::key::{call_key, signal_key};
use skill_agent_store::Keyed;
use skill_core::process;
use skill_core::{Agent, Caller};

/// Translates keys of earlier builds, which begin with `call` or `signal` and a line break, into keys of the program. Returns the
/// current keys and those that cannot be translated.
pub(crate) fn translate_keys<G: Agent>(stored: Vec<Keyed>) -> (Vec<Keyed>, Vec<String>) {
    let (mut kept, mut unknown) = (Vec::new(), Vec::new());
    for mut keyed in stored {
        let is_present = keyed.key.starts_with(|first: char| first.is_ascii_digit());
        if is_present {
            kept.push(keyed);
        } else if let Some(key) = translated::<G>(&keyed.key) {
            keyed.key = key;
            kept.push(keyed);
        } else {
            unknown.push(keyed.key);
        }
    }
    (kept, unknown)
}

fn translated<G: Agent>(key: &str) -> Option<String> {
    if let Some(signal) = key.strip_prefix("signal\n") {
        // A line break in the source or the id makes the key ambiguous.
        let (source, id) = signal
            .split_once('\n')
            .filter(|(_, id)| !id.contains('\n'))?;
        return Some(signal_key(&Caller::Code, source, id));
    }
    let (path, key) = key.strip_prefix("call\n")?.split_once('\n')?;
    let (state_key, action) = action_at::<G>(path)?;
    Some(call_key(&Caller::Code, state_key, action, key))
}

/// Returns the state key and name of the action at a path. If the action has moved, uses the only action whose type has the same
/// name. Keys of earlier builds belong to a skill's first instance.
fn action_at<G: Agent>(path: &str) -> Option<(&'static str, &'static str)> {
    let name_of = |path: &'static str| path.rsplit("::").next();
    let name = path.rsplit("::").next();
    for (index, skill) in process::skills::<G>().iter().enumerate() {
        if let Some(action) = skill.actions.iter().find(|action| action.type_path == path) {
            return Some((process::key::<G>(index), action.name));
        }
    }
    let mut found: Option<(&str, &'static str, &'static str)> = None;
    for (index, skill) in process::skills::<G>().iter().enumerate() {
        let named = skill.actions.iter();
        for action in named.filter(|action| name_of(action.type_path) == name) {
            match found {
                Some((path, ..)) if path != action.type_path => return None,
                Some(_) => {}
                None => found = Some((action.type_path, process::key::<G>(index), action.name)),
            }
        }
    }
    found.map(|(_, state_key, action)| (state_key, action))
}
