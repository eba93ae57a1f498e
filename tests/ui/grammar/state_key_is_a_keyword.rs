// A state key that is a keyword of Rust.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers which type was asked for.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "typing", state_key = "type")]
struct Typing {
    last: String,
}

fn main() {}
