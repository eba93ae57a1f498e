//! Texts of errors about stored states.
//!
//! serde quotes the value that it refuses, and so does the code of a skill. A log of the program is not the place for it.

use crate::panics::catch;
use serde_json::Value;
use skill_agent_store::decode;
use skill_core::process::{self, StoredValue};
use skill_core::{Agent, SkillSpec};
use std::panic::resume_unwind;

/// Whether texts may quote values of a state that are not secrets.
#[derive(Clone, Copy)]
pub struct Quoting {
    /// The setting `trace_payloads`.
    pub payloads: bool,
}

impl Quoting {
    /// A text about the stored state of a listed skill.
    pub(super) fn of_skill(self, text: &str, spec: &SkillSpec, stored: &[u8]) -> String {
        let state = json_of(stored);
        self.hide(
            process::hide_secrets(text, spec.state_secrets, &state),
            &[&state],
        )
    }

    /// A text about the stored states of the mounted skills.
    pub(super) fn of_mounted<G: Agent>(self, text: &str, stored: &[u8]) -> String {
        let Value::Array(entries) = json_of(stored) else {
            return text.to_owned();
        };
        let mut text = text.to_owned();
        let mut values = Vec::new();
        for entry in &entries {
            // name, version, fingerprint, whether it is enabled, options, state
            let (Some(name), Some(options), Some(state)) =
                (entry[0].as_str(), entry.get(4), entry.get(5))
            else {
                continue;
            };
            values.extend([options, state]);
            if let Some(spec) = process::mountable::<G>(name) {
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

/// The values of a stored state, in a form in which they can be looked for.
fn json_of(stored: &[u8]) -> Value {
    let state = decode::<StoredValue>(stored);
    state.map_or(Value::Null, |state| state.to_json())
}

/// Runs code of a skill, and changes the message with which it panics.
pub(super) fn with_panics<T>(run: impl FnOnce() -> T, shown: impl FnOnce(&str) -> String) -> T {
    catch(run).unwrap_or_else(|message| resume_unwind(Box::new(shown(&message))))
}
