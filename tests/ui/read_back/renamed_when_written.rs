// A field is written under a name that is not read.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
struct Notes {
    #[serde(rename(serialize = "newest"))]
    last: String,
}

fn main() {}
