// A skill requires another by its state key instead of its name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sticky-notes", state_key = "notes")]
struct Notes {
    lines: Vec<String>,
}

/// Searches notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "search", requires("notes"))]
struct Search {
    last: String,
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Notes, Search],
    }
}

fn main() {}
