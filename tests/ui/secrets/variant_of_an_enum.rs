// A field of an enum is secret.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "mail")]
enum Mail {
    #[default]
    Unknown,
    Known {
        #[skill(secret)]
        token: String,
    },
}

fn main() {}
