// The option `secret` has a value.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail")]
struct Mail {
    #[skill(secret = true)]
    token: String,
}

fn main() {}
