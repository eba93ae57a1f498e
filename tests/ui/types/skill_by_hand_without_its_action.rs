// A skill written by hand does not list an action that a macro wrote.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{NoConfig, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes");
}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
