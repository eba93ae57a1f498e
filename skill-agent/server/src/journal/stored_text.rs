//! Error messages about stored states.
//!
//! Errors of serde and of skill code quote the values that they reject. Those values do not belong in a program's log.

use super::any_agent::FindMountable;
use crate::panics::catch;
use serde_json::Value;
use skill_agent_store::decode;
use skill_core::SkillSpec;
use skill_core::process::{self, StoredValue};
use std::panic::resume_unwind;

/// Whether error messages may quote state values that are not secret.
#[derive(Clone, Copy)]
pub struct Quoting {
    /// The builder's setting `trace_payloads`.
    pub payloads: bool,
}

impl Quoting {
    /// Hides values in a message about a listed skill's stored state.
    pub(super) fn of_skill(self, text: &str, spec: &SkillSpec, stored: &[u8]) -> String {
        let state = json_of(stored);
        self.hide(
            process::hide_secrets(text, spec.state_secrets, &state),
            &[&state],
        )
    }

    /// Hides values in a message about the stored states of mounted skills.
    pub(super) fn of_mounted(self, mountable: FindMountable, text: &str, stored: &[u8]) -> String {
        let Value::Array(entries) = json_of(stored) else {
            return text.to_owned();
        };
        let mut text = text.to_owned();
        let mut values = Vec::new();
        for entry in &entries {
            // an entry is a list: name, version, fingerprint, enabled flag, options, state
            let (Some(name), Some(options), Some(state)) =
                (entry[0].as_str(), entry.get(4), entry.get(5))
            else {
                continue;
            };
            values.extend([options, state]);
            if let Some(spec) = mountable(name) {
                text = process::hide_secrets(&text, spec.config_secrets, options);
                text = process::hide_secrets(&text, spec.state_secrets, state);
            }
        }
        self.hide(text, &values)
    }

    fn hide(self, text: String, values: &[&Value]) -> String {
        if self.payloads {
            return text;
        }
        skill_agent_schema::hide_values(&text, values)
    }
}

/// Converts a stored state to JSON, so that its values can be searched for.
fn json_of(stored: &[u8]) -> Value {
    let state = decode::<StoredValue>(stored);
    state.map_or(Value::Null, |state| state.to_json())
}

/// Runs skill code. If the code panics, `shown` changes the panic message.
pub(super) fn with_panics<T>(run: impl FnOnce() -> T, shown: impl FnOnce(&str) -> String) -> T {
    catch(run).unwrap_or_else(|message| resume_unwind(Box::new(shown(&message))))
}
