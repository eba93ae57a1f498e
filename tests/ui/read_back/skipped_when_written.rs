// A field that is not written begins anew whenever the state is read.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
struct Notes {
    #[serde(skip_serializing)]
    last: String,
}

fn main() {}
