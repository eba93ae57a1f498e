// The instructions of a skill written by hand refer to an action of a required skill by a misspelled name.
use fixture_ui::counter::Counter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{NoConfig, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Diary {}

impl Skill for Diary {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("diary")
        .requires(&["counter"])
        .instructions("Count the days with `{Incremetn}`.");
}

impl Hooks for Diary {}

agent! {
    struct Writer {
        name: "writer",
        skills: [Counter, Diary],
    }
}

fn main() {}
