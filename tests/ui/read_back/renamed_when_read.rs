// A field is read under a name that is not written.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
struct Notes {
    #[serde(rename(deserialize = "newest"), alias = "latest")]
    last: String,
}

fn main() {}
