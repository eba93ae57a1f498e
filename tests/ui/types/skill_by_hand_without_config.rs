// A skill written by hand does not name its configuration.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core::{Skill, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    const SPEC: SkillSpec = SkillSpec::new("notes");
}

fn main() {}
