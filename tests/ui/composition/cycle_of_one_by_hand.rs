// A skill that is written by hand requires itself.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::SkillSpec;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes").requires(&["notes"]);
}

impl Hooks for Notes {}

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes],
    }
}

fn main() {}
