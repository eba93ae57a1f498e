//! Restores the states of skills.

use super::Recovery;
use super::fits::{check_fit, unreadable_part};
use super::options::{RecoveryOptions, agent_path, forget_call};
use super::stored_fit::{Cure, MOST_NAMES, Misfit};
use crate::error::RecoveryError;
use crate::error::start::NO_VERSION;
use crate::journal::any_agent::AnyAgent;
use crate::journal::read_back::{Droppable, NotReadBack};
use crate::journal::states::erased::decode_erased;
use crate::journal::stored_text::{Quoting, with_panics};
use serde_json::Value;
use skill_agent_store::{SkillSnapshot, decode, encode};
use skill_core::SkillSpec;
use skill_core::bounds::StoredState;
use skill_core::process::{self, OtherState, RestoredMounted, StoredValue, full_text};

/// Restores skill states into an agent.
pub(super) struct SkillRecovery<'a> {
    pub(super) agent: &'a mut dyn AnyAgent,
    pub(super) options: &'a RecoveryOptions,
    pub(super) quoting: Quoting,
    pub(super) recovery: Recovery,
    /// Skills, each with a field that keeps its stored value although the configuration has a different value.
    pub(super) kept_fields: Vec<(String, &'static str)>,
}

impl SkillRecovery<'_> {
    /// Restores a listed skill's state.
    pub(super) fn restore(&mut self, stored: &SkillSnapshot) -> Result<(), RecoveryError> {
        let index = (0..self.agent.skills().len())
            .find(|index| self.agent.key(*index) == stored.key)
            .ok_or_else(|| RecoveryError::UnknownSkill {
                skill: stored.name.clone(),
                key: stored.key.clone(),
                misspelled: self.misspelled(&stored.key),
            })?;
        let spec = &self.agent.skills()[index];
        let is_same_schema = self.agent.schema_fingerprint(index) == stored.schema;
        if is_same_schema && spec.is_compatible_with(stored.version.as_deref()) {
            self.read(stored, spec)?;
        } else {
            self.restore_other(stored, spec, is_same_schema)?;
        }
        if !is_config(&stored.config, &self.agent.config(index)) {
            let other = &mut self.recovery.other_configuration;
            other.push(stored.name.clone());
            let config = decode::<Value>(&stored.config).ok();
            self.keep_fields(&stored.name, |agent| {
                agent.kept_fields(index, config.as_ref())
            });
        }
        Ok(())
    }

    /// Records the fields that keep a stored value although the configuration has a different value. Records nothing if the skill's
    /// code panics.
    fn keep_fields(
        &mut self,
        skill: &str,
        fields: impl FnOnce(&dyn AnyAgent) -> Vec<&'static str>,
    ) {
        let fields = process::catch(|| fields(self.agent)).unwrap_or_default();
        let fields = fields.into_iter().map(|field| (skill.to_owned(), field));
        self.kept_fields.extend(fields);
    }

    /// Restores a state with another schema or an incompatible version. A state that does not fit or has an incompatible version
    /// is converted with `Hooks::restore`. Without this hook, the state is used if it fits.
    fn restore_other(
        &mut self,
        stored: &SkillSnapshot,
        spec: &SkillSpec,
        is_same_schema: bool,
    ) -> Result<(), RecoveryError> {
        let fits = check_fit(self.agent, stored, spec);
        let state = decode::<StoredValue>(&stored.state).ok();
        let must_convert = fits.is_err() || !spec.is_compatible_with(stored.version.as_deref());
        if must_convert
            && let Some(state) = &state
            && let Some(migrated) = self.migrate(stored, spec, state.to_json())
        {
            return migrated;
        }
        if let Err(misfit) = fits {
            return Err(self.does_not_fit(stored, spec, *misfit));
        }
        self.read(stored, spec)?;
        let recovery = &mut self.recovery;
        let taken = if is_same_schema {
            &mut recovery.other_version
        } else {
            &mut recovery.other_schema
        };
        taken.push(stored.name.clone());
        Ok(())
    }

    /// Calls `Hooks::restore`. Returns `None` if the skill does not implement it.
    fn migrate(
        &mut self,
        stored: &SkillSnapshot,
        spec: &SkillSpec,
        state: Value,
    ) -> Option<Result<(), RecoveryError>> {
        let quoting = self.quoting;
        let shown = |text: &str| quoting.of_skill(text, spec, &stored.state);
        let stored_version = stored.version.as_deref().unwrap_or("");
        let migrate = || self.agent.migrate(&stored.key, stored_version, state);
        let migrated = with_panics(migrate, shown)?;
        Some(match migrated {
            Ok(()) => {
                self.recovery.migrated.push(stored.name.clone());
                Ok(())
            }
            Err(error) => Err(RecoveryError::Restore {
                skill: stored.name.clone(),
                stored: version(stored.version.as_deref()),
                reason: format!(
                    "which {} drops: {}",
                    forget_call(&stored.key),
                    shown(&full_text(error.inner()))
                ),
            }),
        })
    }

    fn does_not_fit(
        &self,
        stored: &SkillSnapshot,
        spec: &SkillSpec,
        misfit: Misfit,
    ) -> RecoveryError {
        let reason = misfit.reason;
        let droppable = reason.droppable(misfit.unreadable_part, spec.state_secrets);
        // Names inside a secret are not shown.
        let is_in_secret = match (&reason, &droppable) {
            (NotReadBack::Different(lost), Some(part)) => part.is_lost && lost.path() != part.path,
            _ => false,
        };
        let is_different = matches!(reason, NotReadBack::Different(_));
        let (drop, forget) = way_out(stored, droppable);
        let shown = |text: &str| self.quoting.of_skill(text, spec, &stored.state);
        let reason = reason.describe(self.quoting, spec.state_secrets, shown);
        let alias = |what: &str, name: &str| {
            format!("read {what} under its new name with `#[serde(alias = \"{name}\")]`, ")
        };
        let cure = match misfit.cure.as_ref().filter(|_| !is_in_secret) {
            Some(Cure::Alias(field)) if is_different => alias("it", field),
            Some(Cure::Alias(field)) => alias(&format!("`{field}`"), field),
            Some(Cure::VariantAlias) => alias("the variant", "…"),
            Some(Cure::Default(field)) => {
                format!("give `{field}` a default with `#[serde(default)]`, ")
            }
            Some(Cure::Restore) | None => String::new(),
        };
        let ways_out = match misfit.cure {
            Some(Cure::Restore) => format!(
                "the state has more than {MOST_NAMES} earlier names, so implement `Hooks::restore`"
            ),
            _ => format!("{cure}{drop}, or implement `Hooks::restore`"),
        };
        RecoveryError::OtherSchema {
            skill: stored.name.clone(),
            stored: version(stored.version.as_deref()),
            present: version(spec.version),
            reason: format!("{reason}; {ways_out}{}", self.misspelled(&forget)),
        }
    }

    fn read(&mut self, stored: &SkillSnapshot, spec: &SkillSpec) -> Result<(), RecoveryError> {
        let quoting = self.quoting;
        let shown = |text: &str| quoting.of_skill(text, spec, &stored.state);
        let (agent, key) = (&mut *self.agent, &stored.key);
        let mut read = |state: &mut StoredState<'_, '_>| agent.restore(key, state);
        let read = with_panics(|| decode_erased(&stored.state, &mut read), shown);
        read.map_err(|error| {
            let text = shown(&error.message);
            let part = unreadable_part(self.agent, stored);
            let part = NotReadBack::Unreadable(error.message).droppable(part, spec.state_secrets);
            let (drop, forget) = way_out(stored, part);
            RecoveryError::Unreadable {
                skill: stored.name.clone(),
                reason: format!("{text}; {drop}{}", self.misspelled(&forget)),
            }
        })
    }

    fn misspelled(&self, key: &str) -> String {
        self.options.misspelled(key, &self.recovery.forgotten)
    }

    /// Restores the mounted skills, except forgotten ones. In `forget`, the key of a mounted `counter` is `skills.counter`.
    pub(super) fn restore_mounted(&mut self, stored: &SkillSnapshot) -> Result<(), RecoveryError> {
        let forget = &self.options.forget;
        let is_forgotten = |skill: &str| {
            let of = |key: &String| key.split_once('.') == Some((process::MOUNTED, skill));
            forget.iter().any(of)
        };
        let mut restored = RestoredMounted::default();
        let agent = &mut *self.agent;
        let mountable = agent.mountable();
        let mut read = |state: &mut StoredState<'_, '_>| {
            let read = agent.restore_mounted(state, &is_forgotten)?;
            Some(read.map(|read| restored = read))
        };
        let shown = |text: &str| self.quoting.of_mounted(mountable, text, &stored.state);
        let read = with_panics(|| decode_erased(&stored.state, &mut read), shown);
        read.map_err(|error| RecoveryError::Unreadable {
            skill: stored.name.clone(),
            reason: shown(&error.to_string()),
        })?;
        let forgotten = restored.forgotten.into_iter();
        let forgotten = forgotten.map(|skill| agent_path(process::MOUNTED, &skill));
        self.recovery.forgotten.extend(forgotten);
        for other in restored.other_states {
            self.restore_mounted_state(other, stored)?;
        }
        for skill in &restored.other_options {
            self.keep_fields(skill, |agent| agent.kept_fields_of_mounted(skill));
        }
        let recovery = &mut self.recovery;
        recovery.other_configuration.extend(restored.other_options);
        Ok(())
    }

    /// Restores a mounted skill's state with another schema or version, by the same rule as for listed skills.
    fn restore_mounted_state(
        &mut self,
        other: OtherState,
        mounted: &SkillSnapshot,
    ) -> Result<(), RecoveryError> {
        let OtherState {
            spec,
            version,
            is_same_schema,
            state,
        } = other;
        let name = spec.name.to_owned();
        let state = encode(&state).map_err(|error| RecoveryError::Unreadable {
            skill: name.clone(),
            reason: error.to_string(),
        })?;
        let stored = SkillSnapshot {
            name,
            declared: spec.name.to_owned(),
            key: agent_path(process::MOUNTED, spec.state_key),
            version,
            schema: mounted.schema,
            config: Vec::new(),
            state,
        };
        self.restore_other(&stored, spec, is_same_schema)
    }
}

/// Returns a phrase for the part to drop, and the `forget` call that drops it.
fn way_out(stored: &SkillSnapshot, part: Option<Droppable>) -> (String, String) {
    let (what, path) = match part {
        None => ("the state".to_owned(), stored.key.clone()),
        Some(Droppable { path, is_lost }) => {
            let path = agent_path(&stored.key, &path);
            let what = if is_lost {
                "it".to_owned()
            } else {
                format!("`{path}`")
            };
            (what, path)
        }
    };
    (format!("drop {what} with {}", forget_call(&path)), path)
}

/// Returns whether the stored configuration equals `present`. Compares values, not bytes, because the order of keys depends on
/// the feature `ordered-json`.
fn is_config(stored: &[u8], present: &Value) -> bool {
    decode::<Value>(stored).is_ok_and(|stored| stored == *present)
}

fn version(version: Option<&str>) -> String {
    version.unwrap_or(NO_VERSION).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}
