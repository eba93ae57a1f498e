// A field is secret twice.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail")]
struct Mail {
    #[skill(secret)]
    #[skill(secret)]
    token: String,
}

fn main() {}
