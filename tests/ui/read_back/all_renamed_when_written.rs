// All fields are written under names that are not read.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all(serialize = "camelCase"))]
#[skill(name = "notes")]
struct Notes {
    first_line: String,
    last_line: String,
}

fn main() {}
