//! Recovery: applies the content of a log to a fresh agent.

use super::PendingDirectives;
use super::logged_causes::LoggedCauses;
use super::read_back::{NotReadBack, read_back};
use super::size::{record_size, snapshot_size};
use super::stored_text::{Quoting, with_panics};
use super::stored_value::{Comparison, StoredValue};
use crate::server::error::RecoveryError;
use crate::server::idempotency::{key_of_instance, translate_keys};
use crate::store::{Keyed, Recovered, SkillSnapshot, Snapshot, decode, decode_seed, encode};
use serde::de::{DeserializeSeed, Deserializer, Error};
use serde_json::Value;
use skill_core::Agent;
use skill_core::process::{self, LegacyState, RestoredMounted, full_text};
use std::collections::{BTreeMap, HashMap};

/// What a server found in its store at the start; see [`AgentServer::recovery`](crate::AgentServer::recovery).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// Whether there was a stored state.
    pub is_restored: bool,
    /// How many records followed the snapshot.
    pub records: usize,
    /// How many pending directives there were, which the server executes.
    pub directives: usize,
    /// What was cut off, if the log was damaged.
    pub damage: Option<String>,
    /// The skills whose configuration differs from the stored one.
    pub other_configuration: Vec<String>,
    /// The skills whose state was stored with another schema, and fits the present one: new fields have their defaults.
    pub other_schema: Vec<String>,
    /// The skills whose state `Hooks::restore` converted from another schema.
    pub migrated: Vec<String>,
    /// The idempotency keys of an earlier build that could not be translated, because they fit no action of this one, or more than
    /// one. A command that repeats one of them runs.
    pub unknown_keys: Vec<String>,
}

/// What the builder says about a stored state.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecoveryOptions {
    /// The keys of states, and the paths of fields, to drop.
    pub(crate) forget: Vec<String>,
    /// Earlier names of the agent.
    pub(crate) adopt_agents: Vec<String>,
    /// Pairs of an earlier and the present state key of a skill.
    pub(crate) adopt_skills: Vec<(String, String)>,
}

impl RecoveryOptions {
    fn check_agent(&self, stored: &str, present: &'static str) -> Result<(), RecoveryError> {
        let is_adopted = self.adopt_agents.iter().any(|name| name == stored);
        if stored.is_empty() || stored == present || is_adopted {
            return Ok(());
        }
        let stored = stored.to_owned();
        Err(RecoveryError::OtherAgent { stored, present })
    }

    /// Gives the states of renamed skills their present keys. Returns whether there were some.
    fn rename_skills(&self, folded: &mut StateFold) -> bool {
        let mut has_renamed = false;
        for (old, new) in &self.adopt_skills {
            let find = |key: &str| folded.skills.iter().position(|skill| skill.key == key);
            let (Some(index), None) = (find(old), find(new)) else {
                continue;
            };
            has_renamed = true;
            folded.skills[index].key.clone_from(new);
            for keyed in &mut folded.recent {
                if let Some(key) = key_of_instance(&keyed.key, old, new) {
                    keyed.key = key;
                }
            }
        }
        has_renamed
    }
}

/// The state of a log, after the states of the skills were restored into the agent.
pub(crate) struct RestoredAgent {
    pub(crate) recovery: Recovery,
    pub(crate) seq: u64,
    pub(crate) next_directive: u64,
    pub(crate) pending: PendingDirectives,
    pub(crate) recent: Vec<Keyed>,
    /// About how many bytes the records have.
    pub(crate) bytes: usize,
    /// About how many bytes the snapshot has.
    pub(crate) snapshot_bytes: usize,
    /// Whether the first snapshot of this build has yet to be written.
    pub(crate) is_new_build: bool,
}

/// Restores the stored states into a fresh agent. The only user code that runs is `Hooks::restore` of a skill whose schema
/// has changed. `payloads` allows errors to quote values of the states.
pub(crate) fn apply_recovered<G: Agent>(
    agent: &mut G,
    recovered: Recovered,
    options: &RecoveryOptions,
    build: &str,
    payloads: bool,
) -> Result<RestoredAgent, RecoveryError> {
    if let Some(snapshot) = &recovered.snapshot {
        options.check_agent(&snapshot.agent, G::SPEC.name)?;
    }
    let seq = recovered.last_seq();
    let damage = recovered.damage.as_ref().map(ToString::to_string);
    let records = recovered.records.len();
    let is_restored = seq > 0 || damage.is_some() || recovered.snapshot.is_some();
    let is_new_build = recovered
        .snapshot
        .as_ref()
        .is_none_or(|snapshot| snapshot.build != build);
    let bytes = recovered.records.iter().map(record_size).sum();
    let snapshot_bytes = recovered.snapshot.as_ref().map_or(0, snapshot_size);
    let mut folded = StateFold::of(recovered);
    let has_renamed = options.rename_skills(&mut folded);
    let (recent, unknown_keys) = translate_keys::<G>(folded.recent);
    let mut restored = RestoredAgent {
        recovery: Recovery {
            is_restored,
            records,
            directives: folded.pending.len(),
            damage,
            unknown_keys,
            ..Recovery::default()
        },
        seq,
        next_directive: folded.next_directive,
        pending: folded.pending,
        recent,
        bytes,
        snapshot_bytes,
        is_new_build: is_new_build || has_renamed,
    };
    let (quoting, forget) = (Quoting { payloads }, &options.forget);
    for mut skill in folded.skills {
        restored.is_new_build |= forget_fields::<G>(&mut skill, forget);
        if forget.contains(&skill.key) {
            // A snapshot makes this permanent: the next start need not forget it again.
            restored.is_new_build = true;
            continue;
        }
        if skill.key == process::MOUNTED && process::mounts::<G>() {
            restored.is_new_build |=
                restore_mounted(agent, &skill, forget, quoting, &mut restored.recovery)?;
        } else {
            restore_skill(agent, &skill, quoting, &mut restored.recovery)?;
        }
    }
    Ok(restored)
}

/// A snapshot with the records after it applied.
struct StateFold {
    skills: Vec<SkillSnapshot>,
    pending: PendingDirectives,
    recent: Vec<Keyed>,
    next_directive: u64,
}

impl StateFold {
    fn of(recovered: Recovered) -> Self {
        let snapshot = recovered.snapshot.unwrap_or_else(|| Snapshot::new(0, ""));
        let mut causes = LoggedCauses::default();
        let mut pending = BTreeMap::new();
        for logged in snapshot.pending {
            causes.see(&logged);
            pending.insert(logged.n, logged);
        }
        let mut folded = Self {
            skills: snapshot.skills,
            pending: PendingDirectives::new(),
            recent: snapshot.recent,
            next_directive: snapshot.next_directive,
        };
        let indexes: HashMap<String, usize> = folded
            .skills
            .iter()
            .enumerate()
            .map(|(index, skill)| (skill.key.clone(), index))
            .collect();
        for record in recovered.records {
            for changed in record.states {
                // Every log begins with a snapshot of all skills.
                if let Some(index) = indexes.get(&changed.key) {
                    folded.skills[*index].state = changed.state;
                }
            }
            for logged in record.directives {
                folded.next_directive = folded.next_directive.max(logged.n + 1);
                causes.see(&logged);
                pending.insert(logged.n, logged);
            }
            for number in record.done {
                pending.remove(&number);
            }
            folded.recent.extend(record.keyed);
            folded.recent.extend(record.decision);
        }
        folded.pending = causes.restore(pending);
        folded
    }
}

/// Whether the stored configuration equals `present`. The bytes may differ nevertheless: the order of keys depends on the
/// feature `ordered-json`.
fn is_config(stored: &[u8], present: &Value) -> bool {
    decode::<Value>(stored).is_ok_and(|stored| stored == *present)
}

fn restore_skill<G: Agent>(
    agent: &mut G,
    stored: &SkillSnapshot,
    quoting: Quoting,
    recovery: &mut Recovery,
) -> Result<(), RecoveryError> {
    let unknown = || RecoveryError::UnknownSkill {
        skill: stored.name.clone(),
        key: stored.key.clone(),
    };
    let index = (0..process::skills::<G>().len())
        .find(|index| process::key::<G>(*index) == stored.key)
        .ok_or_else(unknown)?;
    let spec = &process::skills::<G>()[index];
    let shown = |text: &str| quoting.of_skill(text, spec, &stored.state);
    if !is_config(&stored.config, &process::config(agent, index)) {
        recovery.other_configuration.push(stored.name.clone());
    }
    if process::schema_fingerprint::<G>(index) == stored.schema {
        let read = || read_state(agent, stored);
        let read = with_panics(read, shown);
        return read.map_err(|reason| RecoveryError::Unreadable {
            skill: stored.name.clone(),
            reason: shown(&reason),
        });
    }
    let stored_version = stored.version.as_deref().unwrap_or("");
    let fits = read_back(agent, &stored.key, &stored.state, Comparison::MayHaveMore);
    let is_compatible = compatible(stored_version) == compatible(spec.version.unwrap_or(""));
    if fits.is_err() || !is_compatible {
        // A value that JSON cannot represent is no reason to refuse a state that fits.
        let migrated = decode(&stored.state).ok().and_then(|LegacyState(old)| {
            let migrate = || process::migrate(agent, &stored.key, stored_version, old);
            with_panics(migrate, shown)
        });
        if let Some(migrated) = migrated {
            recovery.migrated.push(stored.name.clone());
            return migrated.map_err(|error| RecoveryError::Restore {
                skill: stored.name.clone(),
                stored: version(stored.version.as_deref()),
                reason: format!(
                    "which {} drops: {}",
                    forgetting(&stored.key),
                    shown(&full_text(error.inner()))
                ),
            });
        }
    }
    let other = |reason: NotReadBack| {
        let lost = reason.lost_path(spec.state_secrets);
        let lost = lost.map(|path| prefixed(&stored.key, path));
        let (what, forget) = match &lost {
            Some(path) => ("it", path),
            None => ("the state", &stored.key),
        };
        let reason = reason.describe(quoting, spec.state_secrets, shown);
        RecoveryError::OtherSchema {
            skill: stored.name.clone(),
            stored: version(stored.version.as_deref()),
            present: version(spec.version),
            reason: format!("{reason}; drop {what} with {}", forgetting(forget)),
        }
    };
    fits.map_err(other)?;
    let read = with_panics(|| read_state(agent, stored), shown);
    read.map_err(|reason| RecoveryError::Unreadable {
        skill: stored.name.clone(),
        reason: shown(&reason),
    })?;
    recovery.other_schema.push(stored.name.clone());
    Ok(())
}

/// The call that drops a stored state or field.
fn forgetting(key: &str) -> String {
    format!("`AgentServer::builder(...).forget(\"{key}\")`")
}

/// The part of a version that compatible versions share, as in Cargo: `1` of 1.2.3, `0.2` of 0.2.3.
fn compatible(version: &str) -> &str {
    let is_zero_or_dot = |text: char| matches!(text, '0' | '.');
    let first = version.find(|text: char| !is_zero_or_dot(text));
    let end = first.and_then(|first| Some(first + version[first..].find('.')?));
    &version[..end.unwrap_or(version.len())]
}

/// A path in the state of an agent; base fields have no key in front.
fn prefixed(key: &str, path: &str) -> String {
    match key {
        "" => path.to_owned(),
        key => format!("{key}.{path}"),
    }
}

/// Removes the forgotten fields of a stored state. Returns whether there were some.
fn forget_fields<G: Agent>(stored: &mut SkillSnapshot, forget: &[String]) -> bool {
    if stored.key == process::MOUNTED && process::mounts::<G>() {
        return false;
    }
    let path_of = |entry: &'_ String| match &*stored.key {
        "" => Some(entry.clone()),
        key => {
            let path = entry.strip_prefix(key)?.strip_prefix('.')?;
            Some(path.to_owned())
        }
    };
    let paths: Vec<String> = forget.iter().filter_map(path_of).collect();
    if paths.is_empty() {
        return false;
    }
    let Ok(mut state) = decode::<StoredValue>(&stored.state) else {
        return false;
    };
    let mut has_removed = false;
    for path in &paths {
        has_removed |= state.remove(path);
    }
    if has_removed && let Ok(encoded) = encode(&state) {
        stored.state = encoded;
    }
    has_removed
}

fn read_state<G: Agent>(agent: &mut G, stored: &SkillSnapshot) -> Result<(), String> {
    let seed = SkillStateSeed {
        agent,
        key: &stored.key,
    };
    decode_seed(seed, &stored.state).map_err(|error| error.to_string())
}

/// Restores the mounted skills. Returns whether some of them were forgotten: the key of a mounted `counter` is
/// `skills.counter`.
fn restore_mounted<G: Agent>(
    agent: &mut G,
    stored: &SkillSnapshot,
    forget: &[String],
    quoting: Quoting,
    recovery: &mut Recovery,
) -> Result<bool, RecoveryError> {
    let is_forgotten = |skill: &str| {
        let of = |key: &String| key.split_once('.') == Some((process::MOUNTED, skill));
        forget.iter().any(of)
    };
    let seed = MountedStateSeed {
        agent,
        is_forgotten: &is_forgotten,
    };
    let shown = |text: &str| quoting.of_mounted::<G>(text, &stored.state);
    let restored = with_panics(|| decode_seed(seed, &stored.state), shown);
    let restored = restored.map_err(|error| RecoveryError::Unreadable {
        skill: stored.name.clone(),
        reason: shown(&error.to_string()),
    })?;
    recovery.other_configuration.extend(restored.other_options);
    recovery.migrated.extend(restored.migrated);
    Ok(!restored.forgotten.is_empty())
}

fn version(version: Option<&str>) -> String {
    version.map_or_else(|| "(none)".to_owned(), str::to_owned)
}

/// Deserializes the state of one skill in place.
struct SkillStateSeed<'a, G> {
    agent: &'a mut G,
    key: &'a str,
}

impl<'de, G: Agent> DeserializeSeed<'de> for SkillStateSeed<'_, G> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut deserializer = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::from_stored(self.agent, self.key, &mut deserializer) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent has no such skill")),
        }
    }
}

/// Deserializes the mounted skills in place.
struct MountedStateSeed<'a, G> {
    agent: &'a mut G,
    is_forgotten: &'a dyn Fn(&str) -> bool,
}

impl<'de, G: Agent> DeserializeSeed<'de> for MountedStateSeed<'_, G> {
    type Value = RestoredMounted;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<RestoredMounted, D::Error> {
        let mut deserializer = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::mounted_from_stored(self.agent, &mut deserializer, self.is_forgotten) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent mounts no skills")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[test]
    fn the_order_of_its_keys_does_not_change_a_configuration() {
        #[derive(serde::Serialize)]
        struct Config {
            unit: &'static str,
            limit: u8,
        }
        let unit = "m";
        let stored = encode(&Config { unit, limit: 5 }).unwrap();
        assert!(is_config(&stored, &json!({ "unit": "m", "limit": 5 })));
        assert!(is_config(&stored, &json!({ "limit": 5, "unit": "m" })));
        assert!(!is_config(&stored, &json!({ "limit": 6, "unit": "m" })));
        assert!(!is_config(b"", &json!({})));
    }

    #[test]
    fn a_stored_state_becomes_the_json_that_serde_json_makes_of_it() {
        let state = json!({ "a": [1, -2, 0.5, null, true], "b": { "c": "d" } });
        assert_eq!(
            decode::<LegacyState>(&encode(&state).unwrap()).unwrap().0,
            state
        );
        let numbered = BTreeMap::from([(-1, Some('x')), (2, None)]);
        let LegacyState(value) = decode(&encode(&numbered).unwrap()).unwrap();
        assert_eq!(value, serde_json::to_value(&numbered).unwrap());
    }

    #[test]
    fn a_stored_value_that_json_cannot_represent_becomes_null_or_an_error() {
        let LegacyState(value) = decode(&encode(&[f64::NAN, f64::INFINITY]).unwrap()).unwrap();
        assert_eq!(value, json!([null, null]));
        let odd = BTreeMap::from([((1, 2), 3)]);
        assert!(decode::<LegacyState>(&encode(&odd).unwrap()).is_err());
    }
}
