// An answer without a type that a schema could show.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Lines))]
struct Notes {
    lines: Vec<String>,
}

/// All notes.
#[action]
fn lines(notes: &Notes) -> impl Iterator<Item = String> {
    notes.lines.clone().into_iter()
}

fn main() {}
