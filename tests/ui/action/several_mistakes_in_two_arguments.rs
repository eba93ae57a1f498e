// Each of two arguments has a constraint that does not fit its type.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Write))]
struct Notes {
    lines: Vec<String>,
}

/// Write a note.
#[action]
fn write(
    notes: &mut Notes,
    #[arg(range(1..=80))] line: String,
    #[arg(length(1..=3))] times: usize,
) {
    notes.lines.extend(std::iter::repeat_n(line, times));
}

fn main() {}
