// A skill written by hand has the state key of the mounted skills.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::core::SkillSpec;
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Talents {}

impl Skill for Talents {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("talents").state_key("skills");
}

agent! {
    struct Watch {
        name: "watch",
        skills: [Talents],
    }
}

fn main() {}
