// The values of the map are `null` for both `None` and `Some(None)`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
struct Notes {
    answers: std::collections::BTreeMap<String, std::option::Option<Option<bool>>>,
}

fn main() {}
