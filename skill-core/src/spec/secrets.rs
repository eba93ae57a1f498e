//! A skill's secrets.

use super::SkillSpec;
use serde_json::Value;
use skill_agent_schema::{self as json, Layout, MASK, Problem, SchemaFn};
use std::fmt;

impl SkillSpec {
    crate::setters! {
        /// Sets the paths of the secrets in the state.
        pub const fn state_secrets(paths: &'static [&'static str]) { state_secrets = paths }

        /// Sets the paths of the secrets in the configuration.
        pub const fn config_secrets(paths: &'static [&'static str]) { config_secrets = paths }
    }

    /// Masks the secrets in a state, or in a part of one, with [`MASK`](super::MASK).
    ///
    /// If `value` is a part, such as the value in a JSON patch, `keys` are the keys that lead from the state to it. A list
    /// position counts as a key.
    ///
    /// ```
    /// use serde_json::json;
    /// use skill_core::SkillSpec;
    /// const MAIL: SkillSpec = SkillSpec::new("mail").state_secrets(&["login.password"]);
    ///
    /// let mut state = json!({ "login": { "user": "ada", "password": "x" }, "sent": 3 });
    /// MAIL.mask_state(&[], &mut state);
    /// assert_eq!(state, json!({ "login": { "user": "ada", "password": "<secret>" }, "sent": 3 }));
    ///
    /// let mut value = json!("x");
    /// MAIL.mask_state(&["login", "password"], &mut value);
    /// assert_eq!(value, "<secret>");
    /// ```
    pub fn mask_state(&self, keys: &[&str], value: &mut Value) {
        json::mask(value, keys, self.state_secrets);
    }

    /// Masks the secrets in a configuration, or in a part of one. See [`mask_state`](Self::mask_state).
    pub fn mask_config(&self, keys: &[&str], value: &mut Value) {
        json::mask(value, keys, self.config_secrets);
    }

    /// Returns the schema and the secrets of the state, for an update.
    pub(crate) const fn state_layout(&self) -> Layout {
        Layout {
            schema: self.state_schema,
            secrets: self.state_secrets,
            is_struct: false,
        }
    }

    /// Returns the values in a state that violate a schema constraint. `at` is the state's path. Unless `quotes` is set, the
    /// problems do not quote the values.
    pub(crate) fn state_problems(&self, state: &Value, at: &str, quotes: bool) -> Vec<Problem> {
        let problems = |schema: SchemaFn| {
            json::constraint_problems(state, schema(), at, self.state_secrets, quotes)
        };
        self.state_schema.map(problems).unwrap_or_default()
    }

    /// Returns the schema and the secrets of the configuration, for an update.
    pub(crate) const fn config_layout(&self) -> Layout {
        Layout {
            schema: self.config_schema,
            secrets: self.config_secrets,
            is_struct: false,
        }
    }
}

/// The `Debug` output for a secret field, in generated code.
#[doc(hidden)]
pub struct Masked;

impl fmt::Debug for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}
