//! What a log holds, taken over by an agent.

use super::error::RecoveryError;
use super::ledger::weight;
use crate::store::{
    Keyed, Logged, Recovered, SkillSnapshot, Snapshot, decode, decode_seed, encode,
};
use serde::de::{DeserializeSeed, Deserializer, Error};
use skill_core::Agent;
use skill_core::process::{self, LegacyState, RestoredMounted};
use std::collections::{BTreeMap, HashMap};

/// What a server found in its store; see [`AgentServer::recovery`](crate::AgentServer::recovery).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// Whether there was a stored state.
    pub is_restored: bool,
    /// How many records were read after the snapshot.
    pub records: usize,
    /// How many directives were not done, and are carried out again.
    pub directives: usize,
    /// What was cut off, where the log was damaged.
    pub damage: Option<String>,
    /// The skills whose configuration is not the one that was stored.
    pub other_configuration: Vec<String>,
    /// The skills whose state was made from one of another shape by `Hooks::restore`.
    pub migrated: Vec<String>,
}

/// All that a log amounts to.
pub(crate) struct Taken {
    pub(crate) recovery: Recovery,
    pub(crate) seq: u64,
    pub(crate) next_directive: u64,
    pub(crate) pending: BTreeMap<u64, Logged>,
    pub(crate) recent: Vec<Keyed>,
    /// About how many bytes the records have.
    pub(crate) bytes: usize,
    /// A snapshot comes before the first record of this build.
    pub(crate) is_new_build: bool,
}

/// Lays what was stored over a fresh agent. No code of the user's runs, but for `Hooks::restore` where a shape has changed.
pub(crate) fn take_over<G: Agent>(
    agent: &mut G,
    recovered: Recovered,
    forget: &[String],
    build: &str,
) -> Result<Taken, RecoveryError> {
    let seq = recovered.last_seq();
    let damage = recovered.damage.as_ref().map(ToString::to_string);
    let records = recovered.records.len();
    // A first start that failed leaves a snapshot of what the agent began with, and no record of `on_mount`.
    let is_left_over = |snapshot: &Snapshot| {
        let has_hooks = (0..process::skills::<G>().len()).any(process::has_hooks::<G>);
        seq == 0 && damage.is_none() && snapshot.build == build && has_hooks
    };
    let is_restored = recovered.last_seq() > 0
        || damage.is_some()
        || recovered
            .snapshot
            .as_ref()
            .is_some_and(|it| !is_left_over(it));
    let recovered = match is_restored {
        true => recovered,
        false => Recovered::default(),
    };
    let is_new_build = recovered
        .snapshot
        .as_ref()
        .is_none_or(|snapshot| snapshot.build != build);
    let bytes = recovered.records.iter().map(weight).sum();
    let sum = Sum::of(recovered);
    let mut taken = Taken {
        recovery: Recovery {
            is_restored,
            records,
            directives: sum.pending.len(),
            damage,
            ..Recovery::default()
        },
        seq,
        next_directive: sum.next_directive,
        pending: sum.pending,
        recent: sum.recent,
        bytes,
        is_new_build,
    };
    for skill in sum.skills {
        if forget.contains(&skill.key) {
            // for good: the next start need not be told again
            taken.is_new_build = true;
            continue;
        }
        if skill.key == process::MOUNTED && process::mounts::<G>() {
            taken.is_new_build |= take_mounted(agent, &skill, forget, &mut taken.recovery)?;
        } else {
            take_skill(agent, &skill, &mut taken.recovery)?;
        }
    }
    Ok(taken)
}

/// A snapshot and the records after it, added up.
struct Sum {
    skills: Vec<SkillSnapshot>,
    pending: BTreeMap<u64, Logged>,
    recent: Vec<Keyed>,
    next_directive: u64,
}

impl Sum {
    fn of(recovered: Recovered) -> Self {
        let snapshot = recovered.snapshot.unwrap_or_else(|| Snapshot::new(0, ""));
        let mut sum = Self {
            skills: snapshot.skills,
            pending: snapshot.pending.into_iter().map(|it| (it.n, it)).collect(),
            recent: snapshot.recent,
            next_directive: snapshot.next_directive,
        };
        let places: HashMap<String, usize> = sum
            .skills
            .iter()
            .enumerate()
            .map(|(place, skill)| (skill.key.clone(), place))
            .collect();
        for record in recovered.records {
            for image in record.states {
                // every log begins with a snapshot of all skills
                if let Some(place) = places.get(&image.key) {
                    sum.skills[*place].state = image.state;
                }
            }
            for logged in record.directives {
                sum.next_directive = sum.next_directive.max(logged.n + 1);
                sum.pending.insert(logged.n, logged);
            }
            for number in record.done {
                sum.pending.remove(&number);
            }
            sum.recent.extend(record.keyed);
        }
        sum
    }
}

fn take_skill<G: Agent>(
    agent: &mut G,
    stored: &SkillSnapshot,
    recovery: &mut Recovery,
) -> Result<(), RecoveryError> {
    let unknown = || RecoveryError::UnknownSkill {
        skill: stored.name.clone(),
        key: stored.key.clone(),
    };
    let place = (0..process::skills::<G>().len())
        .find(|place| process::key::<G>(*place) == stored.key)
        .ok_or_else(unknown)?;
    let spec = &process::skills::<G>()[place];
    let config = encode(&process::config(agent, place)).unwrap_or_default();
    if config != stored.config {
        recovery.other_configuration.push(stored.name.clone());
    }
    if process::schema_fingerprint::<G>(place) == stored.schema {
        return take_stored(agent, stored);
    }
    let other = |reason: String| RecoveryError::OtherSchema {
        skill: stored.name.clone(),
        stored: version(stored.version.as_deref()),
        present: version(spec.version),
        reason,
    };
    let LegacyState(old) = decode(&stored.state).map_err(|error| other(error.to_string()))?;
    let of = stored.version.as_deref().unwrap_or("");
    match process::migrate(agent, &stored.key, of, old) {
        Some(Ok(())) => {
            recovery.migrated.push(stored.name.clone());
            Ok(())
        }
        Some(Err(error)) => Err(other(error.to_string())),
        None => Err(other("it has no hooks".to_owned())),
    }
}

fn take_stored<G: Agent>(agent: &mut G, stored: &SkillSnapshot) -> Result<(), RecoveryError> {
    let image = Image {
        agent,
        key: &stored.key,
    };
    decode_seed(image, &stored.state).map_err(|error| RecoveryError::Unreadable {
        skill: stored.name.clone(),
        reason: error.to_string(),
    })
}

/// Whether some of them were forgotten: `skills.counter` is the mounted `counter`.
fn take_mounted<G: Agent>(
    agent: &mut G,
    stored: &SkillSnapshot,
    forget: &[String],
    recovery: &mut Recovery,
) -> Result<bool, RecoveryError> {
    let is_forgotten = |skill: &str| {
        let of = |key: &String| key.split_once('.') == Some((process::MOUNTED, skill));
        forget.iter().any(of)
    };
    let image = MountedImage {
        agent,
        is_forgotten: &is_forgotten,
    };
    let taken = decode_seed(image, &stored.state).map_err(|error| RecoveryError::Unreadable {
        skill: stored.name.clone(),
        reason: error.to_string(),
    })?;
    recovery.other_configuration.extend(taken.other_options);
    recovery.migrated.extend(taken.migrated);
    Ok(!taken.forgotten.is_empty())
}

fn version(version: Option<&str>) -> String {
    version.map_or_else(|| "(none)".to_owned(), str::to_owned)
}

/// The state of one skill, to be read in place.
struct Image<'a, G> {
    agent: &'a mut G,
    key: &'a str,
}

impl<'de, G: Agent> DeserializeSeed<'de> for Image<'_, G> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut image = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::from_stored(self.agent, self.key, &mut image) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent has no such skill")),
        }
    }
}

/// The mounted skills, to be read in place.
struct MountedImage<'a, G> {
    agent: &'a mut G,
    is_forgotten: &'a dyn Fn(&str) -> bool,
}

impl<'de, G: Agent> DeserializeSeed<'de> for MountedImage<'_, G> {
    type Value = RestoredMounted;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<RestoredMounted, D::Error> {
        let mut image = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match process::mounted_from_stored(self.agent, &mut image, self.is_forgotten) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent mounts no skills")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_json_can_say_is_what_serde_json_says() {
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
    fn what_json_cannot_say_is_null_or_an_error() {
        let LegacyState(value) = decode(&encode(&[f64::NAN, f64::INFINITY]).unwrap()).unwrap();
        assert_eq!(value, json!([null, null]));
        let odd = BTreeMap::from([((1, 2), 3)]);
        assert!(decode::<LegacyState>(&encode(&odd).unwrap()).is_err());
    }
}
