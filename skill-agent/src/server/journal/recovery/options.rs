//! The ways out of a refused recovery that the builder offers: `forget`, `adopt_agent` and `adopt_skill`.

use super::fold::StateFold;
use crate::server::error::RecoveryError;
use crate::server::idempotency::key_of_instance;
use crate::store::{SkillSnapshot, decode, encode};
use skill_core::process::{self, StoredValue};
use skill_core::{Agent, SkillSpec};

/// The changes that the builder makes to a stored state.
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
    pub(super) fn check_agent(
        &self,
        stored: &str,
        present: &'static str,
    ) -> Result<(), RecoveryError> {
        let is_adopted = self.adopt_agents.iter().any(|name| name == stored);
        if stored.is_empty() || stored == present || is_adopted {
            return Ok(());
        }
        let stored = stored.to_owned();
        Err(RecoveryError::OtherAgent { stored, present })
    }

    /// Checks that a stored state belongs to the skill with its key, unless the skill adopts it.
    pub(super) fn check_skill<G: Agent>(
        &self,
        stored: &SkillSnapshot,
        present: &SkillSpec,
    ) -> Result<(), RecoveryError> {
        let is_adopted = |(old, new): &(String, String)| *new == stored.key && *old == stored.key;
        // The base fields have the name of the agent, which was checked.
        if stored.key.is_empty()
            || is_of_skill(stored, present)
            || self.adopt_skills.iter().any(is_adopted)
        {
            return Ok(());
        }
        let mut keys = 1..process::skills::<G>().len();
        let moved = keys.find(|index| is_of_skill(stored, &process::skills::<G>()[*index]));
        Err(RecoveryError::OtherSkill {
            stored: declared_name(stored).to_owned(),
            present: present.declared_name(),
            key: stored.key.clone(),
            adopter: moved.map_or_else(
                || stored.key.clone(),
                |index| process::key::<G>(index).to_owned(),
            ),
        })
    }

    /// Checks that the agent has the skills that take over a state.
    pub(super) fn check_adopted<G: Agent>(&self) -> Result<(), RecoveryError> {
        for (old, new) in &self.adopt_skills {
            if process::skill_at::<G>(new).is_none() {
                // The first one is the agent itself.
                let keys = 1..process::skills::<G>().len();
                let keys = keys.map(|index| format!("`{}`", process::key::<G>(index)));
                return Err(RecoveryError::UnknownKey {
                    old: old.clone(),
                    new: new.clone(),
                    known: keys.collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(())
    }

    /// Gives the states of renamed skills their present keys. Returns the renamed ones. A state is not renamed to the key of another
    /// one that keeps its key.
    pub(super) fn rename_skills<G: Agent>(&self, folded: &mut StateFold) -> Vec<(String, String)> {
        let stored: Vec<String> = folded
            .skills
            .iter()
            .map(|skill| skill.key.clone())
            .collect();
        let mut renamed = Vec::new();
        for skill in &mut folded.skills {
            if let Some(new) = self.present_key::<G>(skill, &stored) {
                renamed.push((std::mem::replace(&mut skill.key, new.clone()), new.clone()));
                if let Some(spec) = process::skill_at::<G>(&new) {
                    spec.declared_name().clone_into(&mut skill.declared);
                }
            }
        }
        for keyed in &mut folded.keyed {
            let present = |(old, new): &(String, String)| key_of_instance(&keyed.key, old, new);
            if let Some(key) = renamed.iter().find_map(present) {
                keyed.key = key;
            }
        }
        renamed
    }

    /// The present key of a renamed skill. When states are renamed in a row, such as `a` to `b` and `b` to `c`, the last key must be free.
    /// In a circle, such as `a` to `b` and `b` to `a`, the names of the skills show whether the states were renamed before.
    fn present_key<G: Agent>(&self, skill: &SkillSnapshot, stored: &[String]) -> Option<String> {
        let old = &*skill.key;
        let target = |old: &str| {
            let found = self.adopt_skills.iter().find(|(from, _)| from == old);
            found.map(|(_, to)| to.as_str())
        };
        let present = target(old)?;
        let mut last = present;
        for _ in &self.adopt_skills {
            if !stored.iter().any(|key| key == last) {
                return Some(present.to_owned());
            }
            last = target(last)?;
            if last == old {
                let is_at =
                    |key| process::skill_at::<G>(key).is_some_and(|spec| is_of_skill(skill, spec));
                return (is_at(present) && !is_at(old)).then(|| present.to_owned());
            }
        }
        None
    }

    /// Removes the forgotten fields of the stored state of a listed skill. Returns the entries of `forget` that had a field.
    pub(super) fn forget_fields(&self, stored: &mut SkillSnapshot) -> Vec<String> {
        let key = stored.key.clone();
        self.remove_fields(stored, |state, entry| remove_field(state, &key, entry))
    }

    /// Removes the forgotten fields of the stored states of the mounted skills. Returns the entries of `forget` that had a field.
    pub(super) fn forget_mounted_fields<G: Agent>(
        &self,
        stored: &mut SkillSnapshot,
    ) -> Vec<String> {
        self.remove_fields(stored, |mounted, entry| {
            let entry = field_path(process::MOUNTED, entry);
            let (Some(entry), StoredValue::List(skills)) = (entry, mounted) else {
                return false;
            };
            let mut skills = skills.iter_mut();
            skills.any(|skill| remove_mounted_field::<G>(skill, entry))
        })
    }

    fn remove_fields(
        &self,
        stored: &mut SkillSnapshot,
        mut remove: impl FnMut(&mut StoredValue, &str) -> bool,
    ) -> Vec<String> {
        if self.forget.is_empty() {
            return Vec::new();
        }
        let Ok(mut state) = decode::<StoredValue>(&stored.state) else {
            return Vec::new();
        };
        let entries = self.forget.iter();
        let removed = entries.filter(|entry| remove(&mut state, entry));
        let removed: Vec<_> = removed.cloned().collect();
        match encode(&state) {
            Ok(encoded) if !removed.is_empty() => stored.state = encoded,
            Ok(_) | Err(_) => return Vec::new(),
        }
        removed
    }
}

/// Whether a skill has the name under which a state was stored.
fn is_of_skill(stored: &SkillSnapshot, spec: &SkillSpec) -> bool {
    // Earlier builds stored the name of the instance alone.
    if stored.declared.is_empty() {
        return stored.name == spec.name;
    }
    stored.declared == spec.declared_name()
}

fn declared_name(stored: &SkillSnapshot) -> &str {
    match &*stored.declared {
        "" => &stored.name,
        declared => declared,
    }
}

/// Removes a field from the stored state of the skill with that key.
fn remove_field(state: &mut StoredValue, key: &str, entry: &str) -> bool {
    field_path(key, entry).is_some_and(|path| state.remove(path))
}

/// Removes a field from a stored mounted skill, which the entry calls by its name or by its state key.
fn remove_mounted_field<G: Agent>(skill: &mut StoredValue, entry: &str) -> bool {
    let Some((name, state)) = process::stored_name_and_state(skill) else {
        return false;
    };
    let key = process::mountable::<G>(name).map(|spec| spec.state_key);
    remove_field(state, name, entry) || key.is_some_and(|key| remove_field(state, key, entry))
}

/// The path within the state of a skill; base fields have no key in front.
fn field_path<'a>(key: &str, entry: &'a str) -> Option<&'a str> {
    match key {
        "" => Some(entry),
        key => entry.strip_prefix(key)?.strip_prefix('.'),
    }
}

/// The path in the state of an agent of a path within the state of a skill.
pub(super) fn agent_path(key: &str, path: &str) -> String {
    match key {
        "" => path.to_owned(),
        key => format!("{key}.{path}"),
    }
}

/// The call that drops a stored state or field.
pub(super) fn forget_call(key: &str) -> String {
    format!("`AgentServer::builder(...).forget(\"{key}\")`")
}
