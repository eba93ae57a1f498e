// The option `secret` is on a skill instead of a field.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail", secret)]
struct Mail {
    token: String,
}

fn main() {}
