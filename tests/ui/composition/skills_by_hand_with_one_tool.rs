// A skill written by hand has two tools of the same name, which no derive has checked.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{Action, ActionEntry, NoConfig, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes").actions(&[Write::SPEC, Append::SPEC]);
    const ACTIONS: &'static [ActionEntry<Self>] =
        &[ActionEntry::of::<Write>(), ActionEntry::of::<Append>()];
}

impl Hooks for Notes {}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

/// Write to the end.
#[action(name = "write")]
fn append(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes],
    }
}

fn main() {}
