// A toolset in one line with others is not bound, and the description names it too.
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
