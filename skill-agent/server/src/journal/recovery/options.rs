//! The builder's options for a refused recovery: `forget`, `adopt_agent` and `adopt_skill`.

use super::fold::StateFold;
use crate::error::RecoveryError;
use crate::journal::any_agent::{AnyAgent, FindMountable};
use skill_agent_store::{SkillSnapshot, decode, encode};
use skill_core::__private::nearest;
use skill_core::SkillSpec;
use skill_core::process::{self, StoredValue};

/// Changes that the builder makes to a stored state.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecoveryOptions {
    /// State keys and field paths to drop.
    pub(crate) forget: Vec<String>,
    /// Earlier agent names.
    pub(crate) adopt_agents: Vec<String>,
    /// Pairs of an old and a new state key.
    pub(crate) adopt_skills: Vec<(String, String)>,
}

impl RecoveryOptions {
    pub(super) fn check_agent(
        &self,
        stored: &str,
        present: &'static str,
    ) -> Result<(), RecoveryError> {
        let is_adopted = self.adopt_agents.iter().any(|name| name == stored);
        if stored == present || is_adopted {
            return Ok(());
        }
        let stored = stored.to_owned();
        Err(RecoveryError::OtherAgent { stored, present })
    }

    /// Checks that each stored state belongs to the skill with its key, or that this skill adopts it.
    pub(super) fn check_skills(
        &self,
        agent: &dyn AnyAgent,
        stored: &[SkillSnapshot],
    ) -> Result<(), RecoveryError> {
        let moved: Vec<_> = stored
            .iter()
            .filter_map(|skill| Some((skill, self.other_skill(agent, skill)?)))
            .collect();
        // Report a state that the builder does not move first, because such a state may block a move.
        let waits = |skill: &SkillSnapshot| self.target(&skill.key).is_some();
        let first = moved.iter().find(|(skill, _)| !waits(skill));
        let Some((skill, present)) = first.or_else(|| moved.first()) else {
            return Ok(());
        };
        let own = || (skill.key.clone(), skill.key.clone());
        let mut adoptions = Vec::new();
        let mut next = Some(*skill);
        while let Some(skill) = next
            && adoptions.len() < stored.len()
            && let Some(key) = present_key_of(agent, skill)
        {
            adoptions.push((skill.key.clone(), key.to_owned()));
            let mut moved = moved.iter().map(|(skill, _)| *skill);
            next = moved.find(|skill| {
                skill.key == key && adoptions.iter().all(|(old, _)| *old != skill.key)
            });
        }
        if adoptions.is_empty() {
            adoptions.push(own());
        }
        Err(RecoveryError::OtherSkill {
            stored: skill.declared.clone(),
            present: present.declared_name(),
            key: skill.key.clone(),
            adoptions,
        })
    }

    /// Returns the skill under a stored state's key if the state belongs to a different skill and is not adopted.
    fn other_skill(
        &self,
        agent: &dyn AnyAgent,
        stored: &SkillSnapshot,
    ) -> Option<&'static SkillSpec> {
        let key = &*stored.key;
        // The base fields have the agent's name, which is already checked.
        let present = agent.skill_at(key).filter(|_| !key.is_empty())?;
        let is_adopted = |(old, new): &(String, String)| old == key && new == key;
        let is_own = is_of_skill(stored, present) || self.adopt_skills.iter().any(is_adopted);
        (!is_own).then_some(present)
    }

    /// Returns the new key for the state under `old`.
    fn target(&self, old: &str) -> Option<&str> {
        let found = self.adopt_skills.iter().find(|(from, _)| from == old);
        found.map(|(_, to)| to.as_str())
    }

    /// Checks that the agent has every skill that adopts a state.
    pub(super) fn check_adopted(&self, agent: &dyn AnyAgent) -> Result<(), RecoveryError> {
        for (old, new) in &self.adopt_skills {
            if agent.skill_at(new).is_none() {
                // The first skill is the agent itself.
                let keys = 1..agent.skills().len();
                let keys = keys.map(|index| format!("`{}`", agent.key(index)));
                return Err(RecoveryError::UnknownKey {
                    old: old.clone(),
                    new: new.clone(),
                    known: keys.collect::<Vec<_>>().join(", "),
                });
            }
            self.check_swap(agent, old, new)?;
        }
        Ok(())
    }

    /// Checks that a cycle of renames, such as `a` to `b` and `b` to `a`, does not give a state to another instance of the same
    /// skill.
    fn check_swap(&self, agent: &dyn AnyAgent, old: &str, new: &str) -> Result<(), RecoveryError> {
        let next = |key: &&str| self.target(key);
        let keys = std::iter::successors(Some(new), next).take(self.adopt_skills.len());
        let is_circle = old != new && keys.skip(1).any(|key| key == old);
        let specs = agent.skill_at(old).zip(agent.skill_at(new));
        match specs {
            Some((one, other)) if is_circle && one.declared_name() == other.declared_name() => {
                Err(RecoveryError::SwappedInstances {
                    old: old.to_owned(),
                    new: new.to_owned(),
                    skill: one.declared_name(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Changes the state keys of renamed skills, and returns the renames. A key is not reused while another state keeps it.
    pub(super) fn rename_skills(
        &self,
        agent: &dyn AnyAgent,
        folded: &mut StateFold,
    ) -> Vec<(String, String)> {
        let stored: Vec<String> = folded
            .skills
            .iter()
            .map(|skill| skill.key.clone())
            .collect();
        let mut renamed = Vec::new();
        for skill in &mut folded.skills {
            if let Some(new) = self.present_key(agent, skill, &stored) {
                renamed.push((std::mem::replace(&mut skill.key, new.clone()), new.clone()));
                if let Some(spec) = agent.skill_at(&new) {
                    spec.declared_name().clone_into(&mut skill.declared);
                }
            }
        }
        renamed
    }

    /// Returns the new state key of a skill that has to be renamed, or `None`. In a chain of renames, such as `a` to `b` and `b`
    /// to `c`, the last key must be free. In a cycle, such as `a` to `b` and `b` to `a`, the skill names show whether the states
    /// were renamed before.
    fn present_key(
        &self,
        agent: &dyn AnyAgent,
        skill: &SkillSnapshot,
        stored: &[String],
    ) -> Option<String> {
        let old = &*skill.key;
        let present = self.target(old)?;
        let mut last = present;
        for _ in &self.adopt_skills {
            if !stored.iter().any(|key| key == last) {
                return Some(present.to_owned());
            }
            last = self.target(last)?;
            if last == old {
                let is_at = |key| {
                    agent
                        .skill_at(key)
                        .is_some_and(|spec| is_of_skill(skill, spec))
                };
                return (is_at(present) && !is_at(old)).then(|| present.to_owned());
            }
        }
        None
    }

    /// Returns whether the state belongs to the skill with its key, and an earlier start moved it there.
    pub(super) fn has_adopted(
        &self,
        agent: &dyn AnyAgent,
        skill: &SkillSnapshot,
        stored: &[String],
    ) -> bool {
        let mut moves = self.adopt_skills.iter().filter(|(old, new)| old != new);
        moves.any(|(old, new)| *new == skill.key && !stored.contains(old))
            && agent
                .skill_at(&skill.key)
                .is_some_and(|spec| is_of_skill(skill, spec))
    }

    /// Returns the last part of an error message. Among the `forget` entries that matched no field, it names the one most similar
    /// to `key`. Returns an empty string if no entry is similar.
    pub(super) fn misspelled(&self, key: &str, forgotten: &[String]) -> String {
        let unused = self
            .forget
            .iter()
            .filter(|entry| !forgotten.contains(entry));
        match nearest(key, unused.map(String::as_str)) {
            Some(entry) => format!("; `forget(\"{entry}\")` names nothing that is stored"),
            None => String::new(),
        }
    }

    /// Removes forgotten fields from a listed skill's stored state. Returns the `forget` entries that matched a field.
    pub(super) fn forget_fields(&self, stored: &mut SkillSnapshot) -> Vec<String> {
        let key = stored.key.clone();
        self.remove_fields(stored, |state, entry| remove_field(state, &key, entry))
    }

    /// Removes forgotten fields from the stored states of mounted skills. Returns the `forget` entries that matched a field.
    pub(super) fn forget_mounted_fields(
        &self,
        mountable: FindMountable,
        stored: &mut SkillSnapshot,
    ) -> Vec<String> {
        self.remove_fields(stored, |mounted, entry| {
            let entry = field_path(process::MOUNTED, entry);
            let (Some(entry), StoredValue::List(skills)) = (entry, mounted) else {
                return false;
            };
            let mut skills = skills.iter_mut();
            skills.any(|skill| remove_mounted_field(mountable, skill, entry))
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

/// Returns the current state key of the skill that stored a state.
fn present_key_of(agent: &dyn AnyAgent, stored: &SkillSnapshot) -> Option<&'static str> {
    // The first skill is the agent itself.
    let mut skills = 1..agent.skills().len();
    let found = skills.find(|index| is_of_skill(stored, &agent.skills()[*index]));
    found.map(|skill| agent.key(skill))
}

/// Returns whether a skill has the name under which a state was stored.
fn is_of_skill(stored: &SkillSnapshot, spec: &SkillSpec) -> bool {
    stored.declared == spec.declared_name()
}

/// Removes a field from the stored state of the skill with this key.
fn remove_field(state: &mut StoredValue, key: &str, entry: &str) -> bool {
    field_path(key, entry).is_some_and(|path| state.remove(path))
}

/// Removes a field from a stored mounted skill. The entry contains the skill's name or its state key.
fn remove_mounted_field(mountable: FindMountable, skill: &mut StoredValue, entry: &str) -> bool {
    let Some((name, state)) = process::stored_name_and_state(skill) else {
        return false;
    };
    let key = mountable(name).map(|spec| spec.state_key);
    remove_field(state, name, entry) || key.is_some_and(|key| remove_field(state, key, entry))
}

/// Returns the path within a skill's state, without a key in front for base fields.
fn field_path<'a>(key: &str, entry: &'a str) -> Option<&'a str> {
    match key {
        "" => Some(entry),
        key => entry.strip_prefix(key)?.strip_prefix('.'),
    }
}

/// Converts a path within a skill's state to a path within the agent's state.
pub(super) fn agent_path(key: &str, path: &str) -> String {
    match key {
        "" => path.to_owned(),
        key => format!("{key}.{path}"),
    }
}

/// Formats the call that drops a stored state or field.
pub(super) fn forget_call(key: &str) -> String {
    format!("`AgentServer::builder(...).forget(\"{key}\")`")
}
