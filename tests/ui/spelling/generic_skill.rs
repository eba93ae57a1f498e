// A generic skill: its name and schema are made once.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers the last value.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "memory")]
struct Memory<T> {
    last: Option<T>,
}

fn main() {}
