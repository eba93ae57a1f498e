// The default of a `String` is a `&str`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Greets people.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "greeter")]
struct Greeter {
    #[skill(default = "Hello")]
    salute: String,
}

fn main() {}
