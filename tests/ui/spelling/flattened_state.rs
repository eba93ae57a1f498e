// A flattened field hides keys from the schema and from the check for clashes.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers settings.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "settings")]
struct Settings {
    volume: u8,
    #[serde(flatten)]
    other: Other,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Other {
    theme: String,
}

fn main() {}
