// A skill written by hand describes an action that it does not have.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{Action, NoConfig, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes").actions(&[Write::SPEC]);
}

impl Hooks for Notes {}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes],
    }
}

fn main() {}
