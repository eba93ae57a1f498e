// The option `secret` is misspelled, and the skill is printed.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail")]
struct Mail {
    #[skill(secert)]
    token: String,
}

fn print(mail: &Mail) -> String {
    format!("{mail:?}")
}

fn main() {}
