// A field next to a secret has a type without `Debug`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Address {
    street: String,
}

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail")]
struct Mail {
    address: Address,
    #[skill(secret)]
    token: String,
}

fn main() {}
