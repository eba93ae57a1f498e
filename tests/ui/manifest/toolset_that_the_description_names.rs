// A toolset without a type, in one line with others, whose text is in the description too.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello_wave")]
struct HelloWave {}

static SKILL: SkillDoc = include_skill!(
    "documents/toolset-in-the-description/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloWave)
);

fn main() {
    println!("{}", SKILL.id);
}
