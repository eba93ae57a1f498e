// A missing doc comment, an unknown option, an argument by reference and a pattern are reported together.
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

#[action(titel = "Write a note")]
fn write(notes: &mut Notes, line: &str, (from, to): (u32, u32)) {
    notes.lines.push(format!("{line} ({from}-{to})"));
}

fn main() {}
