// A skill with a secret derives `Debug`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail")]
struct Mail {
    sent: u32,
    #[skill(secret)]
    token: String,
}

fn main() {}
