//! An agent without its type, for the code of its log.

use serde_json::Value;
use skill_agent_store::EncodeError;
use skill_core::bounds::StoredState;
use skill_core::process::{self, RestoredMounted};
use skill_core::{Agent, HookError, Problem, SkillSpec};

/// The result of reading a stored state, or `None` if the agent has no such skill or cannot mount skills.
type Read<T> = Option<Result<T, erased_serde::Error>>;

/// An agent without its type, so that the code of its log is compiled once and not with each agent. Most methods call the function
/// of [`process`] with the same name.
pub(crate) trait AnyAgent: Send + Sync {
    fn name(&self) -> &'static str;
    fn build(&self) -> String;
    fn skills(&self) -> &'static [SkillSpec];
    fn key(&self, skill: usize) -> &'static str;
    fn skill_at(&self, key: &str) -> Option<&'static SkillSpec>;
    fn schema_fingerprint(&self, skill: usize) -> u64;
    /// Returns the hash of the schema of the skill with this key, or 0 for the mounted skills, whose state contains their hashes.
    fn schema_of(&self, key: &str) -> Option<u64>;
    fn state_hash(&self, key: &str, state: &Value) -> u64;
    fn mounts(&self) -> bool;
    fn mountable(&self) -> FindMountable;
    fn config(&self, skill: usize) -> Value;
    fn take_config(&mut self);
    fn kept_fields(&self, skill: usize, config: Option<&Value>) -> Vec<&'static str>;
    fn kept_fields_of_mounted(&self, skill: &str) -> Vec<&'static str>;
    fn violations(&self, quotes: bool) -> Vec<Problem>;
    fn with_stored(&self, key: &str, write: Encode) -> Option<Result<Vec<u8>, EncodeError>>;
    fn restore(&mut self, key: &str, stored: &mut StoredState<'_, '_>) -> Read<()>;
    fn restore_mounted(
        &mut self,
        stored: &mut StoredState<'_, '_>,
        is_forgotten: &dyn Fn(&str) -> bool,
    ) -> Read<RestoredMounted>;
    fn read_back(
        &self,
        key: &str,
        stored: &mut StoredState<'_, '_>,
        write: &mut dyn FnMut(&dyn erased_serde::Serialize),
    ) -> Read<()>;
    fn migrate(&mut self, key: &str, version: &str, state: Value) -> Option<Result<(), HookError>>;
}

/// Finds the spec of a skill that the agent may mount, by the skill's name.
pub(super) type FindMountable = fn(&str) -> Option<&'static SkillSpec>;

/// Encodes a state.
pub(super) type Encode = fn(&dyn erased_serde::Serialize) -> Result<Vec<u8>, EncodeError>;

impl<G: Agent> AnyAgent for G {
    fn name(&self) -> &'static str {
        G::SPEC.name
    }

    fn build(&self) -> String {
        process::build::<G>()
    }

    fn skills(&self) -> &'static [SkillSpec] {
        process::skills::<G>()
    }

    fn key(&self, skill: usize) -> &'static str {
        process::key::<G>(skill)
    }

    fn skill_at(&self, key: &str) -> Option<&'static SkillSpec> {
        process::skill_at::<G>(key)
    }

    fn schema_fingerprint(&self, skill: usize) -> u64 {
        process::schema_fingerprint::<G>(skill)
    }

    fn schema_of(&self, key: &str) -> Option<u64> {
        if key == process::MOUNTED {
            return self.mounts().then_some(0);
        }
        let mut skills = 0..self.skills().len();
        let skill = skills.find(|skill| self.key(*skill) == key)?;
        Some(self.schema_fingerprint(skill))
    }

    fn state_hash(&self, key: &str, state: &Value) -> u64 {
        process::state_hash::<G>(key, state)
    }

    fn mounts(&self) -> bool {
        process::mounts::<G>()
    }

    fn mountable(&self) -> FindMountable {
        process::mountable::<G>
    }

    fn config(&self, skill: usize) -> Value {
        process::config(self, skill)
    }

    fn take_config(&mut self) {
        process::take_config(self);
    }

    fn kept_fields(&self, skill: usize, config: Option<&Value>) -> Vec<&'static str> {
        process::kept_fields(self, skill, config)
    }

    fn kept_fields_of_mounted(&self, skill: &str) -> Vec<&'static str> {
        process::kept_fields_of_mounted(self, skill)
    }

    fn violations(&self, quotes: bool) -> Vec<Problem> {
        process::violations(self, quotes)
    }

    fn with_stored(&self, key: &str, write: Encode) -> Option<Result<Vec<u8>, EncodeError>> {
        process::with_stored(self, key, write)
    }

    fn restore(&mut self, key: &str, stored: &mut StoredState<'_, '_>) -> Read<()> {
        process::from_stored(self, key, stored)
    }

    fn restore_mounted(
        &mut self,
        stored: &mut StoredState<'_, '_>,
        is_forgotten: &dyn Fn(&str) -> bool,
    ) -> Read<RestoredMounted> {
        process::mounted_from_stored(self, stored, is_forgotten)
    }

    fn read_back(
        &self,
        key: &str,
        stored: &mut StoredState<'_, '_>,
        write: &mut dyn FnMut(&dyn erased_serde::Serialize),
    ) -> Read<()> {
        process::read_back(self, key, stored, write)
    }

    fn migrate(&mut self, key: &str, version: &str, state: Value) -> Option<Result<(), HookError>> {
        process::migrate(self, key, version, state)
    }
}
