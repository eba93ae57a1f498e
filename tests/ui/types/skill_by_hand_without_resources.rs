// A skill written by hand does not implement `SkillRunsWith`.
use fixture_ui::builder::Builder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::SkillSpec;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes");
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes],
    }
}

fn main() {
    Builder(Writer::new(), ()).start();
}
