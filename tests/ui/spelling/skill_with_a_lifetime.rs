// A skill contains a reference.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers the last word.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "memory")]
struct Memory<'a> {
    last: &'a str,
}

fn main() {}
